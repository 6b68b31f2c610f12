// SPDX-License-Identifier: Apache-2.0
// McpServer answers an assistant's messages by the Model Context Protocol (modelcontextprotocol.io): a line in, a line out or none.
//
//   initialize                   versions, and that there are tools
//   notifications/...            nothing
//   ping, tools/list             answered
//   tools/call                   runs a tool (tool.h): its text, or isError and why
//
// What a message does wrong is an error of JSON-RPC; what a tool cannot do is a result with isError, so that the assistant
// reads it and asks better.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "jrec/mcp/allowed_paths.h"
#include "jrec/mcp/json_rpc.h"

namespace jrec {

class McpServer {
 public:
  McpServer(AllowedPaths allowed, std::string version) : allowed_(std::move(allowed)), version_(std::move(version)) {}

  // Without the end of the line; nothing: no answer is due.
  std::optional<std::string> answer(std::string_view line) const;

 private:
  std::string answer_request(const RpcMessage& message) const;
  std::string initialize(const RpcMessage& message) const;
  std::string call_tool(const RpcMessage& message) const;

  const AllowedPaths allowed_;
  const std::string version_;
};

}  // namespace jrec
