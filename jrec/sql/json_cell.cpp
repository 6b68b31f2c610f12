// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/json_cell.h"

#include <cmath>

#include "format/reader/values.h"
#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"

namespace jrec {
namespace {

class JsonMaker {
 public:
  explicit JsonMaker(CellReader& reader) : reader_(reader) {}

  void put(const FieldValue& value, int depth) {
    if (value.null() || depth > kDeepestJson) return void(text_ += "null");
    if (value.array) return put_array(value, depth);
    const Cell cell = reader_.cell_of(value);
    if (!cell.null()) return put_cell(cell);
    if (value.is_struct()) return put_struct(value, depth);
    text_ += "null";
  }
  std::string take() { return std::move(text_); }

 private:
  void put_array(const FieldValue& value, int depth) {
    text_ += '[';
    jfr::read::Cursor in = value.in;
    const char* between = "";
    for (uint64_t left = read_count(in, reader_.fields().chunk().metadata(), *value.field); left > 0; --left) {
      const FieldValue element = reader_.fields().take_element(in, *value.field);
      if (!in.ok() || text_.size() > kLongestJson) break;
      text_ += between;
      between = ",";
      put(element, depth + 1);
    }
    text_ += ']';
  }

  void put_struct(const FieldValue& value, int depth) {
    text_ += '{';
    const char* between = "";
    for (const jfr::read::Field& field : value.type->fields) {
      text_ += between;
      between = ",";
      append_json_string(field.name, text_);
      text_ += ':';
      put(reader_.fields().member(value, field.name), depth + 1);
      if (text_.size() > kLongestJson) break;
    }
    text_ += '}';
  }

  void put_cell(const Cell& cell) {
    if (cell.kind == Cell::Kind::kText) return append_json_string(cell.text, text_);
    if (cell.content == Content::kFlag) return void(text_ += cell.integer != 0 ? "true" : "false");
    if (cell.kind == Cell::Kind::kInteger) return append_format(text_, "{}", cell.integer);
    if (!std::isfinite(cell.real)) return void(text_ += "null");
    append_format(text_, "{}", cell.real);
  }

  CellReader& reader_;
  std::string text_;
};

}  // namespace

std::string json_of(CellReader& reader, const FieldValue& value) {
  JsonMaker maker(reader);
  maker.put(value, 0);
  return maker.take();
}

}  // namespace jrec
