// SPDX-License-Identifier: Apache-2.0
#include "jrec/mcp/server.h"

#include <algorithm>
#include <array>
#include <utility>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/mcp/heard_command.h"
#include "jrec/mcp/tool.h"

namespace jrec {
namespace {

// What these differ in does not touch a server of tools on standard input. The newest first.
constexpr std::array<std::string_view, 4> kVersions = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

constexpr std::string_view kInstructions =
    "Reads flight recordings of Java programs (JFR). Begin with recordings and findings; then hot, flame and view for "
    "the details, and "
    "sql for anything else. Shares are of samples. Nothing is written.";

std::string text_result(const std::string& text, bool is_error) {
  std::string out = "{\"content\":[{\"type\":\"text\",\"text\":";
  append_json_string(text, out);
  return out + "}],\"isError\":" + (is_error ? "true}" : "false}");
}

std::string tool_list() {
  std::string out = "{\"tools\":[";
  const char* separator = "";
  for (const Tool& tool : all_tools()) append_tool_json(tool, out += std::exchange(separator, ","));
  return out + "]}";
}

// Which files it is of, what was printed, then what was complained of. Damage is no error: what is good of the file was read.
std::string heard_result(const std::string& files, const HeardCommand& heard) {
  std::string text = heard.text;
  if (heard.cut) text += "\n... the answer was longer: ask for fewer rows, or filter\n";
  if (!heard.complaints.empty()) text += (text.empty() ? "" : "\n") + heard.complaints;
  if (text.empty()) text = "(nothing)";
  return text_result(files + text, heard.code != kDone && heard.code != kDamaged);
}

std::string text_of(const RpcValues& values, const std::string& name) {
  const auto at = values.find(name);
  return at == values.end() || at->second.kind != RpcValue::kText ? "" : at->second.text;
}

}  // namespace

std::optional<std::string> McpServer::answer(std::string_view line) const {
  const auto parsed = parse_message(line);
  if (!parsed) return std::nullopt;
  if (const RpcError* error = std::get_if<RpcError>(&*parsed)) return rpc_error(*error);
  const RpcMessage& message = std::get<RpcMessage>(*parsed);
  if (message.id.empty()) return std::nullopt;
  return answer_request(message);
}

std::string McpServer::answer_request(const RpcMessage& message) const {
  if (message.method == "initialize") return initialize(message);
  if (message.method == "ping") return rpc_result(message.id, "{}");
  if (message.method == "tools/list") {
    if (!text_of(message.params, "cursor").empty())
      return rpc_error({message.id, kInvalidParams, "there is one page of tools, and no cursor"});
    return rpc_result(message.id, tool_list());
  }
  if (message.method == "tools/call") return call_tool(message);
  return rpc_error({message.id, kMethodNotFound, "there is no method '" + plain(message.method) + "'"});
}

std::string McpServer::initialize(const RpcMessage& message) const {
  const std::string asked = text_of(message.params, "protocolVersion");
  const bool known = std::ranges::count(kVersions, asked) != 0;
  std::string out = "{\"protocolVersion\":";
  append_json_string(known ? asked : kVersions.front(), out);
  out +=
      ",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"jrec\",\"title\":\"Flight recordings\",\"version\":";
  append_json_string(version_, out);
  out += "},\"instructions\":";
  append_json_string(kInstructions, out);
  return rpc_result(message.id, out + "}");
}

std::string McpServer::call_tool(const RpcMessage& message) const {
  const std::string name = text_of(message.params, "name");
  const auto tool = std::ranges::find(all_tools(), name, &Tool::name);
  if (tool == all_tools().end())
    return rpc_error({message.id, kInvalidParams, "there is no tool '" + plain(name) + "'"});
  const auto given = message.params.find("arguments");
  if (given != message.params.end() && given->second.kind != RpcValue::kObject && given->second.kind != RpcValue::kNull)
    return rpc_error({message.id, kInvalidParams, "arguments must be an object"});
  const base::Result<ToolArguments> arguments = ToolArguments::check(tool->arguments, message.arguments, allowed_);
  if (!arguments) return rpc_result(message.id, text_result(arguments.error().what, true));
  const HeardCommand heard = hear_command([&](Output& out) { return tool->run(*arguments, allowed_, out); });
  return rpc_result(message.id, heard_result(arguments->files_told(), heard));
}

}  // namespace jrec
