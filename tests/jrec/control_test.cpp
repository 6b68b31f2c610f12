// SPDX-License-Identifier: Apache-2.0
// start, stop, dump and status, with a process that only plays a JVM; tests/jvm/control.sh has real ones.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "jrec/base/interrupt.h"
#include "jrec/control/control.h"
#include "tests/jrec/fake_jvm.h"
#include "tests/jrec/heard.h"
#include "tests/text.h"

using namespace jrec;
using test::FakeJvm;
using test::Words;
using test::Workplace;

namespace {

struct Answered {
  int code = -1;
  std::string out;
  std::string err;
  bool has(const std::string& part) const { return (out + err).find(part) != std::string::npos; }
};

// Runs a command with standard error caught.
Answered run(const ControlOptions& options) {
  const Workplace place;
  Answered said;
  std::fflush(stderr);
  const int saved = ::dup(2);
  const int caught = ::open(place.path("stderr").c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  ::dup2(caught, 2);
  said.out = place.output_of([&](Output& out) { return run_control(options, out); }, said.code);
  std::fflush(stderr);
  ::dup2(saved, 2);
  ::close(saved);
  ::close(caught);
  said.err = place.read("stderr");
  return said;
}

ControlOptions command(ControlVerb verb, const FakeJvm& jvm) {
  ControlOptions options;
  options.verb = verb;
  options.target = jvm.target();
  options.timeout_s = 5;
  if (verb == ControlVerb::kStart) options.agent = jvm.agent();
  return options;
}

Answered start(const FakeJvm& jvm) { return run(command(ControlVerb::kStart, jvm)); }

bool one_line(const std::string& text) {
  return text.ends_with('\n') && text.find('\n') == text.size() - 1 && text.size() > 1;
}

// A refusal: one line on stderr that says why, nothing on stdout, exit code 5.
void check_refused(const Answered& said, const std::string& why) {
  CHECK(said.code == kNotAttached);
  CHECK(said.out.empty());
  CHECK_MESSAGE(one_line(said.err), said.err);
  CHECK_MESSAGE(said.err.starts_with("jrec: "), said.err);
  CHECK_MESSAGE(said.has(why), said.err);
}

constexpr const char* kGood = "recording to /x/a.jfr\n{\"ok\":true,\"command\":\"start\",\"filename\":\"/x/a.jfr\"}\n";

void reply_well(int fd, const Words& request) {
  test::answer(request, kGood);
  test::put(fd, "0\nreturn code: 0\n");
}

// A listener that sends some bytes, whatever it is asked.
FakeJvm::Listener sends(const std::string& bytes) {
  return [bytes](int fd, const Words&) { test::put(fd, bytes); };
}

// A listener that answers well but for what stands in the answer file.
FakeJvm::Listener writes(const std::string& text) {
  return [text](int fd, const Words& request) {
    test::answer(request, text);
    test::put(fd, "0\nreturn code: 0\n");
  };
}

}  // namespace

TEST_CASE("control: start wakes the JVM, sends version 1 of the protocol and prints the agent's line") {
  const FakeJvm jvm({}, reply_well);
  ControlOptions options = command(ControlVerb::kStart, jvm);
  options.file = "a.jfr";
  options.agent_options = {"interval=5ms", "lock", "name=a,b"};
  const Answered said = run(options);
  CHECK(said.code == kDone);
  CHECK(said.out == "recording to /x/a.jfr\n");
  CHECK(said.err.empty());
  CHECK(jvm.was_signalled());
  const Words request = jvm.request();
  REQUIRE(request.size() == 5);
  CHECK(Words(request.begin(), request.begin() + 4) == Words{"1", "load", jvm.agent(), "true"});
  const std::string answer = test::option_of(request, "answer");
  CHECK(answer.starts_with("/tmp/rec-answer-"));
  CHECK(request[4] == "start,answer=" + answer + ",filename=" + std::filesystem::current_path().string() +
                          "/a.jfr,interval=5ms,lock,name=a\\,b");
  CHECK_FALSE(std::filesystem::exists(answer));
  CHECK_FALSE(std::filesystem::exists(jvm.trigger_path()));
  CHECK(jvm.lives());
}

TEST_CASE("control: a second command needs no signal, and the loaded library is named by its path in the process") {
  FakeJvm::Looks looks;
  looks.agent = looks.listens_early = true;
  const FakeJvm jvm(looks, reply_well);
  CHECK(run(command(ControlVerb::kStatus, jvm)).code == kDone);
  CHECK(jvm.request()[2] == jvm.agent());
  CHECK(jvm.request()[4].starts_with("status,answer="));
  ControlOptions dump = command(ControlVerb::kDump, jvm);
  dump.file = "/x/b.jfr";
  CHECK(run(dump).code == kDone);
  CHECK(test::option_of(jvm.request(), "filename") == "/x/b.jfr");
  CHECK_FALSE(jvm.was_signalled());
}

TEST_CASE("control: a process that does not handle SIGQUIT but listens is spoken to all the same") {
  FakeJvm::Looks looks;
  looks.handles_quit = false;
  looks.listens_early = true;
  const FakeJvm jvm(looks, reply_well);
  CHECK(start(jvm).code == kDone);
  CHECK(jvm.lives());
}

TEST_CASE("control: --json prints the agent's object, and an object of its own when something failed") {
  const FakeJvm jvm({}, writes("fine\n{\"ok\":true,\"samples\":12}\n"));
  ControlOptions options = command(ControlVerb::kStart, jvm);
  options.json = true;
  CHECK(run(options).out == "{\"ok\":true,\"samples\":12}\n");
  options.target = "1999999999";
  const Answered said = run(options);
  CHECK(said.code == kNotAttached);
  CHECK(said.out == "{\"ok\":false,\"command\":\"start\",\"error\":\"there is no process 1999999999\"}\n");
  CHECK(said.err == "jrec: start: there is no process 1999999999\n");
}

TEST_CASE("control: what the agent refuses is an error, in its own words") {
  const FakeJvm jvm({},
                    writes("interval: 1us is too short\n{\"ok\":false,\"error\":\"interval: 1us is too short\"}\n"));
  check_refused(start(jvm), "interval: 1us is too short");
  ControlOptions options = command(ControlVerb::kStart, jvm);
  options.json = true;
  const Answered said = run(options);
  CHECK(said.out == "{\"ok\":false,\"error\":\"interval: 1us is too short\"}\n");
  CHECK(one_line(said.err));
}

TEST_CASE("control: control characters of an answer do not reach the terminal") {
  const FakeJvm jvm({}, writes("a\x1b[31mb\n{\"ok\":true}\n"));
  CHECK(start(jvm).out == "a\\x1b[31mb\n");
}

TEST_CASE("control: a JVM that forbids dynamic agents is quoted, with what to do") {
  const FakeJvm jvm({}, sends("-1\nDynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading.\n"));
  check_refused(start(jvm), "Dynamic agent loading is not enabled");
  CHECK(start(jvm).has("-agentpath"));
}

TEST_CASE("control: a library that cannot be loaded is told in the JVM's words") {
  const FakeJvm jvm({}, sends("0\n/x/librec.so was not loaded.\nno such file\n"));
  check_refused(start(jvm), "/x/librec.so was not loaded. no such file");
}

TEST_CASE("control: an old agent that writes no answer is named as such") {
  const FakeJvm jvm({}, sends("0\nreturn code: 0\n"));
  check_refused(start(jvm), "gave no answer (return code 0)");
}

TEST_CASE("damage: replies and answers that make no sense are refused") {
  for (const char* reply : {"hello\n", "\n", "0", "99999999999999999999\nx", "0x\n"}) {
    const FakeJvm jvm({}, sends(reply));
    check_refused(start(jvm), "makes no sense");
  }
  for (const std::string& text :
       {std::string("one line only\n"), std::string("a\n[1]\n"), std::string("a\n{\"ok\":1}\n"),
        std::string("a\n{\"ok\":true"), std::string("a\n{}\n"), std::string("\n{\"ok\":true}\n"),
        "a\n{\"ok\":true,\"x\":" + std::string(30'000, '[') + std::string(30'000, ']') + "}\n",
        "a\n" + std::string(1'000'000, '['), std::string("a\n{\"ok\":true,\"x\":\"\xff\"}\n")}) {
    const FakeJvm jvm({}, writes(text));
    check_refused(start(jvm), "gave no answer");
  }
}

TEST_CASE("damage: a reply without end is cut off") {
  const FakeJvm jvm({}, [](int fd, const Words&) {
    for (int i = 0; i < 1000; ++i) test::put(fd, std::string(4096, 'x'));
  });
  check_refused(start(jvm), "more than 65536 bytes");
}

TEST_CASE("control: a JVM that closes without a word, and one that dies over the command") {
  const FakeJvm closes({}, [](int, const Words&) {});
  check_refused(start(closes), "closed the connection without a word");
  const FakeJvm dies({}, [](int, const Words&) { ::_exit(1); });
  check_refused(start(dies), "ended while it ran the command");
}

TEST_CASE("control: a JVM that says nothing is given up at the time limit") {
  const FakeJvm jvm({}, [](int, const Words&) { ::pause(); });
  ControlOptions options = command(ControlVerb::kStart, jvm);
  options.timeout_s = 1;
  check_refused(run(options), "did not answer in time");
}

TEST_CASE("control: a JVM that dies instead of opening its socket ends the wait") {
  const FakeJvm jvm({}, [](int, const Words&) {});
  FakeJvm::Looks looks;
  looks.makes_socket = false;
  const FakeJvm mute(looks, reply_well);
  const pid_t watcher = ::fork();
  if (watcher == 0) {  // kills it as soon as it was asked
    while (!mute.was_signalled()) ::usleep(1000);
    ::kill(mute.pid(), SIGKILL);
    ::_exit(0);
  }
  check_refused(start(mute), "ended while it was asked to open its attach socket");
  ::waitpid(watcher, nullptr, 0);
  CHECK_FALSE(std::filesystem::exists(mute.trigger_path()));
}

TEST_CASE("control: whom SIGQUIT would hurt gets none") {
  FakeJvm::Looks deaf;
  deaf.handles_quit = false;
  const FakeJvm without_handler(deaf, reply_well);
  check_refused(start(without_handler), "does not handle SIGQUIT");
  CHECK(without_handler.lives());
  FakeJvm::Looks plain;
  plain.jvm = false;
  const FakeJvm no_jvm(plain, reply_well);
  check_refused(start(no_jvm), "it is no JVM");
  CHECK(no_jvm.lives());
  CHECK_FALSE(no_jvm.was_signalled());
}

TEST_CASE("control: a stopped JVM is told apart at once, and nothing waits for it") {
  const FakeJvm jvm({}, reply_well);
  jvm.stop();
  check_refused(start(jvm), "it is stopped");
  ::kill(jvm.pid(), SIGCONT);
  FakeJvm::Looks early;
  early.listens_early = true;
  const FakeJvm listening(early, reply_well);
  listening.stop();
  check_refused(start(listening), "it is stopped");
}

TEST_CASE("control: a socket that somebody else listens at gets no command") {
  const FakeJvm jvm({}, reply_well);
  const int fd = FakeJvm::listen_at(jvm.socket_path());
  check_refused(start(jvm), "process " + std::to_string(::getpid()) + " listens at its attach socket");
  ::close(fd);
  CHECK(jvm.request().empty());
}

TEST_CASE("control: a link, a file or a foreign socket at the socket's name is refused") {
  const Workplace place;
  const FakeJvm jvm({}, reply_well);
  const int fd = FakeJvm::listen_at(place.path("socket"));
  std::filesystem::create_symlink(place.path("socket"), jvm.socket_path());
  check_refused(start(jvm), "is no socket");
  ::unlink(jvm.socket_path().c_str());
  ::close(::open(jvm.socket_path().c_str(), O_CREAT | O_WRONLY, 0600));
  check_refused(start(jvm), "is no socket");
  ::unlink(jvm.socket_path().c_str());
  ::close(fd);
  if (::geteuid() != 0) return;
  const int foreign = FakeJvm::listen_at(jvm.socket_path());
  CHECK(::chown(jvm.socket_path().c_str(), 12345, 12345) == 0);
  check_refused(start(jvm), "belongs to user 12345");
  ::close(foreign);
}

TEST_CASE("control: a stale socket of a dead process is told") {
  const FakeJvm jvm({}, reply_well);
  ::close(FakeJvm::listen_at(jvm.socket_path()));
  check_refused(start(jvm), "cannot connect to its attach socket");
}

TEST_CASE("control: without the agent status says so, stop and dump fail, and nobody is signalled") {
  const FakeJvm jvm({}, reply_well);
  ControlOptions status = command(ControlVerb::kStatus, jvm);
  const Answered said = run(status);
  CHECK(said.code == kDone);
  CHECK(said.out == "not recording: the agent is not loaded\n");
  status.json = true;
  CHECK(run(status).out == "{\"ok\":true,\"command\":\"status\",\"pid\":" + jvm.target() + ",\"recording\":false}\n");
  check_refused(run(command(ControlVerb::kStop, jvm)), "the agent is not loaded");
  check_refused(run(command(ControlVerb::kDump, jvm)), "the agent is not loaded");
  CHECK_FALSE(jvm.was_signalled());
}

// That of the process with this pid.
bool has_answer_file(pid_t pid) {
  for (const auto& entry : std::filesystem::directory_iterator("/tmp"))
    if (entry.path().filename().string().starts_with("rec-answer-" + std::to_string(pid) + "-")) return true;
  return false;
}

TEST_CASE("control: a signal that ends jrec while it waits leaves nothing in the JVM's /tmp") {
  for (const bool listens : {true, false}) {
    FakeJvm::Looks looks;
    looks.makes_socket = listens;
    const FakeJvm jvm(looks, [](int, const Words&) { ::pause(); });
    const pid_t caller = ::fork();
    if (caller == 0) {
      exit_when_interrupted();
      (void)run(command(ControlVerb::kStart, jvm));
      ::_exit(0);
    }
    for (int i = 0; i < 5000 && (listens ? jvm.request().empty() : !jvm.was_signalled()); ++i) ::usleep(1000);
    CHECK(has_answer_file(caller));
    ::kill(caller, SIGTERM);
    int status = 0;
    ::waitpid(caller, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 128 + SIGTERM);
    CHECK_FALSE(has_answer_file(caller));
    CHECK_FALSE(std::filesystem::exists(jvm.trigger_path()));
  }
}

TEST_CASE("control: options that are too long for the protocol, or no options, are refused before anything is sent") {
  FakeJvm::Looks early;
  early.listens_early = true;
  const FakeJvm jvm(early, reply_well);
  ControlOptions options = command(ControlVerb::kStart, jvm);
  options.agent_options = {"name=" + std::string(1024, 'x')};
  check_refused(run(options), "at most 1024 bytes");
  for (const char* word : {"b.jfr", "=5", "stop", "answer=/etc/passwd", "stop=1", "a,b=c"}) {
    options.agent_options = {word};
    CHECK(run(options).code == kNotAttached);
  }
  options.agent_options = {};
  options.agent = "/no/such/librec.so";
  check_refused(run(options), "there is no agent library /no/such/librec.so");
  CHECK(jvm.request().empty());
}

TEST_CASE("control: a recording does not go to standard output, and jrec says how such a file is named") {
  const Workplace place;
  for (const char* verb : {"start", "stop", "dump"}) {
    const test::Heard heard = test::hear(place, {verb, "1999999999", "-o", "-"});
    CHECK(heard.code == kUsageError);
    CHECK(test::has(heard.err, "./-"));
    CHECK(test::has(test::hear(place, {verb, "1999999999", "-o", "./-"}).err, "there is no process"));
  }
}
