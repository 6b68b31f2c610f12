// SPDX-License-Identifier: Apache-2.0
#include "jrec/mcp/json_rpc.h"

#include <fmt/core.h>
#include <rapidjson/document.h>

#include <cmath>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"

namespace jrec {
namespace {

using Json = rapidjson::Value;

std::string text_of(const Json& json) { return {json.GetString(), json.GetStringLength()}; }

// A string or a number; nothing else is an id.
std::optional<std::string> id_of(const Json& json) {
  std::string id;
  if (json.IsString())
    append_json_string(text_of(json), id);
  else if (json.IsInt64())
    id = std::to_string(json.GetInt64());
  else if (json.IsUint64())
    id = std::to_string(json.GetUint64());
  else if (json.IsDouble() && std::isfinite(json.GetDouble()))
    id = fmt::format("{}", json.GetDouble());
  else
    return std::nullopt;
  return id;
}

bool all_texts(const Json& array) {
  for (const Json& element : array.GetArray())
    if (!element.IsString()) return false;
  return true;
}

RpcValue value_of(const Json& json) {
  RpcValue value;
  if (json.IsNull()) return value;
  if (json.IsBool()) {
    value.kind = RpcValue::kTruth;
    value.truth = json.GetBool();
  } else if (json.IsNumber()) {
    value.kind = RpcValue::kNumber;
    value.number = json.GetDouble();
  } else if (json.IsString()) {
    value.kind = RpcValue::kText;
    value.text = text_of(json);
  } else if (json.IsArray() && all_texts(json)) {
    value.kind = RpcValue::kTexts;
    for (const Json& element : json.GetArray()) value.texts.push_back(text_of(element));
  } else {
    value.kind = json.IsObject() ? RpcValue::kObject : RpcValue::kOther;
  }
  return value;
}

RpcValues values_of(const Json& object) {
  RpcValues values;
  for (const auto& member : object.GetObject()) values[text_of(member.name)] = value_of(member.value);
  return values;
}

const Json* member(const Json& object, const char* name) {
  const auto at = object.FindMember(name);
  return at == object.MemberEnd() ? nullptr : &at->value;
}

}  // namespace

std::optional<std::variant<RpcMessage, RpcError>> parse_message(std::string_view line) {
  rapidjson::Document json;
  json.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(line.data(), line.size());
  if (json.HasParseError()) return RpcError{"null", kParseError, "this line is not JSON"};
  if (!json.IsObject()) return RpcError{"null", kInvalidRequest, "a message is one object; batches are not taken"};
  RpcMessage message;
  const Json *version = member(json, "jsonrpc"), *id = member(json, "id"), *method = member(json, "method"),
             *params = member(json, "params");
  if (method == nullptr && (member(json, "result") != nullptr || member(json, "error") != nullptr)) return std::nullopt;
  RpcError error{"null", kInvalidRequest, ""};
  if (id != nullptr) {
    const std::optional<std::string> told = id_of(*id);
    if (!told) return error.what = "an id is a string or a number", error;
    message.id = error.id = *told;
  }
  if (version == nullptr || !version->IsString() || text_of(*version) != "2.0")
    return error.what = "jsonrpc must be \"2.0\"", error;
  if (method == nullptr || !method->IsString()) return error.what = "there is no method", error;
  message.method = text_of(*method);
  if (params == nullptr) return message;
  if (!params->IsObject()) return error.code = kInvalidParams, error.what = "params must be an object", error;
  message.params = values_of(*params);
  if (const Json* arguments = member(*params, "arguments"); arguments != nullptr && arguments->IsObject())
    message.arguments = values_of(*arguments);
  return message;
}

std::string rpc_result(const std::string& id, const std::string& result) {
  return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
}

std::string rpc_error(const RpcError& error) {
  std::string out = "{\"jsonrpc\":\"2.0\",\"id\":" + error.id + ",\"error\":{\"code\":" + std::to_string(error.code) +
                    ",\"message\":";
  append_json_string(error.what, out);
  return out + "}}";
}

}  // namespace jrec
