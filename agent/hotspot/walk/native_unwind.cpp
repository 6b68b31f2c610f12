// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/native_unwind.h"

#include "agent/hotspot/processor/signal_frame.h"
#include "agent/hotspot/walk/unwind_entry.h"
#include "agent/hotspot/walk/unwind_program.h"
#include "agent/hotspot/walk/unwind_row.h"

namespace rec::agent {
namespace {

Unwound unwind_by_table(const NativeModule& module, uint64_t pc, Registers& registers, UnwindEntry& entry,
                        NativeRow& word) {
  if (!find_unwind_entry(module.eh_frame_header, pc, entry)) return Unwound::kNoTable;
  UnwindRow row;
  if (!run_unwind_program(entry, pc, row)) return Unwound::kFailed;
  word = row.packed(entry, pc);
  if (row.has_no_caller()) return Unwound::kOutermost;
  if (entry.signal_frame && leave_signal_frame(registers)) return Unwound::kInterrupted;
  if (!row.apply(registers)) return Unwound::kFailed;
  return entry.signal_frame ? Unwound::kInterrupted : Unwound::kCaller;
}

Unwound unwind_by_row(NativeRow row, Registers& registers) {
  if (row.size() == 0) return Unwound::kOutermost;
  return row.apply(registers) ? Unwound::kCaller : Unwound::kFailed;
}

}  // namespace

Unwound unwind_native(const ModuleCursor& modules, Registers& registers, bool exact, NativePlace& place) {
  // A call may be a function's last instruction: its return address then lies behind the function.
  const uint64_t pc = exact ? registers.pc() : registers.pc() - 1;
  place = {};
  const NativeModule* const found = modules.find(pc);
  if (found == nullptr) return leave_signal_frame(registers) ? Unwound::kInterrupted : Unwound::kNoTable;
  const NativeModule& module = *found;
  if (module.number != 0) place = {module.number, pc - module.bias};
  NativeRows& rows = modules.rows();
  if (const NativeRow row = rows.find(pc - module.bias, module.number)) {
    place.address -= row.into();
    return unwind_by_row(row, registers);
  }
  UnwindEntry entry;
  NativeRow word;
  const Unwound how = unwind_by_table(module, pc, registers, entry, word);
  // The table of a signal's frame begins a byte before its function, since it is looked up as a caller's.
  const uint64_t begin = entry.signal_frame ? entry.begin + 1 : entry.begin;
  if (how != Unwound::kNoTable && module.number != 0) place.address = begin - module.bias;
  if (word && module.number != 0) rows.enter(pc - module.bias, module.number, word);
  return how;
}

NativePlace native_place_of(const NativeModules& modules, uint64_t pc) {
  Registers nowhere;
  nowhere[Registers::kPc] = pc;
  NativePlace place;
  unwind_native(modules, nowhere, true, place);
  return place;
}

bool unwind_native(const ModuleCursor& modules, Registers& registers, bool top) {
  NativePlace place;
  const Unwound how = unwind_native(modules, registers, top, place);
  return how == Unwound::kCaller || how == Unwound::kInterrupted;
}

}  // namespace rec::agent
