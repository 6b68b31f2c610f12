// SPDX-License-Identifier: Apache-2.0
// Messages of JSON-RPC 2.0, one a line, as far as a server of tools needs them.
//
//   {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hot","arguments":{"file":"a.jfr","rows":5}}}
//     --> method "tools/call", id "1", params {name}, arguments {file, rows}
//
// Lines are a stranger's: nothing is parsed by recursion, and what is not as it should be becomes an error with the number
// that JSON-RPC has for it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace jrec {

struct RpcValue {
  enum Kind : uint8_t { kNull, kTruth, kNumber, kText, kTexts, kObject, kOther } kind = kNull;
  bool truth = false;
  double number = 0;
  std::string text;
  std::vector<std::string> texts;  // of an array of nothing else
};
using RpcValues = std::map<std::string, RpcValue>;

struct RpcMessage {
  std::string id;  // as JSON; empty: a notification, which is never answered
  std::string method;
  RpcValues params;
  RpcValues arguments;  // of params.arguments
};

inline constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601, kInvalidParams = -32602,
                     kInternalError = -32603;

struct RpcError {
  std::string id = "null";
  int code = kInternalError;
  std::string what;
};

// Nothing: an answer to a question that this server has not asked.
std::optional<std::variant<RpcMessage, RpcError>> parse_message(std::string_view line);

// Lines without their end. result: JSON.
std::string rpc_result(const std::string& id, const std::string& result);
std::string rpc_error(const RpcError& error);

}  // namespace jrec
