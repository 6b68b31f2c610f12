// SPDX-License-Identifier: Apache-2.0
// A Lexicon is what base chunks name: symbols, methods, frames of stacks, and which frame came behind which.
//
// Chunks of the same program name nearly the same things, but by other keys and in another order, where a compressor
// that looks for equal bytes finds little. They are packed with numbers of a lexicon (known_names.h), that is not kept:
// whoever packs or unpacks reads it from the columns of the base.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/archive/known_addresses.h"
#include "format/archive/name_columns.h"
#include "format/archive/stack_model.h"
#include "format/reader/key_table.h"

namespace jfr::archive {

class KnownNames;

inline constexpr uint32_t kUnnamed = ~0u;

// Symbols by number in the lexicon.
struct LexiconMethod {
  static constexpr size_t kMostOthers = 4;
  uint32_t klass = kUnnamed, name = kUnnamed, descriptor = kUnnamed;
  std::array<uint64_t, kMostOthers> others{};  // its other fields
  friend bool operator==(const LexiconMethod&, const LexiconMethod&) = default;
};

struct LexiconFrame {
  uint32_t method = kUnnamed;  // by number in the lexicon
  StackFrame frame{};          // but for its method
};

class Lexicon {
 public:
  // base: of a chunk; metadata: what its columns are read by; values: the most that it may have; before: of the bases
  // that it is packed with, null for none. What is new comes behind what they have. Null: it has none. learned: by who
  // has decoded the base's stacks, or null.
  static std::shared_ptr<const Lexicon> of(const Blocks& base, const read::Metadata& metadata, uint64_t values,
                                           std::shared_ptr<const Lexicon> before = nullptr,
                                           const LearnedStacks* learned = nullptr);

  const std::vector<WireText>& symbols() const { return symbols_; }
  const std::vector<LexiconMethod>& methods() const { return methods_; }
  // The low half of a method's key in the base.
  uint16_t number_in_class(uint32_t method) const { return numbers_in_class_[method]; }
  // Frames are numbered from 1; 0 stands above all roots.
  const std::vector<LexiconFrame>& frames() const { return frames_; }
  const CallMemory& calls() const { return calls_; }
  const KnownAddresses& addresses() const { return addresses_; }

  // Their numbers; kUnnamed: not there.
  uint32_t find(const WireText& symbol) const;
  uint32_t find(const LexiconMethod& method) const;

 private:
  struct FrameHash {
    size_t operator()(const StackFrame& frame) const {
      return by_key(frame[0] * 0x9E3779B97F4A7C15u + (frame[1] << 32 | frame[2])) ^ frame[3];
    }
    read::KeyHash by_key;
  };
  struct TextHash {
    size_t operator()(const WireText& text) const;
  };
  struct MethodHash {
    size_t operator()(const LexiconMethod& method) const {
      return by_key((uint64_t{method.klass} << 32 | method.name) * 0x9E3779B97F4A7C15u + method.descriptor);
    }
    read::KeyHash by_key;
  };

  bool read(const Blocks& base, const read::Metadata& metadata, uint64_t values, const LearnedStacks* learned);
  bool read_names(const NameColumns& columns, const KnownNames& known, const Streams& streams);
  bool read_addresses(const std::optional<AddressColumns>& columns, const KnownNames* known, Streams& streams);
  bool read_stacks(const KnownNames& known, StackModel& stacks, uint64_t most);
  void begin_with(std::shared_ptr<const Lexicon> before);
  void add_symbols(const ChunkNames& names);
  void add_methods(const NameColumns& columns, const ChunkNames& names);
  void add_addresses(const std::vector<uint64_t>& methods, const std::vector<uint64_t>& addresses);
  static bool learn(StackModel& stacks, uint64_t most);
  void add_frames(const LearnedStacks& stacks);
  void add_new_frames(const LearnedStacks& stacks);
  LexiconFrame frame_of(const StackFrame& fields) const;

  std::shared_ptr<const Lexicon> before_;  // has the texts of the first symbols; null: none
  std::vector<uint8_t> text_;              // of the others
  std::vector<WireText> symbols_;
  std::vector<LexiconMethod> methods_;
  std::vector<uint16_t> numbers_in_class_;
  std::vector<LexiconFrame> frames_;
  CallMemory calls_;
  KnownAddresses addresses_;
  read::KeyTable<uint32_t> methods_by_key_;  // by the keys of the base that is read
  read::KeyTable<uint32_t, WireText, TextHash> symbol_numbers_;
  read::KeyTable<uint32_t, LexiconMethod, MethodHash> method_numbers_;
};

// Where the base's lexicon is had from, when it is needed. Null: there is none.
using LexiconSource = std::function<std::shared_ptr<const Lexicon>()>;

// A method out of the fields of its constant: symbols are given, the others copied. Nothing when it has too many.
bool take_others(const NameColumns& columns, const std::vector<std::vector<uint64_t>>& fields, size_t at,
                 LexiconMethod& method);

}  // namespace jfr::archive
