// SPDX-License-Identifier: Apache-2.0
// Native frames of a thread that sleeps, from pc and sp alone: what the kernel tells of it, and no other register.
#include "agent/hotspot/walk/native_leave.h"

#include <alloca.h>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/processor/frame_shape.h"
#include "agent/hotspot/walk/library_numbers.h"
#include "agent/process/standing_place.h"
#include "recorder/symbols/native_names.h"

using namespace rec::agent;

namespace {

// A thread that sleeps in read(), and where the functions under that return to.
struct InRead {
  int ends[2] = {-1, -1};
  std::atomic<int32_t> os_id{0};
  uint64_t inner = 0, middle = 0;
};

// Compiled with a frame pointer, which read() does not save, and as optimised code is: it keeps a register for its caller,
// and its end pops what it has pushed.
[[gnu::noinline, gnu::optimize("O2", "no-omit-frame-pointer")]] void sleep_inside(InRead& in_read, int size) {
  char room[200];
  asm volatile("" : : : "rbx");
  std::memset(room, size, sizeof room);
  in_read.inner = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  in_read.os_id = gettid();
  [[maybe_unused]] const ssize_t got = read(in_read.ends[0], room, 1);
  asm volatile("" : : "r"(room) : "memory");
}

// Its frame is as large as the caller says: no code tells how far its frame pointer is from sp.
[[gnu::noinline, gnu::optimize("no-omit-frame-pointer")]] void sleep_in_alloca(InRead& in_read, int size) {
  char* room = static_cast<char*>(alloca(static_cast<size_t>(size)));
  in_read.inner = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  in_read.os_id = gettid();
  [[maybe_unused]] const ssize_t got = read(in_read.ends[0], room, 1);
  asm volatile("" : : "r"(room) : "memory");
}

[[gnu::noinline]] void call_it(void (*function)(InRead&, int), InRead& in_read, int size) {
  in_read.middle = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  function(in_read, size);
  asm volatile("" : : : "memory");
}

struct Unwinding {
  std::vector<uint64_t> pcs;
  std::vector<std::string> functions;
  NativeStep end = NativeStep::kLost;
  // Who has called the function; the last of all, if it is not there. A sanitizer's read() has frames of its own.
  size_t behind(const char* function) const {
    size_t at = 0;
    while (at < functions.size() && functions[at].find(function) == std::string::npos) ++at;
    return std::min(at + 1, pcs.size());
  }
  bool has(uint64_t pc) const { return std::find(pcs.begin(), pcs.end(), pc) != pcs.end(); }
};

Unwinding unwound(const NativeModules& modules, const StandingPlace& at) {
  Unwinding seen;
  rec::NativeNames names;
  Registers registers = Registers::only(at.pc, at.sp);
  for (bool exact = true; seen.pcs.size() < 64; exact = false) {
    NativePlace place;
    seen.pcs.push_back(registers.pc());
    seen.end = leave_native(modules, registers, exact, place);
    const LibraryIdentity* library = library_numbered(place.library);
    if (library != nullptr)
      seen.functions.push_back(names.name_of({place.library, library->path, library->build_id}, place.address));
    if (seen.end != NativeStep::kCaller) break;
  }
  return seen;
}

// The in_read's frames, seen while it stood.
Unwinding look_at(void (*function)(InRead&, int), InRead& in_read, int size) {
  static NativeModules modules;
  modules.refresh();
  if (pipe(in_read.ends) != 0) return {};
  std::thread thread([&] { call_it(function, in_read, size); });
  TaskDirectory tasks;
  Unwinding seen;
  for (int tries = 0; tries < 5000 && seen.pcs.empty(); ++tries) {
    usleep(1000);
    const StandingPlace at = in_read.os_id == 0 ? StandingPlace{} : standing_place(tasks, in_read.os_id);
    if (at) seen = unwound(modules, at);
    if (at && !has_stood(at, in_read.os_id)) seen = {};
  }
  if (write(in_read.ends[1], "x", 1) == 1) thread.join();
  close(in_read.ends[0]), close(in_read.ends[1]);
  return seen;
}

// In a process of its own: how often the handler of faults is put in front again has a limit. What test() returns.
template <typename Test>
int in_own_process(Test test) {
  const pid_t child = fork();
  if (child == 0) _exit(install_fault_handler() ? test() : 99);
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

}  // namespace

TEST_CASE("a thread that sleeps is unwound to its start, though nobody knows its frame pointer") {
  CHECK(in_own_process([] {
          InRead in_read;
          const Unwinding seen = look_at(sleep_inside, in_read, 7);
          if (seen.pcs.empty()) return 0;  // a kernel that does not tell
          if (seen.end != NativeStep::kOutermost) return 1;
          if (!seen.has(in_read.inner) || !seen.has(in_read.middle)) return 2;
          return seen.functions.size() > 3 && seen.functions[0] == "read" ? 0 : 3;
        }) == 0);
}

TEST_CASE("damage: where sp tells nothing of the frame pointer no wrong caller is found") {
  CHECK(in_own_process([] {
          for (const int size : {16, 400, 5000}) {
            InRead in_read;
            const Unwinding seen = look_at(sleep_in_alloca, in_read, size);
            if (seen.pcs.size() == 1) return 1;  // who called read() is known by sp
            const size_t behind = seen.behind("sleep_in_alloca");
            if (behind < seen.pcs.size() && seen.pcs[behind] != in_read.inner) return 2;
          }
          return 0;
        }) == 0);
}
