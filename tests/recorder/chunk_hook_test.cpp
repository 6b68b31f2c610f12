// SPDX-License-Identifier: Apache-2.0
#include "recorder/repository/chunk_hook.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>

#include "tests/recorder/places.h"
#include "tests/recorder/simulated_vm.h"

namespace rec::test {
namespace {

constexpr int64_t kLongNs = 60'000'000'000;  // of a test that is stuck

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

// A directory with chunks in it, and a hook's command that can be told to end.
struct Scene {
  Scene() { Lines::clear(); }
  std::string chunk(const std::string& name) const {
    write_file(directory / name, name);
    return directory / name;
  }
  std::string until_flag() const { return "while [ ! -e " + (directory / "flag") + " ]; do sleep 0.01; done #"; }
  void raise_flag() const { write_file(directory / "flag", ""); }
  // As the recorder does at each flush, until `done`.
  template <typename Done>
  static void poll(ChunkHook& hook, Done done) {
    while (!done()) {
      hook.poll();
      usleep(2000);
    }
  }
  const TemporaryDirectory directory;
};

}  // namespace

TEST_CASE("the command of a hook is run once for each chunk, with its path") {
  const Scene scene;
  ChunkHook hook("cp -t " + (scene.directory / "copies") + " --", Lines::add);
  std::filesystem::create_directory(scene.directory / "copies");
  const std::string odd = "it's $(touch x) \"a\" chunk; #1.jfr";
  for (const std::string& name : {std::string("1.jfr"), std::string("2.jfr"), std::string("3.jfr"), odd})
    hook.chunk_finished(scene.chunk(name));
  CHECK(hook.finish(kLongNs));
  CHECK(hook.idle());
  CHECK(entries(scene.directory / "copies") == std::vector<std::string>{"1.jfr", "2.jfr", "3.jfr", odd});
  CHECK(read_file(scene.directory / ("copies/" + odd)) == odd);
  CHECK(Lines::all().empty());
}

TEST_CASE("without a command there is no hook") {
  const Scene scene;
  ChunkHook hook("", Lines::add);
  hook.chunk_finished(scene.chunk("1.jfr"));
  CHECK(hook.idle());
  CHECK_FALSE(hook.uses(scene.directory / "1.jfr"));
  CHECK(hook.finish(0));
}

TEST_CASE("a hook is given absolute paths and has the working directory of the application") {
  const Scene scene;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(scene.directory / "");
  ChunkHook hook("pwd >" + (scene.directory / "out") + "; printf '%s\\n' >>" + (scene.directory / "out"), Lines::add);
  scene.chunk("1.jfr");
  hook.chunk_finished("1.jfr");
  CHECK(hook.finish(kLongNs));
  const std::string here = std::filesystem::current_path();
  std::filesystem::current_path(before);
  CHECK(lines_of(scene.directory / "out") == std::vector<std::string>{here, here + "/1.jfr"});
}

TEST_CASE("two hooks run at a time, the others wait, and a chunk is in use until its hook is done") {
  const Scene scene;
  ChunkHook hook("echo begun >>" + (scene.directory / "out") + "; " + scene.until_flag(), Lines::add);
  std::vector<std::string> chunks;
  for (int i = 0; i < 5; ++i) {
    chunks.push_back(scene.chunk(std::to_string(i)));
    hook.chunk_finished(chunks.back());
  }
  Scene::poll(hook, [&] { return lines_of(scene.directory / "out").size() >= kHooksAtATime; });
  for (int i = 0; i < 20; ++i) hook.poll();
  CHECK(lines_of(scene.directory / "out").size() == kHooksAtATime);
  for (const std::string& chunk : chunks) CHECK(hook.uses(chunk));
  CHECK_FALSE(hook.uses(scene.directory / "another"));
  hook.give_up(chunks[4]);
  CHECK_FALSE(hook.uses(chunks[4]));
  scene.raise_flag();
  CHECK(hook.finish(kLongNs));
  CHECK(lines_of(scene.directory / "out").size() == 4);
  for (const std::string& chunk : chunks) CHECK_FALSE(hook.uses(chunk));
}

TEST_CASE("fault: a hook that fails or is missing is said once per cause") {
  const Scene scene;
  const std::string chunk = scene.chunk("1.jfr");
  ChunkHook fails("exit $(cat " + chunk + ".code) #", Lines::add);
  for (const char* code : {"3", "3", "4", "0", "3"}) {
    write_file(chunk + ".code", code);
    fails.chunk_finished(chunk);
    CHECK(fails.finish(kLongNs));
  }
  REQUIRE(Lines::all().size() == 2);
  CHECK(has(Lines::all()[0], "exit code 3"));
  CHECK(has(Lines::all()[0], chunk));
  CHECK(has(Lines::all()[1], "exit code 4"));

  Lines::clear();
  ChunkHook missing("/nonexistent/upload 2>/dev/null", Lines::add);
  for (int i = 0; i < 3; ++i) missing.chunk_finished(chunk);
  CHECK(missing.finish(kLongNs));
  REQUIRE(Lines::all().size() == 1);
  CHECK(has(Lines::all()[0], "no such command"));

  Lines::clear();
  ChunkHook dies("kill -TERM $$ #", Lines::add);
  dies.chunk_finished(chunk);
  CHECK(dies.finish(kLongNs));
  REQUIRE(Lines::all().size() == 1);
  CHECK(has(Lines::all()[0], "signal 15"));
}

TEST_CASE("fault: a hook that hangs is killed with its children, and the next ones run") {
  const Scene scene;
  const std::string out = scene.directory / "out";
  ChunkHook hook("case $1 in *hang*) echo $$ >>" + out + "; sleep 1000 & echo $! >>" + out + "; wait;; *) echo 0 >>" +
                     out + ";; esac #",
                 Lines::add, 300'000'000);
  hook.chunk_finished(scene.chunk("hang-1"));
  hook.chunk_finished(scene.chunk("hang-2"));
  hook.chunk_finished(scene.chunk("quick"));
  CHECK(hook.finish(kLongNs));
  REQUIRE(Lines::all().size() == 1);
  CHECK(has(Lines::all()[0], "was killed"));
  const auto said = lines_of(out);
  CHECK(said.size() == 5);
  CHECK(said[0] == "0");
  for (const std::string& process : said) {
    if (process == "0") continue;
    // A child of a command that was killed is the init process's to reap; dead is dead.
    const std::string state = "/proc/" + process + "/stat";
    while (std::filesystem::exists(state) && read_file(state).find(") Z ") == std::string::npos) usleep(1000);
  }
}

TEST_CASE("fault: at the end, a hook that goes on leaves its chunks where they are and says so") {
  const Scene scene;
  ChunkHook hook(scene.until_flag(), Lines::add);
  const std::string chunk = scene.chunk("1.jfr");
  hook.chunk_finished(chunk);
  CHECK_FALSE(hook.finish(0));
  CHECK(hook.uses(chunk));
  REQUIRE(Lines::all().size() == 1);
  CHECK(has(Lines::all()[0], chunk));
  scene.raise_flag();
  CHECK(hook.finish(kLongNs));
}

TEST_CASE("a queue of hooks that is full drops its oldest chunk and says so") {
  const Scene scene;
  ChunkHook hook("echo x >>" + (scene.directory / "out") + "; " + scene.until_flag(), Lines::add);
  std::vector<std::string> chunks;
  for (size_t i = 0; i < kHooksAtATime + kHookQueueLength + 3; ++i) {
    chunks.push_back(scene.chunk(std::to_string(i)));
    hook.chunk_finished(chunks.back());
  }
  CHECK(Lines::all().size() == 1);
  CHECK(hook.uses(chunks[0]));
  CHECK_FALSE(hook.uses(chunks[kHooksAtATime]));
  CHECK_FALSE(hook.uses(chunks[kHooksAtATime + 2]));
  CHECK(hook.uses(chunks[kHooksAtATime + 3]));
  CHECK(hook.uses(chunks.back()));
  scene.raise_flag();
  CHECK(hook.finish(kLongNs));
  CHECK(lines_of(scene.directory / "out").size() == kHooksAtATime + kHookQueueLength);
}

TEST_CASE("a hook inherits no descriptor, no signal mask, no ignored signal and no agent of the application") {
  const Scene scene;
  const std::string out = scene.directory / "out";
  const int theirs = open("/dev/zero", O_RDONLY);  // without O_CLOEXEC, as applications do
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto handler = signal(SIGUSR1, SIG_IGN);
  setenv("JAVA_TOOL_OPTIONS", "-agentpath:librec.so", 1);
  setenv("REC_TEST_KEPT", "kept", 1);
  ChunkHook hook(
      "{ for f in /proc/self/fd/*; do readlink $f; done; grep -E 'Sig(Blk|Ign)' /proc/self/status; env; ps -o "
      "pgid= -p $$; echo $$; } >" +
          out + " #",
      Lines::add);
  hook.chunk_finished(scene.chunk("1.jfr"));
  CHECK(hook.finish(kLongNs));
  unsetenv("JAVA_TOOL_OPTIONS");
  unsetenv("REC_TEST_KEPT");
  signal(SIGUSR1, handler);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  close(theirs);
  const std::string said = read_file(out);
  CHECK_FALSE(has(said, "/dev/zero"));
  CHECK(has(said, "/dev/null"));
  CHECK(has(said, "SigBlk:\t0000000000000000"));
  const size_t ignored = said.find("SigIgn:\t");
  REQUIRE(ignored != std::string::npos);
  constexpr uint64_t kOfTheLibrary = uint64_t{3} << 31;  // glibc ignores its own two, 32 and 33, in what it spawns
  CHECK((std::stoull(said.substr(ignored + 8, 16), nullptr, 16) & ~kOfTheLibrary) == 0);
  CHECK_FALSE(has(said, "JAVA_TOOL_OPTIONS"));
  CHECK(has(said, "REC_TEST_KEPT=kept"));
}

TEST_CASE("the application's own children are left to it") {
  const Scene scene;
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) _exit(42);
  ChunkHook hook("true", Lines::add);
  for (int i = 0; i < 10; ++i) hook.chunk_finished(scene.chunk(std::to_string(i)));
  CHECK(hook.finish(kLongNs));
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 42);
}

TEST_CASE("fault: an exit status that the application takes is counted, and no later failure is called the first") {
  const Scene scene;
  ChunkHook hook("echo $$ >$1.pid; exit 1 #", Lines::add);
  for (const char* name : {"1.jfr", "2.jfr", "3.jfr"}) {
    const std::string chunk = scene.chunk(name);
    hook.chunk_finished(chunk);
    while (lines_of(chunk + ".pid").empty()) usleep(1000);
    const pid_t process = std::stoi(lines_of(chunk + ".pid")[0]);
    REQUIRE(waitpid(process, nullptr, 0) == process);
    hook.poll();
    CHECK(hook.idle());
  }
  REQUIRE(Lines::all().size() == 1);
  CHECK(has(Lines::all()[0], "takes the exit status of onchunk's commands"));
  CHECK(has(Lines::all()[0], "first with " + (scene.directory / "1.jfr")));
  hook.chunk_finished(scene.chunk("4.jfr"));
  CHECK(hook.finish(kLongNs));
  REQUIRE(Lines::all().size() == 3);
  CHECK(has(Lines::all()[1], "exit code 1; first known with " + (scene.directory / "4.jfr")));
  CHECK(has(Lines::all()[2], "took the exit status of 3 of"));
}

TEST_CASE("an application that ignores its children does not confuse a hook") {
  const Scene scene;
  const auto before = signal(SIGCHLD, SIG_IGN);
  ChunkHook hook("echo x >>" + (scene.directory / "out") + " #", Lines::add);
  for (int i = 0; i < 5; ++i) hook.chunk_finished(scene.chunk(std::to_string(i)));
  CHECK(hook.finish(kLongNs));
  signal(SIGCHLD, before);
  CHECK(lines_of(scene.directory / "out").size() == 5);
  REQUIRE(Lines::all().size() == 2);
  CHECK(has(Lines::all()[0], "ignores SIGCHLD"));
  CHECK(has(Lines::all()[1], "the exit status of 5 of"));
}

}  // namespace rec::test
