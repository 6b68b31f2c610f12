// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/native_frames.h"

#include "agent/hotspot/walk/library_numbers.h"
#include "agent/hotspot/walk/native_leave.h"

namespace rec::agent {
namespace {

constexpr size_t kMaxFrames = 64;

struct Place {
  uint64_t pc = 0;
  NativePlace function;
  uint64_t address = 0;  // of pc, as the library's file has it; 0: in no library
};

Place place_of(const VmCode& vm, uint64_t pc, bool exact, const NativePlace& function) {
  NativeModule module;
  const uint64_t looked_up = exact ? pc : pc - 1;
  return {pc, function, vm.modules.find(looked_up, module) ? pc - module.bias : 0};
}

// The last one has no pc if frames are missing behind it.
std::vector<Place> walk(const VmCode& vm, const DumpedThread& thread) {
  std::vector<Place> places;
  Registers registers = Registers::only(thread.os.pc, thread.os.sp);
  bool exact = true;
  while (places.size() < kMaxFrames && !vm.code_cache.contains(registers.pc())) {
    NativePlace function;
    const uint64_t pc = registers.pc();
    const NativeStep how = leave_native(vm.modules, registers, exact, function);
    places.push_back(place_of(vm, pc, exact, function));
    if (how == NativeStep::kOutermost) break;
    exact = how == NativeStep::kInterrupted || how == NativeStep::kElsewhere;
    const bool in_java = vm.code_cache.contains(registers.pc());
    const bool beyond = thread.last_java_sp != 0 && registers.sp() > thread.last_java_sp;
    const bool lost = beyond || (!in_java && !exact && !is_native_code(vm.modules, registers.pc()));
    if (how != NativeStep::kLost && !lost) continue;
    places.emplace_back();
    break;
  }
  return places;
}

// Where no table tells where the function begins, its symbol is looked for at pc itself.
NativeFrame named(const Place& place, NativeNames& names) {
  NativeFrame frame{place.pc, {}, {}, {}};
  if (place.pc == 0) frame.function = kNotUnwoundText;
  const LibraryIdentity* library = library_numbered(place.function.library);
  if (place.address == 0 || library == nullptr) return frame;
  const uint64_t begin = place.function.address;
  frame.library = library->name;
  frame.function = names.name_of(library->named(place.function.library), begin);
  if (frame.function.starts_with('+')) frame.function.clear();
  if (frame.function.empty())
    frame.offset = place.address;
  else if (place.address - begin > 1)
    frame.offset = place.address - begin;
  return frame;
}

// Empty: its stack may be read.
const char* why_not_told(const DumpedThread& thread) {
  if (thread.os.pc != 0) return thread.os.cpu_ns < 0 ? "nothing shows that it stands still" : "";
  const bool runs = thread.os.state == 'R' || thread.on_cpu;
  return runs ? "it runs, or is about to" : "the system does not tell where it stands";
}

}  // namespace

void read_native_frames(const VmCode& vm, NativeNames& names, ThreadDump& dump) {
  for (DumpedThread& thread : dump.threads) {
    thread.native_why = why_not_told(thread);
    if (thread.native_why[0] != 0) continue;
    const std::vector<Place> places = walk(vm, thread);
    if (task_cpu_ns(thread.os_id) == thread.os.cpu_ns)
      for (const Place& place : places) thread.native_stack.push_back(named(place, names));
    else
      thread.native_why = "it ran while its stack was read";
  }
}

}  // namespace rec::agent
