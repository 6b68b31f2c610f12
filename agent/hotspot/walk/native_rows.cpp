// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/native_rows.h"

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {

// What is not known is not tried: a load that fails is as dear as a hundred that do not.
bool NativeRow::apply(Registers& registers) const {
  if (by_fp() && registers.fp() == Registers::kUnknown) return false;
  const uint64_t end = (by_fp() ? registers.fp() : registers.sp()) + size();
  if (!load64(end - 8, registers[Registers::kPc])) return false;
  for (size_t i = 0; i < Registers::kKept.size(); ++i) {
    const int64_t at = saved_at(i);
    if (at != 0 && !load64(end + static_cast<uint64_t>(at), registers[Registers::kKept[i]])) return false;
  }
  registers[Registers::kSp] = end;
  return true;
}

}  // namespace rec::agent
