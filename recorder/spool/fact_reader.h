// SPDX-License-Identifier: Apache-2.0
// FactReader looks up records in an epoch's arena and checks that they lie inside it: the same code reads the spool of
// a dead process. Null: the Ref is empty or the record does not fit. Recorder thread only.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <string_view>

#include "recorder/spool/arena.h"
#include "recorder/spool/fact_records.h"

namespace rec {

class FactReader {
 public:
  explicit FactReader(const Arena& arena) : arena_(arena), units_(arena.used_units()) {}

  template <typename Fact>
  Fact* get(Ref<Fact> ref) const {
    if (!ref || !inside(ref.unit, sizeof(Fact))) return nullptr;
    Fact& fact = arena_.fact(ref);
    return inside(ref.unit, sizeof(Fact) + tail_bytes(fact)) ? &fact : nullptr;
  }

  // The n-th text of a record that get() gave.
  template <typename Fact>
  static std::string_view text(Fact& fact, size_t n) {
    assert(n < fact.text_sizes.size() && "fact_records.h says how many texts a record has");
    const char* at = fact.tail() + fact.fixed_tail_bytes();
    for (size_t i = 0; i < n; ++i) at += fact.text_sizes[i];
    return {at, fact.text_sizes[n]};
  }
  // Of a class that stands for a library (LibraryShape). Zeros: not known.
  static LoadPlace place(ClassFact& library) {
    LoadPlace place;
    const std::string_view bytes = text(library, 1);
    if (bytes.size() == sizeof place) std::memcpy(&place, bytes.data(), sizeof place);
    return place;
  }
  static std::span<const uint8_t> line_table(MethodFact& fact) {
    const std::string_view descriptor = text(fact, 1);
    return {reinterpret_cast<const uint8_t*>(descriptor.data() + descriptor.size()), fact.lines_size};
  }
  static std::span<const Frame> frames(StackFact& fact) { return {fact.frames(), fact.count}; }

 private:
  bool inside(uint32_t unit, size_t bytes) const {
    return unit < units_ && bytes <= size_t{units_ - unit} * kUnitBytes;
  }
  template <typename Fact>
  static size_t tail_bytes(Fact& fact) {
    size_t bytes = fact.fixed_tail_bytes();
    for (const auto size : fact.text_sizes) bytes += size;
    return bytes;
  }
  static size_t tail_bytes(MethodFact& fact) {
    return size_t{fact.text_sizes[0]} + fact.text_sizes[1] + fact.lines_size;
  }
  static size_t tail_bytes(DetailFact&) { return 0; }
  static size_t tail_bytes(StackFact& fact) { return size_t{fact.count} * sizeof(Frame); }

  Arena arena_;
  uint32_t units_;
};

}  // namespace rec
