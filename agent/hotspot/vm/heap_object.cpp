// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/heap_object.h"

#include "agent/hotspot/vm/zgc_forwarding.h"

namespace rec::agent {
namespace {

using KlassWord = Layout::Object::KlassWord;
using Reference = Layout::Object::Reference;

constexpr uint32_t kKlassOffset = 8;    // where the class word is if nobody says otherwise
constexpr int kCompactKlassShift = 42;  // markWord::klass_shift
constexpr uint64_t kForwarded = 3;      // markWord::marked_value
constexpr uint64_t kForwardedBits = 7;  // alignment of objects
constexpr unsigned kColourBits = 16;    // of a zpointer (src/hotspot/share/gc/z/zAddress.hpp)

uint64_t wide_klass(const Layout::Object& layout, uint64_t narrow) {
  return layout.narrow_klass_base + (narrow << layout.narrow_klass_shift);
}

bool is_newest(const Layout& layout, uint64_t reference) {
  return layout.zgc.bad_colours == 0 || (reference & u64_at(layout.zgc.bad_colours)) == 0;
}

// The generational ZGC's address begins right above the bit that is set, whose alignment is the zeros between; others'
// references are addresses. False: the colour cannot be told.
bool address_of(uint64_t reference, bool coloured, uint64_t& address) {
  if (!coloured || reference >> kColourBits == 0) return address = coloured ? 0 : reference, true;
  const int colour = colour_of(reference);
  if (colour < 0) return false;
  address = reference >> (kRemappedShift + 1 + static_cast<unsigned>(colour));
  return true;
}

// The older ZGC's addresses have a colour, too, and memory under each of them: one object has one address here, that with
// the colour of the moment.
uint64_t in_good_colour(const Layout::Zgc& zgc, uint64_t address) {
  if (zgc.good_colours == 0 || zgc.offset_mask == 0 || address == 0) return address;
  return (address & zgc.offset_mask) | u64_at(zgc.good_colours);
}

bool load_word(const Layout& layout, uint64_t field, bool coloured, uint64_t& to) {
  uint64_t reference = 0, address = 0;
  if (!load64(field, reference) || !address_of(reference, coloured, address)) return false;
  if (address != 0 && !is_newest(layout, reference) && !remap(layout.zgc, reference, address, coloured, address))
    return false;
  to = coloured ? address : in_good_colour(layout.zgc, address);
  return true;
}

bool load_narrow(const Layout& layout, uint64_t field, uint64_t& to) {
  uint32_t reference = 0;
  if (!load32(field, reference)) return false;
  to = reference == 0 ? 0 : layout.object.narrow_base + (uint64_t{reference} << layout.object.narrow_shift);
  return true;
}

}  // namespace

uint64_t class_word(const Layout& layout, uint64_t object, KlassWord how) {
  const uint64_t at = object + (layout.object.klass == kAbsent ? kKlassOffset : layout.object.klass);
  switch (how) {
    case KlassWord::kNarrow: return wide_klass(layout.object, u32_at(at));
    case KlassWord::kWide: return u64_at(at);
    case KlassWord::kCompact: return wide_klass(layout.object, u64_at(object) >> kCompactKlassShift);
    case KlassWord::kUnknown: break;
  }
  return 0;
}

uint64_t object_of(const Layout& layout, uint64_t address, uint64_t klass) {
  if (address == 0 || klass == 0 || (address & kForwardedBits) != 0) return 0;
  const uint64_t mark = u64_at(address);
  if ((mark & kForwarded) == kForwarded && class_word(layout, mark & ~kForwardedBits) == klass)
    return mark & ~kForwardedBits;
  return class_word(layout, address) == klass ? address : 0;
}

bool load_reference(const Layout& layout, uint64_t field, Reference how, uint64_t& to) {
  switch (how) {
    case Reference::kNarrow: return load_narrow(layout, field, to);
    case Reference::kWide: return load_word(layout, field, false, to);
    case Reference::kColoured: return load_word(layout, field, true, to);
    case Reference::kUnknown: break;
  }
  return false;
}

bool load_reference(const Layout& layout, uint64_t field, uint64_t& to) {
  return load_reference(layout, field, layout.object.reference, to);
}

// Never narrow: the word that it points to is the VM's.
bool load_handle(const Layout& layout, uint64_t handle, uint64_t& to) {
  const uint64_t word = u64_at(handle);
  if (word == 0) return false;
  return load_word(layout, word, layout.object.reference == Reference::kColoured, to);
}

// In frames, references of the generational ZGC have no colour (src/hotspot/share/gc/z/zStackWatermark.hpp).
bool load_stack_reference(const Layout& layout, uint64_t word, uint64_t& to) {
  return layout.object.reference != Reference::kColoured && load_word(layout, word, false, to);
}

}  // namespace rec::agent
