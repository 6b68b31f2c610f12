// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/caller_text.h"

#include "agent/hotspot/vm/symbols.h"

namespace rec::agent::asgst {
Copied copy_to_caller(const TextView& text, char*& to, int32_t& length) {
  const int32_t room = to == nullptr ? 0 : length;
  length = text.size;
  if (text.address == nullptr) {
    if (room > 0) to[0] = 0;
    to = nullptr;
    return Copied::kWhole;
  }
  if (to == nullptr) return Copied::kWhole;  // not wanted
  if (room <= 0) return Copied::kCut;
  const bool fits = text.size < room;
  const uint32_t size = fits ? text.size : whole_characters(text, static_cast<uint32_t>(room - 1));
  to[0] = to[size] = 0;
  if (!copy_text(text, size, to)) return to[0] = 0, Copied::kUnreadable;
  return fits ? Copied::kWhole : Copied::kCut;
}

}  // namespace rec::agent::asgst
