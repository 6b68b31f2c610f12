// SPDX-License-Identifier: Apache-2.0
// XmlEvents writes the events of one chunk as `jfr print --xml` has them: <event type="..."> with <value>, <struct> and
// <array> elements, values as in JSON, xsi:nil="true" for what is missing.
//
// Characters that move a cursor are references (escape.h). Constants inside themselves end at kMaxDepth, and no event becomes
// longer than kMaxEventText: what is beyond is nil.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jrec/values/field_value.h"

namespace jrec {

class XmlEvents {
 public:
  static constexpr int kMaxDepth = 64;
  static constexpr size_t kMaxEventText = 64u << 20;

  XmlEvents(jfr::read::Chunk& chunk, const jfr::read::Clock& clock, uint32_t stack_depth);

  // Appends the event. False, and nothing appended, when its bytes cannot be decoded.
  bool append(const jfr::read::Event& event, const jfr::read::Type& type, std::string& out);

 private:
  void append_fields(jfr::read::Cursor& in, const jfr::read::Type& type, int depth, std::string& out);
  void append_element(const FieldValue& value, std::string_view label, int depth, std::string& out);
  void append_array(const FieldValue& value, std::string_view label, int depth, std::string& out);
  bool append_content(const FieldValue& value, std::string& out);

  FieldReader fields_;
  jfr::read::Clock clock_;
  uint32_t stack_depth_;
  int32_t utc_offset_s_;
  size_t event_start_ = 0;
};

}  // namespace jrec
