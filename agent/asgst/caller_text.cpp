// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/caller_text.h"

#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent::asgst {
namespace {

bool continues_character(uint8_t byte) { return (byte & 0xc0) == 0x80; }

// How many of the text's first `room` bytes are whole characters. Modified UTF-8 has at most 3 bytes for one.
uint32_t whole_characters(uint64_t text, uint32_t room) {
  uint32_t size = room;
  while (size > 0 && room - size < 3 && continues_character(u8_at(text + size))) --size;
  return size;
}

}  // namespace

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
  const uint32_t size =
      fits ? text.size : whole_characters(reinterpret_cast<uint64_t>(text.address), static_cast<uint32_t>(room - 1));
  to[0] = to[size] = 0;
  if (!safe_copy(to, text.address, size)) return to[0] = 0, Copied::kUnreadable;
  return fits ? Copied::kWhole : Copied::kCut;
}

}  // namespace rec::agent::asgst
