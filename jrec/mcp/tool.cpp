// SPDX-License-Identifier: Apache-2.0
#include "jrec/mcp/tool.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/nearest.h"
#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"

namespace jrec {
namespace {

using Kind = ToolArgument::Kind;

base::Error wrong(std::string what) { return {base::ErrorCode::kUsage, 0, std::move(what)}; }

RpcValue::Kind json_kind(Kind kind) {
  if (kind == ToolArgument::kCount || kind == ToolArgument::kPercent) return RpcValue::kNumber;
  return kind == ToolArgument::kTexts || kind == ToolArgument::kFiles ? RpcValue::kTexts : RpcValue::kText;
}

std::string_view kind_words(Kind kind) {
  switch (json_kind(kind)) {
    case RpcValue::kNumber: return "a number";
    case RpcValue::kTexts: return "an array of strings";
    default: return "a string";
  }
}

// As the command line says it; empty: it may be.
std::string_view out_of_range(Kind kind, double number) {
  if (kind == ToolArgument::kPercent && !(number >= 0 && number <= 100)) return "not from 0 to 100";
  if (kind != ToolArgument::kCount) return {};
  if (number != std::floor(number)) return "no whole number";
  return number < 1 ? "below 1" : "";
}

base::Error no_argument(std::span<const ToolArgument> declared, const std::string& name) {
  std::vector<std::string> names;
  for (const ToolArgument& argument : declared) names.emplace_back(argument.name);
  const std::string near = base::nearest(name, names);
  return wrong(
      fmt::format("there is no argument '{}'{}", name, near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

bool is_of_files(Kind kind) { return kind == ToolArgument::kFile || kind == ToolArgument::kFiles; }

base::Status resolve_files(Kind kind, RpcValue& value, const AllowedPaths& allowed) {
  if (!is_of_files(kind)) return base::Done();
  if (kind == ToolArgument::kFile) value.texts = {value.text};
  for (std::string& file : value.texts) {
    base::Result<std::string> real = allowed.resolve(file);
    if (!real) return wrong(fmt::format("{}: {}", file, real.error().what));
    file = std::move(*real);
  }
  if (kind == ToolArgument::kFile) value.text = value.texts.front();
  return base::Done();
}

void append_schema(const ToolArgument& argument, std::string& out) {
  append_json_string(argument.name, out);
  switch (json_kind(argument.kind)) {
    case RpcValue::kNumber: out += ":{\"type\":\"number\""; break;
    case RpcValue::kTexts: out += ":{\"type\":\"array\",\"items\":{\"type\":\"string\"}"; break;
    default: out += ":{\"type\":\"string\"";
  }
  out += ",\"description\":";
  append_json_string(argument.what, out);
  out += '}';
}

}  // namespace

base::Result<ToolArguments> ToolArguments::check(std::span<const ToolArgument> declared, const RpcValues& said,
                                                 const AllowedPaths& allowed) {
  ToolArguments arguments;
  for (const auto& [name, value] : said) {
    const auto known = std::ranges::find(declared, name, &ToolArgument::name);
    if (known == declared.end()) return no_argument(declared, name);
    if (value.kind == RpcValue::kNull) continue;
    if (value.kind != json_kind(known->kind))
      return wrong(fmt::format("'{}' must be {}", name, kind_words(known->kind)));
    if (const std::string_view why = out_of_range(known->kind, value.number); !why.empty())
      return wrong(fmt::format("'{}': {} is {}", name, value.number, why));
    RpcValue& kept = arguments.values_[name] = value;
    if (const base::Status resolved = resolve_files(known->kind, kept, allowed); !resolved) return resolved.error();
  }
  for (const ToolArgument& argument : declared) {
    const auto value = arguments.values_.find(std::string(argument.name));
    const bool is_there = value != arguments.values_.end();
    if (argument.required && !is_there) return wrong(fmt::format("'{}' is missing: {}", argument.name, argument.what));
    if (is_there && is_of_files(argument.kind))
      arguments.files_told_ += fmt::format("{}: {}\n", argument.name, plain(joined(value->second.texts, ", ")));
  }
  return arguments;
}

std::string ToolArguments::text(const std::string& name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? "" : at->second.text;
}

const std::vector<std::string>& ToolArguments::texts(const std::string& name) const {
  static const std::vector<std::string> kNone;
  const auto at = values_.find(name);
  return at == values_.end() ? kNone : at->second.texts;
}

double ToolArguments::number(const std::string& name, double missing) const {
  const auto at = values_.find(name);
  return at == values_.end() ? missing : at->second.number;
}

size_t ToolArguments::count(const std::string& name, size_t missing, size_t most) const {
  const double said = number(name, static_cast<double>(missing));
  return static_cast<size_t>(std::min(said, static_cast<double>(most)));
}

void append_tool_json(const Tool& tool, std::string& out) {
  out += "{\"name\":";
  append_json_string(tool.name, out);
  out += ",\"title\":";
  append_json_string(tool.title, out);
  out += ",\"description\":";
  append_json_string(tool.what, out);
  out += ",\"inputSchema\":{\"type\":\"object\",\"properties\":{";
  const char* separator = "";
  for (const ToolArgument& argument : tool.arguments) append_schema(argument, out += std::exchange(separator, ","));
  out += "},\"required\":[";
  separator = "";
  for (const ToolArgument& argument : tool.arguments)
    if (argument.required) append_json_string(argument.name, out += std::exchange(separator, ","));
  out += "],\"additionalProperties\":false},\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}";
}

}  // namespace jrec
