// SPDX-License-Identifier: Apache-2.0
// HotSpot's Symbol: a counted run of modified UTF-8 bytes. Read through safe loads only. Signal-safe.
#pragma once

#include <cstdint>
#include <cstring>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/layout.h"
#include "recorder/spool/facts.h"

namespace rec::agent {

// The text of the symbol at this address: still in the VM's memory, to be copied by copy_text(). Empty when there is no
// symbol.
inline TextView symbol_text(const Layout& layout, uint64_t symbol) {
  if (symbol == 0) return {};
  uint16_t size = 0;
  if (!load16(symbol + layout.symbol.length, size)) return {};
  return {reinterpret_cast<const char*>(symbol + layout.symbol.body), size};
}

// Copies the first `size` bytes of it. False: they cannot be read, and the rest of `to` is undefined.
inline bool copy_text(const TextView& text, uint32_t size, char* to) {
  return size == 0 || safe_copy(to, text.address, size);
}
inline bool copy_text(const TextView& text, char* to) { return copy_text(text, text.size, to); }

// How many of its first `room` bytes are whole characters. Modified UTF-8 has at most 3 bytes for one.
inline uint32_t whole_characters(const TextView& text, uint32_t room) {
  const auto at = reinterpret_cast<uint64_t>(text.address);
  uint32_t size = room;
  while (size > 0 && room - size < 3 && (u8_at(at + size) & 0xc0) == 0x80) --size;
  return size;
}

inline bool text_equals(const TextView& view, const char* text) {
  const size_t size = std::strlen(text);
  char copy[128];
  return view.address != nullptr && view.size == size && size <= sizeof copy && safe_copy(copy, view.address, size) &&
         std::memcmp(copy, text, size) == 0;
}
inline bool symbol_equals(const Layout& layout, uint64_t symbol, const char* text) {
  return text_equals(symbol_text(layout, symbol), text);
}

}  // namespace rec::agent
