// SPDX-License-Identifier: Apache-2.0
// Members of JSON objects that somebody else wrote: what is not there, or is no object at all, is nothing.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <string_view>

namespace jrec {

// How deep values lie in each other is somebody else's choice, and rapidjson goes down by recursion: no deeper than this.
inline constexpr int kMostJsonDepth = 64;

// False: it is no object, or a deeper one, and `out` is null.
bool parse_json(std::string_view json, rapidjson::Document& out);

std::string json_text(const rapidjson::Value& value);

inline const rapidjson::Value* member(const rapidjson::Value& of, const char* name) {
  if (!of.IsObject()) return nullptr;
  const auto found = of.FindMember(name);
  return found == of.MemberEnd() ? nullptr : &found->value;
}

inline std::optional<std::string> text_member(const rapidjson::Value& of, const char* name) {
  const rapidjson::Value* const value = member(of, name);
  if (value == nullptr || !value->IsString()) return std::nullopt;
  return std::string(value->GetString(), value->GetStringLength());
}

inline std::optional<int64_t> long_member(const rapidjson::Value& of, const char* name) {
  const rapidjson::Value* const value = member(of, name);
  if (value == nullptr || !value->IsInt64()) return std::nullopt;
  return value->GetInt64();
}

}  // namespace jrec
