// SPDX-License-Identifier: Apache-2.0
#include "jrec/delta/json_member.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

namespace jrec {
namespace {

bool is_deep(std::string_view json) {
  int depth = 0, most = 0;
  bool in_text = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_text && c == '\\')
      ++i;
    else if (c == '"')
      in_text = !in_text;
    else if (!in_text && (c == '{' || c == '['))
      most = std::max(most, ++depth);
    else if (!in_text && (c == '}' || c == ']'))
      --depth;
  }
  return most > kMostJsonDepth;
}

}  // namespace

bool parse_json(std::string_view json, rapidjson::Document& out) {
  if (!is_deep(json)) out.Parse<rapidjson::kParseValidateEncodingFlag>(json.data(), json.size());
  if (!out.HasParseError() && out.IsObject()) return true;
  out.SetNull();
  return false;
}

std::string json_text(const rapidjson::Value& value) {
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  value.Accept(writer);
  return std::string(out.GetString(), out.GetSize());
}

}  // namespace jrec
