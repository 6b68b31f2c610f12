// SPDX-License-Identifier: Apache-2.0
// KnownNames are the symbols and methods of a chunk that a lexicon has. They are not taken apart: of each constant
// stands which one of the lexicon it is, and of what is known to both sides the rest follows.
//
//   symbol 17 "run"                  -> lexicon's symbol 4: its text
//   method 9 { class 3, 17, ... }    -> lexicon's method 2: class and names by the keys that they have in this chunk
//   frame { method 9, line 5 }       -> StackModel knows the lexicon's frames, and what came behind them
//
// What does not come out of the lexicon to the bit is no known name.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "format/archive/lexicon.h"
#include "format/archive/name_columns.h"

namespace jfr::archive {

// Columns of numbers: one value if a lexicon is used; then for each symbol and each method in the order of the pools 0,
// or zigzag of (its number - the number of the known one before - 1), + 1.
struct NameStreams {
  explicit NameStreams(Streams& streams)
      : used(streams.add_numbers()), symbols(streams.add_numbers()), methods(streams.add_numbers()) {}
  uint32_t used, symbols, methods;
};

class KnownNames {
 public:
  // Who packs: of a chunk that has been taken apart without a lexicon.
  KnownNames(std::shared_ptr<const Lexicon> lexicon, NameColumns columns, const ChunkNames& names);
  void write(const NameStreams& own, Streams& streams) const;

  // Who unpacks, and has learn_methods() called then. Nothing for streams that write() did not fill.
  static std::optional<KnownNames> read(std::shared_ptr<const Lexicon> lexicon, NameColumns columns,
                                        const NameStreams& own, const Streams& streams);

  // The same of a chunk that may use none: null is a lexicon, then, that has nothing.
  static std::optional<KnownNames> of_chunk(std::shared_ptr<const Lexicon> lexicon, const NameColumns& columns,
                                            const NameStreams& own, const Streams& streams);
  // What is known, and what stands in the columns, in the order of the pools. Views of both. Nothing: these are none that a
  // chunk has been taken apart into.
  std::optional<ChunkNames> all_names(const Streams& streams) const;

  // Of all methods, how many the lexicon has.
  double known_methods() const;
  // What the key of a method most likely is, by its place in the pools; nothing for one that is not known.
  std::optional<uint64_t> key_guess(size_t method) const;
  // All keys of methods of the chunk. False: they are more or less than there are methods.
  bool learn_methods(const std::vector<uint64_t>& keys);

  // Of native functions: a column of these (known_addresses.h) to what is told of it, and back.
  bool code_addresses(const AddressColumns& columns, Streams& streams) const;
  bool restore_addresses(const AddressColumns& columns, Streams& streams) const;

  // Before the first stack.
  void prime(StackModel& stacks) const;

  // The value of the next constant of that type as it stands on the wire, valid until the next call. Empty: it is not
  // known.
  std::span<const uint8_t> next(uint32_t type);

 private:
  using Numbers = std::vector<uint32_t>;  // by constant; kUnnamed: not known
  KnownNames(std::shared_ptr<const Lexicon> lexicon, NameColumns columns);
  void learn_symbols(const std::vector<uint64_t>& keys);
  void learn_classes(const std::vector<uint64_t>& keys, const std::vector<uint64_t>& names);
  uint32_t find_method(const ChunkNames& names, size_t at) const;
  bool knows_parts_of(const LexiconMethod& method) const;
  uint64_t field_of(const LexiconMethod& method, size_t field) const;
  std::vector<WireText> all_symbols(std::span<const WireText> others) const;
  std::vector<uint64_t> all_of_field(size_t field, std::span<const uint64_t> others) const;

  std::shared_ptr<const Lexicon> lexicon_;
  NameColumns columns_;
  Numbers symbols_, methods_;
  size_t next_symbol_ = 0, next_method_ = 0;
  read::KeyTable<uint32_t> symbol_of_key_, symbol_of_class_;                  // by keys of the chunk
  read::KeyTable<uint64_t> key_of_symbol_, class_of_symbol_, key_of_method_;  // by number in the lexicon
  read::KeyTable<uint32_t> method_of_key_;                                    // those that are known
  std::vector<uint8_t> wire_;
};

}  // namespace jfr::archive
