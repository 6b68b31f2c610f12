// SPDX-License-Identifier: Apache-2.0
// Metadata says what the types of one chunk are: their fields, in the order of the wire, and what annotations make of
// these.
//
// Type ids differ in every JVM and every chunk: bind by name, with find(). Inside a chunk a type is its index in
// types(); names are views into the Metadata and live as long as it does.
//
// A type is decodable() when a value of it can be passed over in bounded steps: all its field types are declared, no
// struct holds itself, it is no deeper than kMaxStructDepth and has no more than kMaxFlatFields leaves. Events of other
// types are counted by size and never decoded.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "format/reader/cursor.h"

namespace jfr::read {

inline constexpr uint64_t kMaxMetadataSize = 32u << 20;  // a JDK's own is about 110 KB
inline constexpr uint32_t kMaxElementDepth = 16;         // of the metadata's tree; real ones have 6 levels
inline constexpr uint32_t kMaxStructDepth = 32;
inline constexpr uint32_t kMaxFlatFields = 4096;
inline constexpr uint32_t kNoType = 0xffffffff;

enum class Kind : uint8_t {
  kBoolean,
  kByte,
  kChar,
  kShort,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kString,
  kStruct,
  kUndeclared,  // the field's class has no declaration
};

// What a number stands for, out of jdk.jfr.Timestamp and jdk.jfr.Timespan.
enum class Meaning : uint8_t {
  kPlain,
  kTimestampTicks,
  kTimestampMillis,
  kTimespanTicks,
  kTimespanNanos,
  kTimespanMicros,
  kTimespanMillis,
  kTimespanSeconds,
};

struct Annotation {
  std::string_view type;
  std::vector<std::pair<std::string_view, std::string_view>> members;  // "value" or "value-0", "value-1" ...
  std::string_view first() const { return members.empty() ? std::string_view() : members.front().second; }
};

struct Field {
  std::string_view name;
  uint32_t type = kNoType;  // index of its type
  Kind kind = Kind::kUndeclared;
  Meaning meaning = Meaning::kPlain;
  bool array = false;
  bool constant = false;  // on the wire: the key of a constant of that type
  bool is_unsigned = false;
  std::vector<Annotation> annotations;
};

struct Setting {
  std::string_view name;
  std::string_view default_value;
};

struct Type {
  uint64_t id = 0;
  std::string_view name;
  std::string_view super;
  Kind kind = Kind::kStruct;
  bool event = false;
  bool simple = false;  // one field, shown as that field's value
  std::vector<Field> fields;
  std::vector<Annotation> annotations;
  std::vector<Setting> settings;

  // Index of the field, or -1.
  int field(std::string_view field_name) const;
  const Annotation* annotation(std::string_view type_name) const;

  bool decodable() const { return min_size != 0 || fields.empty(); }
  uint32_t min_size = 0;   // bytes that a value takes at least; 0: cannot be decoded, or takes none
  uint32_t only_lebs = 0;  // how many LEB128 integers a value is made of, 0 when it holds anything else
};

class Metadata {
 public:
  // Parses the metadata event at `at`. Errors carry chunk-relative offsets.
  static base::Result<Metadata> parse(std::span<const uint8_t> chunk, uint64_t at);

  Metadata() = default;  // knows no type
  Metadata(Metadata&&) = default;
  Metadata& operator=(Metadata&&) = default;

  // Oracle's JDK 9 has com.oracle.jfr.types.StackTrace and com.oracle.jdk.ThreadStart where later ones have jdk.types.StackTrace and jdk.ThreadStart:
  // these names from now on.
  void take_later_names();

  const std::vector<Type>& types() const { return types_; }
  const Type* by_id(uint64_t id) const;
  uint32_t index_of(uint64_t id) const;            // kNoType when it is not declared
  uint32_t index_of(std::string_view name) const;  // likewise
  const Type* find(std::string_view name) const;
  uint32_t string_type() const { return string_type_; }  // java.lang.String, kNoType when not declared
  int64_t utc_offset_ms() const { return utc_offset_ms_; }
  uint64_t id() const { return id_; }  // writers change it whenever the metadata changes

 private:
  struct Attribute {
    uint32_t key;
    uint32_t value;
  };
  struct Element {
    uint32_t name;
    uint32_t first_attribute;
    uint32_t attribute_count;
    uint32_t depth;
  };

  base::Status read_strings(Cursor& in);
  base::Status read_elements(Cursor& in, uint32_t depth);
  void build_types();
  void build_field(Type& type, const Element& element);
  void finish_fields();
  bool measure(uint32_t index, uint32_t depth, std::vector<uint8_t>& state, std::vector<uint32_t>& leaves);
  std::string_view text(uint32_t string) const;
  std::string_view attribute(const Element& element, std::string_view key) const;
  Annotation annotation_of(const Element& element) const;

  std::vector<char> characters_;  // a vector and not a string: moving it never moves the characters
  std::vector<uint32_t> string_ends_;
  std::vector<Attribute> attributes_;
  std::vector<Element> elements_;
  std::vector<Type> types_;
  std::vector<uint32_t> small_ids_;  // id -> index for ids below kSmallIds
  std::unordered_map<uint64_t, uint32_t> large_ids_;
  uint32_t string_type_ = kNoType;
  int64_t utc_offset_ms_ = 0;
  uint64_t id_ = 0;
};

}  // namespace jfr::read
