// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/thread_name.h"

#include <array>

#include "agent/hotspot/vm/heap_object.h"
#include "agent/hotspot/vm/java_fields.h"
#include "agent/hotspot/vm/virtual_thread.h"

namespace rec::agent {
namespace {

constexpr size_t kMaxUnits = 256;  // of a name that are looked at: bytes, or halves of UTF-16
constexpr uint8_t kLatin1 = 0;     // String.coder
constexpr uint32_t kUnknownCharacter = '?';

// Writes whole characters as long as there is room.
class Utf8 {
 public:
  Utf8(char* to, size_t room) : begin_(to), to_(to), end_(to + room) {}
  size_t size() const { return static_cast<size_t>(to_ - begin_); }

  bool put(uint32_t c) {
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    if (end_ - to_ <= more) return false;
    constexpr uint32_t kLead[] = {0, 0xc0, 0xe0, 0xf0};
    *to_++ = static_cast<char>(kLead[more] | c >> (6 * more));
    for (int i = more - 1; i >= 0; --i) *to_++ = static_cast<char>(0x80 | (c >> (6 * i) & 0x3f));
    return true;
  }

 private:
  char* const begin_;
  char* to_;
  char* const end_;
};

bool is_high(uint32_t unit) { return unit >> 10 == 0xd800 >> 10; }
bool is_low(uint32_t unit) { return unit >> 10 == 0xdc00 >> 10; }

void put_latin1(const std::array<uint16_t, kMaxUnits>& units, size_t count, Utf8& text) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(units.data());
  for (size_t i = 0; i < count && text.put(bytes[i]); ++i) {
  }
}

void put_utf16(const std::array<uint16_t, kMaxUnits>& units, size_t count, Utf8& text) {
  for (size_t i = 0; i < count; ++i) {
    uint32_t c = units[i];
    if (is_high(c) && i + 1 < count && is_low(units[i + 1]))
      c = 0x10000 + ((c & 0x3ff) << 10 | (units[++i] & 0x3ff));
    else if (is_high(c) || is_low(c))
      c = kUnknownCharacter;
    if (!text.put(c)) return;
  }
}

size_t text_of(const Layout& layout, uint64_t string, char* to, size_t room) {
  const Layout::JavaThreadObject& part = layout.thread_object;
  std::array<uint16_t, kMaxUnits> units;
  uint64_t value = 0;
  const uint8_t coder = u8_at(string + part.coder);
  if (!load_reference(layout, string + part.value, value)) return 0;
  const uint64_t array = object_of(layout, value, part.bytes_class);
  if (array == 0 || coder > 1) return 0;
  const uint32_t size = u32_at(array + part.length);
  const size_t unit = coder == kLatin1 ? 1 : 2, count = size / unit < kMaxUnits ? size / unit : kMaxUnits;
  if (!safe_copy(units.data(), reinterpret_cast<const void*>(array + part.bytes), count * unit)) return 0;
  if (object_of(layout, array, part.bytes_class) != array || u32_at(array + part.length) != size) return 0;
  Utf8 text(to, room);
  coder == kLatin1 ? put_latin1(units, count, text) : put_utf16(units, count, text);
  return text.size();
}

// The name of the Thread with this id at this address.
size_t name_of(const Layout& layout, uint64_t thread, int64_t id, char* to, size_t room) {
  uint64_t name = 0;
  if (thread == 0 || u64_at(thread + layout.thread_object.id) != static_cast<uint64_t>(id)) return 0;
  if (!load_reference(layout, thread + layout.thread_object.name, name)) return 0;
  const uint64_t string = object_of(layout, name, layout.thread_object.string_class);
  const size_t size = string == 0 ? 0 : text_of(layout, string, to, room);
  // What was moved meanwhile may not be what was read.
  const bool stood = u64_at(thread + layout.thread_object.id) == static_cast<uint64_t>(id) &&
                     object_of(layout, string, layout.thread_object.string_class) == string;
  return stood ? size : 0;
}

}  // namespace

size_t carried_thread_name(const Layout& layout, uint64_t java_thread, int64_t id, char* to, size_t room) {
  if (!knows_thread_objects(layout)) return 0;
  bool sure = false;
  return name_of(layout, carried_thread(layout, java_thread, sure), id, to, room);
}

size_t virtual_thread_name(const Layout& layout, uint64_t thread, int64_t id, char* to, size_t room) {
  return name_of(layout, thread, id, to, room);
}

size_t own_thread_name(const Layout& layout, uint64_t java_thread, int64_t id, char* to, size_t room) {
  uint64_t thread = 0;
  if (!knows_thread_names(layout) || !load_handle(layout, java_thread + layout.thread.object, thread)) return 0;
  return name_of(layout, thread, id, to, room);
}

uint64_t own_name_reference(const Layout& layout, uint64_t java_thread) {
  uint64_t thread = 0;
  if (!knows_thread_names(layout) || !load_handle(layout, java_thread + layout.thread.object, thread)) return 0;
  return layout.object.reference == Layout::Object::Reference::kNarrow ? u32_at(thread + layout.thread_object.name)
                                                                       : u64_at(thread + layout.thread_object.name);
}

}  // namespace rec::agent
