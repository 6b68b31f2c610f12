// SPDX-License-Identifier: Apache-2.0
#include "format/reader/metadata.h"

#include <algorithm>
#include <charconv>

#include "format/header_layout.h"
#include "format/reader/values.h"
#include "format/reader/wire_string.h"

namespace jfr::read {

using base::corrupt;
using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

constexpr uint64_t kSmallIds = 1 << 16;

// Elements of the tree by depth: root 0, metadata and region 1, class 2, field 3 (or a class' setting, annotation), a
// field's annotation 4.
constexpr uint32_t kRegionDepth = 1;
constexpr uint32_t kClassDepth = 2;
constexpr uint32_t kMemberDepth = 3;
constexpr uint32_t kFieldAnnotationDepth = 4;

template <typename Number>
bool parse_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

Kind primitive_kind(std::string_view name) {
  static constexpr std::pair<std::string_view, Kind> kPrimitives[] = {
      {"boolean", Kind::kBoolean}, {"byte", Kind::kByte},     {"char", Kind::kChar},
      {"short", Kind::kShort},     {"int", Kind::kInt},       {"long", Kind::kLong},
      {"float", Kind::kFloat},     {"double", Kind::kDouble}, {"java.lang.String", Kind::kString},
  };
  for (const auto& [primitive, kind] : kPrimitives)
    if (name == primitive) return kind;
  return Kind::kStruct;
}

bool is_leb(Kind kind) {
  return kind == Kind::kChar || kind == Kind::kShort || kind == Kind::kInt || kind == Kind::kLong;
}

uint32_t primitive_size(Kind kind) { return kind == Kind::kFloat ? 4 : kind == Kind::kDouble ? 8 : 1; }

Meaning timestamp_meaning(std::string_view unit) {
  return unit == "TICKS"                      ? Meaning::kTimestampTicks
         : unit == "MILLISECONDS_SINCE_EPOCH" ? Meaning::kTimestampMillis
                                              : Meaning::kPlain;
}

Meaning timespan_meaning(std::string_view unit) {
  if (unit == "TICKS") return Meaning::kTimespanTicks;
  if (unit == "MICROSECONDS") return Meaning::kTimespanMicros;
  if (unit == "MILLISECONDS") return Meaning::kTimespanMillis;
  if (unit == "SECONDS") return Meaning::kTimespanSeconds;
  return unit == "NANOSECONDS" ? Meaning::kTimespanNanos : Meaning::kPlain;
}

void apply(const Annotation& annotation, Field& field) {
  if (annotation.type == "jdk.jfr.Timestamp")
    field.meaning = timestamp_meaning(annotation.first());
  else if (annotation.type == "jdk.jfr.Timespan")
    field.meaning = timespan_meaning(annotation.first());
  else if (annotation.type == "jdk.jfr.Unsigned")
    field.is_unsigned = true;
}

}  // namespace

int Type::field(std::string_view field_name) const {
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == field_name) return static_cast<int>(i);
  return -1;
}

const Annotation* Type::annotation(std::string_view type_name) const {
  for (const Annotation& annotation : annotations)
    if (annotation.type == type_name) return &annotation;
  return nullptr;
}

Result<Metadata> Metadata::parse(std::span<const uint8_t> chunk, uint64_t at) {
  Cursor head(chunk, at);
  const uint64_t size = head.leb();
  if (!head.ok() || size == 0 || size > chunk.size() - at)
    return corrupt(at, "metadata event does not fit into the chunk");
  if (size > kMaxMetadataSize)
    return Error{ErrorCode::kLimit, at, "metadata event of " + std::to_string(size) + " bytes is too large"};
  Cursor in(chunk, head.at(), at + size);
  if (in.leb() != kMetadataType) return corrupt(at, "expected the metadata event");
  in.skip_lebs(2);  // start, duration
  Metadata metadata;
  metadata.id_ = in.leb();
  if (const Status strings = metadata.read_strings(in); !strings) return strings.error();
  if (const Status elements = metadata.read_elements(in, 0); !elements) return elements.error();
  metadata.build_types();
  return metadata;
}

Status Metadata::read_strings(Cursor& in) {
  const uint64_t count = in.leb();
  if (count > in.remaining()) return corrupt(in.at(), "metadata claims " + std::to_string(count) + " strings");
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = in.at();
    const WireString string = read_wire_string(in);
    if (!in.ok() || string.form == StringForm::kConstant) return corrupt(at, "metadata holds a broken string");
    append_text(string, characters_);
    string_ends_.push_back(static_cast<uint32_t>(characters_.size()));
  }
  return Done{};
}

Status Metadata::read_elements(Cursor& in, uint32_t depth) {
  const uint64_t at = in.at();
  if (depth > kMaxElementDepth) return Error{ErrorCode::kLimit, at, "metadata elements are nested too deeply"};
  Element element{static_cast<uint32_t>(in.leb()), static_cast<uint32_t>(attributes_.size()), 0, depth};
  for (uint64_t left = in.leb(); left > 0 && in.ok(); --left) {
    const auto key = static_cast<uint32_t>(in.leb());
    const auto value = static_cast<uint32_t>(in.leb());
    attributes_.push_back({key, value});
    ++element.attribute_count;
  }
  elements_.push_back(element);
  for (uint64_t left = in.leb(); left > 0 && in.ok(); --left)
    if (const Status child = read_elements(in, depth + 1); !child) return child.error();
  if (!in.ok()) return corrupt(at, "metadata element is cut short");
  return Done{};
}

std::string_view Metadata::text(uint32_t string) const {
  if (string >= string_ends_.size()) return {};
  const uint32_t begin = string == 0 ? 0 : string_ends_[string - 1];
  return {characters_.data() + begin, string_ends_[string] - begin};
}

std::string_view Metadata::attribute(const Element& element, std::string_view key) const {
  for (uint32_t i = 0; i < element.attribute_count; ++i) {
    const Attribute& attribute = attributes_[element.first_attribute + i];
    if (text(attribute.key) == key) return text(attribute.value);
  }
  return {};
}

void Metadata::build_types() {
  small_ids_.assign(1, kNoType);
  for (const Element& element : elements_) {
    if (element.depth == kRegionDepth && text(element.name) == "region") {
      int64_t offset = 0, summer = 0;
      parse_number(attribute(element, "gmtOffset"), offset);
      parse_number(attribute(element, "dst"), summer);
      utc_offset_ms_ = static_cast<int64_t>(static_cast<uint64_t>(offset) + static_cast<uint64_t>(summer));
    }
    if (element.depth != kClassDepth || text(element.name) != "class") continue;
    Type type;
    if (!parse_number(attribute(element, "id"), type.id) || index_of(type.id) != kNoType) type.id = ~uint64_t{0};
    type.name = attribute(element, "name");
    type.super = attribute(element, "superType");
    type.simple = attribute(element, "simpleType") == "true";
    type.event = type.super == "jdk.jfr.Event";
    const auto index = static_cast<uint32_t>(types_.size());
    if (type.id < kSmallIds) {
      if (type.id >= small_ids_.size()) small_ids_.resize(type.id + 1, kNoType);
      small_ids_[type.id] = index;
    } else {
      large_ids_.emplace(type.id, index);
    }
    types_.push_back(std::move(type));
  }
  Type* current = nullptr;
  bool in_field = false;
  size_t next = 0;
  for (const Element& element : elements_) {
    const std::string_view name = text(element.name);
    if (element.depth == kClassDepth) current = name == "class" ? &types_[next++] : nullptr;
    if (current == nullptr) continue;
    if (element.depth == kMemberDepth) in_field = name == "field";
    if (element.depth == kMemberDepth && in_field) build_field(*current, element);
    if (element.depth == kMemberDepth && name == "annotation") current->annotations.push_back(annotation_of(element));
    if (element.depth == kMemberDepth && name == "setting")
      current->settings.push_back({attribute(element, "name"), attribute(element, "defaultValue")});
    if (element.depth == kFieldAnnotationDepth && name == "annotation" && in_field) {
      current->fields.back().annotations.push_back(annotation_of(element));
      apply(current->fields.back().annotations.back(), current->fields.back());
    }
  }
  finish_fields();
}

void Metadata::build_field(Type& type, const Element& element) {
  Field field;
  field.name = attribute(element, "name");
  uint64_t id = 0;
  if (parse_number(attribute(element, "class"), id)) field.type = index_of(id);
  field.array = attribute(element, "dimension") == "1";
  for (uint32_t i = 0; i < element.attribute_count; ++i)
    if (text(attributes_[element.first_attribute + i].key) == "constantPool")
      field.constant = true;  // present is enough
  type.fields.push_back(std::move(field));
}

Annotation Metadata::annotation_of(const Element& element) const {
  Annotation annotation;
  for (uint32_t i = 0; i < element.attribute_count; ++i) {
    const Attribute& attribute = attributes_[element.first_attribute + i];
    if (text(attribute.key) != "class") {
      annotation.members.emplace_back(text(attribute.key), text(attribute.value));
      continue;
    }
    uint64_t id = 0;
    if (!parse_number(text(attribute.value), id)) continue;
    if (const Type* type = by_id(id)) annotation.type = type->name;
  }
  return annotation;
}

void Metadata::finish_fields() {
  for (Type& type : types_)
    if (type.fields.empty() && !type.event) type.kind = primitive_kind(type.name);
  for (Type& type : types_)
    for (Field& field : type.fields) {
      if (field.type != kNoType) field.kind = types_[field.type].kind;
      if (is_real(field.kind)) field.meaning = Meaning::kPlain;  // times are integers: the JDK's readers refuse others
    }
  std::vector<uint8_t> state(types_.size());
  std::vector<uint32_t> leaves(types_.size());
  for (uint32_t i = 0; i < types_.size(); ++i) measure(i, 0, state, leaves);
  const Type* string = find("java.lang.String");
  if (string != nullptr) string_type_ = static_cast<uint32_t>(string - types_.data());
  elements_ = {};
  attributes_ = {};
}

// Fills in min_size and only_lebs of a type and of those it holds. False when it cannot be decoded. state: 0 new, 1
// being measured, 2 done and good, 3 done and bad.
bool Metadata::measure(uint32_t index, uint32_t depth, std::vector<uint8_t>& state, std::vector<uint32_t>& leaves) {
  if (state[index] != 0) return state[index] == 2;
  if (depth > kMaxStructDepth) return false;  // stays new: a shorter way may lead here
  state[index] = 1;
  Type& type = types_[index];
  uint64_t size = 0, count = 0, lebs = 0;
  bool good = true, pure = true;
  if (type.kind != Kind::kStruct) {
    size = primitive_size(type.kind);
    count = 1;
    lebs = is_leb(type.kind) ? 1 : 0;
    pure = lebs == 1;
  }
  for (const Field& field : type.fields) {
    if (field.kind == Kind::kUndeclared) good = false;
    if (!good) break;
    if (field.constant && !field.array) {
      size += 1, count += 1, lebs += 1;
      continue;
    }
    if (!field.constant) {
      good = measure(field.type, depth + 1, state, leaves);
      // Values without bytes would let a few bytes claim any number of them.
      if (good && field.array && types_[field.type].min_size == 0) good = false;
      if (!good) break;
    }
    if (field.array) {
      size += 1, count += 1, pure = false;
    } else {
      size += types_[field.type].min_size;
      count += leaves[field.type];
      lebs += types_[field.type].only_lebs;
      pure = pure && types_[field.type].only_lebs != 0;
    }
  }
  if (count > kMaxFlatFields) good = false;
  type.min_size = good ? static_cast<uint32_t>(size) : 0;
  type.only_lebs = good && pure ? static_cast<uint32_t>(lebs) : 0;
  leaves[index] = static_cast<uint32_t>(count);
  state[index] = good ? 2 : 3;
  return good;
}

// The later name is shorter: it takes the last characters of the old one.
void Metadata::take_later_names() {
  constexpr struct {
    std::string_view old, later;
  } kNames[] = {{"com.oracle.jfr.types.", "jdk.types."}, {"com.oracle.jdk.", "jdk."}};
  for (Type& type : types_)
    for (const auto& [old, later] : kNames) {
      if (!type.name.starts_with(old)) continue;
      type.name.remove_prefix(old.size() - later.size());
      std::ranges::copy(later, characters_.begin() + (type.name.data() - characters_.data()));
    }
}

uint32_t Metadata::index_of(std::string_view name) const {
  const Type* type = find(name);
  return type == nullptr ? kNoType : static_cast<uint32_t>(type - types_.data());
}

uint32_t Metadata::index_of(uint64_t id) const {
  if (id < small_ids_.size()) return small_ids_[id];
  if (id < kSmallIds) return kNoType;
  const auto found = large_ids_.find(id);
  return found == large_ids_.end() ? kNoType : found->second;
}

const Type* Metadata::by_id(uint64_t id) const {
  const uint32_t index = index_of(id);
  return index == kNoType ? nullptr : &types_[index];
}

const Type* Metadata::find(std::string_view name) const {
  for (const Type& type : types_)
    if (type.name == name) return &type;
  return nullptr;
}

}  // namespace jfr::read
