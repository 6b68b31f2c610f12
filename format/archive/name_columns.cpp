// SPDX-License-Identifier: Apache-2.0
#include "format/archive/name_columns.h"

#include <algorithm>

#include "format/archive/record_code.h"

namespace jfr::archive {
namespace {

using read::Type;

// A type of constants whose fields have a step each; kNoType: there is none.
uint32_t plain_type(const read::Metadata& metadata, const Shapes& shapes, std::string_view name) {
  const std::vector<Type>& types = metadata.types();
  const auto found = std::ranges::find_if(types, [&](const Type& type) { return type.name == name && !type.event; });
  const auto index = static_cast<uint32_t>(found - types.begin());
  if (found == types.end() || !shapes.constant(index).known) return read::kNoType;
  return shapes.constant(index).steps.size() == found->fields.size() ? index : read::kNoType;
}

// The place of a field that is the key of a constant.
std::optional<size_t> key_field(const Type& type, std::string_view name) {
  const int field = type.field(name);
  if (field < 0 || !type.fields[static_cast<size_t>(field)].constant || type.fields[static_cast<size_t>(field)].array)
    return std::nullopt;
  return static_cast<size_t>(field);
}

bool is_plain(const Step& step) { return step.kind == Step::Kind::kLeb || step.kind == Step::Kind::kByte; }

// Takes the texts of one column from its four streams.
class TextReader {
 public:
  TextReader(const Step& step, const Streams& streams)
      : lengths_(streams.all(step.numbers + 2)), bytes_(streams.all_bytes(step.bytes)) {}

  bool next(uint8_t coding, WireText& text) {
    const auto kind = static_cast<TextCoding>(coding);
    text = {coding, {}};
    if (kind != TextCoding::kUtf8 && kind != TextCoding::kLatin1 && kind != TextCoding::kChars) return true;
    if (at_ == lengths_.size()) return false;
    const uint64_t length = lengths_[at_++];
    if (kind == TextCoding::kChars) return true;
    if (length > bytes_.size()) return false;
    text.text = {reinterpret_cast<const char*>(bytes_.data()), length};
    bytes_ = bytes_.subspan(length);
    return true;
  }

 private:
  const std::vector<uint64_t> lengths_;
  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
};

}  // namespace

std::optional<NameColumns> NameColumns::of(const read::Metadata& metadata, const Shapes& shapes) {
  NameColumns columns;
  const uint32_t klass = plain_type(metadata, shapes, "java.lang.Class");
  columns.symbol_type = plain_type(metadata, shapes, "jdk.types.Symbol");
  columns.method_type = plain_type(metadata, shapes, "jdk.types.Method");
  for (const uint32_t type : {klass, columns.symbol_type, columns.method_type})
    if (type == read::kNoType) return std::nullopt;
  const std::vector<Step>& symbol = shapes.constant(columns.symbol_type).steps;
  if (symbol.size() != 1 || symbol[0].kind != Step::Kind::kText) return std::nullopt;
  columns.symbol_text = symbol[0];
  const auto class_name = key_field(metadata.types()[klass], "name");
  const Type& method = metadata.types()[columns.method_type];
  const auto owner = key_field(method, "type"), name = key_field(method, "name"),
             descriptor = key_field(method, "descriptor");
  const std::vector<Step>& steps = shapes.constant(columns.method_type).steps;
  if (!class_name || !owner || !name || !descriptor || !std::ranges::all_of(steps, is_plain)) return std::nullopt;
  columns.class_name = shapes.constant(klass).steps[*class_name].numbers;
  for (const Step& step : steps) columns.method_fields.push_back({step.numbers, step.kind == Step::Kind::kByte});
  columns.klass = *owner;
  columns.name = *name;
  columns.descriptor = *descriptor;
  columns.symbol_keys = shapes.keys(columns.symbol_type);
  columns.class_keys = shapes.keys(klass);
  columns.method_keys = shapes.keys(columns.method_type);
  return columns;
}

bool ChunkNames::take(const NameColumns& columns, const Streams& streams) {
  symbol_keys = streams.all(columns.symbol_keys);
  class_keys = streams.all(columns.class_keys);
  class_names = streams.all(columns.class_name);
  method_keys = streams.all(columns.method_keys);
  for (const NameColumns::Field& field : columns.method_fields) method_fields.push_back(streams.all(field.stream));
  const std::vector<uint64_t> codings = streams.all(columns.symbol_text.numbers);
  TextReader texts(columns.symbol_text, streams);
  for (const uint64_t coding : codings)
    if (!texts.next(static_cast<uint8_t>(coding), symbols.emplace_back())) return false;
  return true;
}

bool ChunkNames::are_whole() const {
  return symbols.size() == symbol_keys.size() && class_names.size() == class_keys.size() &&
         std::ranges::all_of(method_fields, [&](const auto& field) { return field.size() == method_keys.size(); });
}

}  // namespace jfr::archive
