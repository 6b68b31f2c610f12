// SPDX-License-Identifier: Apache-2.0
// Where a chunk's columns have the names of its code: the constants of symbols, classes and methods.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "format/archive/shape.h"

namespace jfr::archive {

class NameColumns {
 public:
  // A field of a method: an integer, or a byte.
  struct Field {
    uint32_t stream = 0;
    bool byte = false;
  };

  // Nothing for types that say it in another way.
  static std::optional<NameColumns> of(const read::Metadata& metadata, const Shapes& shapes);

  uint32_t symbol_type = 0, method_type = 0;  // by index in types()
  uint32_t symbol_keys = 0, class_keys = 0, method_keys = 0;
  Step symbol_text;
  uint32_t class_name = 0;  // key of a symbol
  std::vector<Field> method_fields;
  size_t klass = 0, name = 0, descriptor = 0;  // of these: keys of a class and of two symbols
};

// A string as it stands on the wire.
struct WireText {
  uint8_t coding = 0;
  std::string_view text;  // of UTF-8 and Latin-1; nothing is known of others
  friend bool operator==(const WireText&, const WireText&) = default;
};

// The names of one chunk, in the order of its pools. Views of the streams.
struct ChunkNames {
  std::vector<uint64_t> symbol_keys, class_keys, class_names, method_keys;
  std::vector<WireText> symbols;                     // one for each key
  std::vector<std::vector<uint64_t>> method_fields;  // by field: one for each key

  // All of them stand in the columns. False: these are none that a chunk has been taken apart into.
  bool read(const NameColumns& columns, const Streams& streams) { return take(columns, streams) && are_whole(); }
  // Those that do; false: texts are cut off.
  bool take(const NameColumns& columns, const Streams& streams);
  // Each key has a name and all fields.
  bool are_whole() const;
};

}  // namespace jfr::archive
