// SPDX-License-Identifier: Apache-2.0
// What a fact's `check` is made of: all that is constant in it once it is published, its tail too. A spool may be cut,
// zeroed or changed after its process died; a fact whose check does not match is not believed. CRC-32C, computed once for
// a fact; for stacks it comes with the hash that they are found by. Allocates nothing, takes no lock.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/crc32c.h"
#include "recorder/spool/fact_records.h"
#include "recorder/spool/stack_hash.h"

namespace rec {

inline uint32_t stack_check(uint64_t hash, uint64_t id) {
  const uint64_t mixed = (hash ^ (id + 1) * 0xC2B2AE3D27D4EB4Fu) * 0x9E3779B97F4A7C15u;
  return static_cast<uint32_t>(mixed >> 32);
}

template <size_t count>
uint32_t check_of(const std::array<uint64_t, count>& words, const char* tail, size_t tail_bytes) {
  base::Crc32c sum;
  sum.add({reinterpret_cast<const uint8_t*>(words.data()), sizeof words});
  sum.add({reinterpret_cast<const uint8_t*>(tail), tail_bytes});
  return sum.value();
}

template <typename Fact>
size_t texts_bytes(const Fact& fact) {
  size_t bytes = 0;
  for (const auto size : fact.text_sizes) bytes += size;
  return bytes;
}
// As it lies there: of a damaged fact it may be no bool.
inline uint64_t byte_of(const bool& flag) { return reinterpret_cast<const uint8_t&>(flag); }
// Sizes of texts as one word: at most four of 16 bits, or one of 32.
template <typename Fact>
uint64_t texts_word(const Fact& fact) {
  uint64_t word = 0;
  for (const auto size : fact.text_sizes) word = word << 16 | size;
  return word;
}

inline uint32_t fact_check(LoaderFact& fact) {
  return check_of<3>({fact.id, fact.type.unit, texts_word(fact)}, fact.tail(), texts_bytes(fact));
}
inline uint32_t fact_check(ClassFact& fact) {
  const uint64_t shape = fact.modifiers | uint64_t{fact.method_count} << 32 | byte_of(fact.hidden) << 48;
  return check_of<4>({fact.id, fact.loader.unit, shape, texts_word(fact)}, fact.tail() + fact.fixed_tail_bytes(),
                     texts_bytes(fact));
}
inline uint32_t fact_check(MethodFact& fact) {
  const uint64_t shape = fact.modifiers | uint64_t{fact.idnum} << 32 | byte_of(fact.hidden) << 48;
  const uint64_t refs = fact.holder.unit | uint64_t{fact.lines_size} << 32;
  return check_of<6>({fact.version.const_method, fact.version.constants, fact.version.line_table_head, shape, refs,
                      texts_word(fact) << 32 | fact.version.code_size},
                     fact.tail(), texts_bytes(fact) + fact.lines_size);
}
inline uint32_t fact_check(ThreadFact& fact) {
  return check_of<5>({fact.id, static_cast<uint64_t>(fact.os_thread_id), static_cast<uint64_t>(fact.java_thread_id),
                      byte_of(fact.is_virtual), texts_word(fact)},
                     fact.tail(), texts_bytes(fact));
}
inline uint32_t fact_check(EncodedFact& fact) {
  const uint64_t shape = fact.type | byte_of(fact.has_duration) << 32 | byte_of(fact.has_thread) << 40 |
                         byte_of(fact.has_stack) << 48 | byte_of(fact.has_parts) << 56;
  return check_of<2>({shape, texts_word(fact)}, fact.tail(), texts_bytes(fact));
}
inline uint32_t fact_check(DetailFact& fact) {
  const DetailShape& shape = fact.shape;
  std::array<uint64_t, 2 + std::tuple_size_v<decltype(shape.numbers)>> words{
      shape.klass.unit | uint64_t{shape.thread.unit} << 32, shape.stack.unit};
  std::copy(shape.numbers.begin(), shape.numbers.end(), words.begin() + 2);
  return check_of(words, nullptr, 0);
}
inline uint32_t fact_check(StackFact& fact) {
  const bool truncated = byte_of(fact.truncated) != 0;
  return stack_check(stack_hash(hashed({fact.frames(), fact.count}), truncated), fact.id);
}

template <typename Fact>
bool is_intact(Fact& fact) {
  return fact.check == fact_check(fact);
}

}  // namespace rec
