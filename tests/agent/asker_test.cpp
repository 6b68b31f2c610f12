// SPDX-License-Identifier: Apache-2.0
// Threads that are asked, and answer in a signal handler: in time, late, or never.
#include "agent/sampling/asker.h"

#include <doctest/doctest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>

using namespace rec::agent;

namespace {

int32_t own_id() { return static_cast<int32_t>(syscall(SYS_gettid)); }

bool within(int ms, const std::function<bool()>& done) {
  const timespec pause{0, 1'000'000};
  for (; ms > 0; --ms, nanosleep(&pause, nullptr))
    if (done()) return true;
  return false;
}
bool soon(const std::function<bool()>& done) { return within(5000, done); }

// Answers with the id of the thread that runs the handler; may be held up in it.
struct Answers {
  static constexpr uint32_t kSlots = 2;
  std::atomic<int32_t> from[kSlots]{};
  std::atomic<bool> hold{false}, holds{false};
  std::atomic<int> count{0};

  void answer(uint32_t slot, const ucontext_t&) {
    while (hold.load()) holds.store(true);
    from[slot].store(own_id());
    count.fetch_add(1);
  }
};

// One for the process: an asker must outlive all signals.
Answers& answers() {
  static Answers& all = *new Answers;
  return all;
}
Asker<Answers, Answers::kSlots>& asker() {
  static auto& one = *new Asker<Answers, Answers::kSlots>(answers());
  return one;
}

// A thread that does nothing; may block all signals.
class Idle {
 public:
  enum class Signals { kOpen, kBlocked, kAsVm };  // as the VM: all blocked but faults
  explicit Idle(Signals signals) {
    blocked_ = signals != Signals::kOpen;
    as_vm_ = signals == Signals::kAsVm;
    thread_ = std::thread([this] { run(); });
    soon([this] { return id_.load() != 0; });
  }
  ~Idle() {
    end_ = true;
    thread_.join();
  }
  int32_t id() const { return id_; }
  void unblock() { blocked_ = false; }

 private:
  void run() {
    sigset_t all;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE})
      if (as_vm_) sigdelset(&all, fault);
    if (blocked_) pthread_sigmask(SIG_BLOCK, &all, nullptr);
    id_ = own_id();
    const timespec pause{0, 1'000'000};
    while (blocked_ && !end_) nanosleep(&pause, nullptr);
    pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
    while (!end_) nanosleep(&pause, nullptr);
  }
  std::atomic<int32_t> id_{0};
  std::atomic<bool> blocked_{false}, end_{false};
  bool as_vm_ = false;
  std::thread thread_;
};

int ask(const Idle& thread) {
  return asker().try_ask(thread.id(), [](uint32_t slot) { answers().from[slot] = 0; });
}

#ifdef __SANITIZE_THREAD__
constexpr int kTries = 25;  // it keeps one pending signal of each number for a thread, and that may be a late one
#else
constexpr int kTries = 1;
#endif

// The slot; -1: no answer came.
int answer_of(const Idle& thread) {
  for (int i = 0; i < kTries; ++i) {
    const int slot = ask(thread);
    if (slot >= 0 && within(5000 / kTries, [&] { return asker().answered(slot); })) return slot;
    if (slot >= 0) asker().give_back(slot);
  }
  return -1;
}

// Tries again: under a sanitizer a thread keeps one pending signal of each number only, and that may be a late one.
bool answers_soon(const Idle& thread) {
  return soon([&] {
    const int slot = ask(thread);
    const bool answered = slot >= 0 && within(200, [&] { return asker().answered(slot); });
    if (slot >= 0) asker().give_back(slot);
    return answered;
  });
}

}  // namespace

#ifndef __SANITIZE_THREAD__
namespace {

// Somebody puts a handler of his own on the asker's signal, or on each that it may use.
enum class Taken { kOurs, kAll };
void take_over(Taken which) {
  struct sigaction theirs {};
  theirs.sa_handler = [](int) {};
  for (int signal = SIGRTMIN + 1; signal < SIGRTMAX; ++signal) {
    struct sigaction present;
    sigaction(signal, nullptr, &present);
    if (which == Taken::kAll || (present.sa_flags & SA_SIGINFO)) sigaction(signal, &theirs, nullptr);
  }
}

// What a child says on stderr, which ends with that status.
std::string said_by_child(const std::function<int()>& child, int expected) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    _exit(child());
  }
  close(ends[1]);
  std::string said;
  char text[512];
  for (ssize_t size; (size = read(ends[0], text, sizeof text)) > 0;) said.append(text, static_cast<size_t>(size));
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == expected);
  return said;
}

}  // namespace

TEST_CASE("a question goes by another signal once somebody handles the one that it had") {
  const auto child = [] {
    if (!asker().ready()) return 1;
    const Idle thread(Idle::Signals::kOpen);
    if (answer_of(thread) < 0) return 2;
    take_over(Taken::kOurs);
    return answer_of(thread) < 0 ? 3 : 7;
  };
  CHECK(said_by_child(child, 7) == "");
}

TEST_CASE("where others handle all signals nobody is asked, which is said once, and once more when it is so again") {
  const auto child = [] {
    if (!asker().ready()) return 1;
    const Idle thread(Idle::Signals::kOpen);
    take_over(Taken::kAll);
    for (int i = 0; i < 3; ++i)
      if (ask(thread) >= 0) return 2;
    signal(SIGRTMIN + 5, SIG_DFL);
    const int slot = answer_of(thread);
    if (slot < 0) return 3;
    asker().give_back(slot);
    take_over(Taken::kAll);
    return ask(thread) >= 0 ? 4 : 7;
  };
  const std::string line = "rec: no signal is left to ask threads where they are: others handle all of them\n";
  CHECK(said_by_child(child, 7) == line + line);
}

TEST_CASE("a question that is not to be sent at the last look is not, and keeps no slot") {
  REQUIRE(asker().ready());
  const Idle thread(Idle::Signals::kOpen);
  const int before = answers().count;
  for (int i = 0; i < 10; ++i)
    CHECK(asker().try_ask(
              thread.id(), [](uint32_t) {}, [] { return false; }) < 0);
  const int slot = answer_of(thread);
  REQUIRE(slot >= 0);
  asker().give_back(slot);
  CHECK(answers().count == before + 1);
}

TEST_CASE(
    "race: a thread that blocks what the VM lets it block answers all the same, and one that blocks all is deaf") {
  REQUIRE(asker().ready());
  const Idle as_vm(Idle::Signals::kAsVm), deaf(Idle::Signals::kBlocked), open(Idle::Signals::kOpen);
  CHECK_FALSE(asker().is_deaf(as_vm.id()));
  CHECK_FALSE(asker().is_deaf(open.id()));
  CHECK(asker().is_deaf(deaf.id()));
  for (int i = 0; i < 200; ++i) {
    const int slot = ask(as_vm);
    REQUIRE(slot >= 0);
    REQUIRE(soon([&] { return asker().answered(slot); }));
    CHECK(answers().from[slot] == as_vm.id());
    asker().give_back(slot);
  }
}

TEST_CASE("an instruction that is none goes past those who ask to whoever handled it before") {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGILL, [](int) { _exit(7); });
    if (!asker().ready() || !take_spare_question_signal()) _exit(1);
    struct sigaction present;
    sigaction(SIGILL, nullptr, &present);
    if (!(present.sa_flags & SA_SIGINFO)) _exit(3);  // ours is not in front
    raise(SIGILL);
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
}

// What a signal carries is lost then, and with it whose it is.
TEST_CASE("where the system has no room for signals, a question that was sent goes to nobody else") {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGILL, [](int) { _exit(2); });
    const rlimit none{0, 0};
    if (!asker().ready() || setrlimit(RLIMIT_SIGPENDING, &none) != 0) _exit(1);
    const Idle as_vm(Idle::Signals::kAsVm);
    for (int i = 0; i < 20; ++i) {
      const int slot = ask(as_vm);
      if (slot < 0) _exit(3);
      usleep(2'000);
      asker().give_back(slot);
    }
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
}
#endif

TEST_CASE("race: a thread that is asked answers in its own handler") {
  REQUIRE(asker().ready());
  const Idle thread(Idle::Signals::kOpen);
  for (int i = 0; i < 200; ++i) {
    const int slot = answer_of(thread);
    REQUIRE(slot >= 0);
    CHECK(answers().from[slot] == thread.id());
    CHECK_FALSE(asker().try_withdraw(slot));
    asker().give_back(slot);
  }
}

TEST_CASE("race: a question that is given back is not answered late") {
  REQUIRE(asker().ready());
  Idle thread(Idle::Signals::kBlocked);
  const int before = answers().count;
  const int slot = ask(thread);
  REQUIRE(slot >= 0);
  CHECK_FALSE(asker().answered(slot));
  asker().give_back(slot);
  thread.unblock();
  CHECK(answers_soon(thread));
  CHECK(answers().count == before + 1);
}

TEST_CASE("race: a question that is left is answered all the same, and its slot used only when no other is free") {
  REQUIRE(asker().ready());
  Idle late(Idle::Signals::kBlocked);
  const Idle thread(Idle::Signals::kOpen);
  const int before = answers().count;
  const int left = ask(late);
  REQUIRE(left >= 0);
  asker().leave(left);
  const int other = ask(thread);
  REQUIRE(other >= 0);
  CHECK(other != left);
  CHECK(soon([&] { return asker().answered(other); }));
  asker().give_back(other);
  CHECK(answers().count == before + 1);
  late.unblock();
  CHECK(soon([&] { return answers().count == before + 2; }));
}

TEST_CASE("race: a slot is not used again while its thread is in the middle of answering") {
  REQUIRE(asker().ready());
  const Idle thread(Idle::Signals::kOpen), second(Idle::Signals::kOpen);
  answers().holds = false;
  answers().hold = true;
  const int slot = ask(thread);
  REQUIRE(slot >= 0);
  REQUIRE(soon([] { return answers().holds.load(); }));
  CHECK_FALSE(asker().try_withdraw(slot));
  asker().give_back(slot);
  const int other = ask(second);
  CHECK(other >= 0);
  CHECK(other != slot);
  CHECK(ask(second) < 0);  // none is left
  answers().hold = false;
  REQUIRE(soon([&] { return asker().answered(other); }));
  asker().give_back(other);
  CHECK(soon([&] {  // both are to be had again
    const int one = ask(second), two = ask(second);
    for (const int each : {one, two})
      if (each >= 0) asker().give_back(each);
    return one >= 0 && two >= 0;
  }));
}

TEST_CASE("a thread that has gone is told at once, and keeps no slot") {
  REQUIRE(asker().ready());
  int32_t gone = 0;
  std::thread([&] { gone = own_id(); }).join();
  for (int i = 0; i < 10; ++i) CHECK(asker().try_ask(gone, [](uint32_t) {}) < 0);
}
