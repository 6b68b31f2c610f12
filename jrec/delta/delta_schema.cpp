// SPDX-License-Identifier: Apache-2.0
#include "jrec/delta/delta_schema.h"

#include <algorithm>
#include <span>

#include "base/utf8.h"
#include "jrec/base/escape.h"
#include "jrec/delta/json_member.h"

namespace jrec {
namespace {

using base::corrupt;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using Shape = ParquetColumn::Shape;

constexpr char kIntType[] = "\"integer\"", kLongType[] = "\"long\"", kWideType[] = "\"decimal(20,0)\"";

// Delta has no unsigned numbers: Spark reads UINT_64 as this.
const char* delta_type(ParquetType type) {
  switch (type) {
    case ParquetType::kFlag: return "\"boolean\"";
    case ParquetType::kInt: return kIntType;
    case ParquetType::kLong: return kLongType;
    case ParquetType::kUnsigned: return kWideType;
    case ParquetType::kReal: return "\"double\"";
    case ParquetType::kTime: return "\"timestamp\"";
    case ParquetType::kText: break;
  }
  return "\"string\"";
}

void append_field(const std::string& name, const std::string& type, std::string& out) {
  out += "{\"name\":";
  append_json_string(name, out);
  out += ",\"type\":" + type + ",\"nullable\":true,\"metadata\":{}}";
}

std::string list_type(std::span<const ParquetColumn> fields) {
  std::string type = R"({"type":"array","elementType":{"type":"struct","fields":[)";
  for (const ParquetColumn& field : fields) {
    if (type.back() == '}') type += ',';
    append_field(field.name, delta_type(field.type), type);
  }
  return type + R"(]},"containsNull":false})";
}

std::string map_type(std::span<const ParquetColumn> key_and_value) {
  return std::string(R"({"type":"map","keyType":)") + delta_type(key_and_value.front().type) + R"(,"valueType":)" +
         delta_type(key_and_value.back().type) + R"(,"valueContainsNull":false})";
}

// How much a whole number's type holds; 0: it is none.
int width_of(const std::string& type) {
  return type == kIntType ? 1 : type == kLongType ? 2 : type == kWideType ? 3 : 0;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// What a table may have without column mapping.
bool can_be_a_name(const std::string& name) {
  const auto is_bad = [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == 0x7f ||
           std::string_view(",;{}()=").find(c) != std::string_view::npos;
  };
  return !name.empty() && base::is_utf8(name) && std::ranges::none_of(name, is_bad);
}

}  // namespace

DeltaSchema DeltaSchema::of(const std::vector<Partition>& partitions) {
  DeltaSchema schema;
  for (const Partition& each : partitions) schema.fields_.push_back({each.name, '"' + each.type + '"'});
  return schema;
}

Result<DeltaSchema> DeltaSchema::parse(std::string_view json) {
  rapidjson::Document document;
  parse_json(json, document);
  const rapidjson::Value* const fields = member(document, "fields");
  if (fields == nullptr || !fields->IsArray()) return corrupt(0, "has a schema that cannot be read");
  DeltaSchema schema;
  for (const rapidjson::Value& field : fields->GetArray()) {
    const rapidjson::Value* const type = member(field, "type");
    const auto name = text_member(field, "name");
    if (type == nullptr || !name) return corrupt(0, "has a schema that cannot be read");
    schema.fields_.push_back({*name, json_text(*type)});
  }
  return schema;
}

std::vector<DeltaSchema::Field> DeltaSchema::fields_of(const ParquetColumns& columns) {
  std::vector<Field> fields;
  for (size_t i = 0; i < columns.size();) {
    size_t end = i + 1;
    while (columns[i].repeated() && end < columns.size() && columns[end].group == columns[i].group) ++end;
    const std::span<const ParquetColumn> group(&columns[i], end - i);
    switch (columns[i].shape) {
      case Shape::kOne: fields.push_back({columns[i].name, delta_type(columns[i].type)}); break;
      case Shape::kList: fields.push_back({columns[i].group, list_type(group)}); break;
      case Shape::kMap: fields.push_back({columns[i].group, map_type(group)}); break;
    }
    i = end;
  }
  return fields;
}

Result<bool> DeltaSchema::add(const ParquetColumns& columns) {
  const std::vector<Field> before = fields_;
  for (Field& field : fields_of(columns))
    if (const Status added = add(std::move(field)); !added) {
      fields_ = before;
      return added.error();
    }
  return fields_ != before;
}

Status DeltaSchema::add(Field field) {
  const auto same_name = [&](const Field& known) { return lower(known.name) == lower(field.name); };
  const auto known = std::ranges::find_if(fields_, same_name);
  const auto refused = [&](const std::string& why) {
    return Error{ErrorCode::kUsage, 0, "column " + plain(field.name) + " " + why};
  };
  if (known == fields_.end()) {
    if (!can_be_a_name(field.name)) return refused("has a name that tables of Delta Lake cannot have");
    fields_.push_back(std::move(field));
    return base::Done{};
  }
  if (known->name != field.name) return refused("is " + plain(known->name) + " in the table");
  const int width = width_of(field.type), known_width = width_of(known->type);
  if (known->type != field.type && (width == 0 || known_width == 0))
    return refused("is " + field.type + " here, and " + known->type + " in the table");
  if (width > known_width) known->type = field.type;
  return base::Done{};
}

std::string DeltaSchema::json() const {
  std::string json = R"({"type":"struct","fields":[)";
  for (const Field& field : fields_) {
    if (json.back() == '}') json += ',';
    append_field(field.name, field.type, json);
  }
  return json + "]}";
}

}  // namespace jrec
