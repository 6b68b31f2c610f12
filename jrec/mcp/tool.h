// SPDX-License-Identifier: Apache-2.0
// A Tool is a question that an assistant may ask: its name, its arguments, and the command of jrec that answers it.
//
//   {"hot", "Hottest methods", "...", {{"file", kFile, "the recording", true}, {"rows", kNumber, "..."}}, run_hot_tool}
//
// Tools read. None writes a file, opens a connection or starts a program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/mcp/allowed_paths.h"
#include "jrec/mcp/json_rpc.h"

namespace jrec {

struct ToolArgument {
  // kCount: whole, from 1 on. kPercent: from 0 to 100.
  enum Kind : uint8_t { kText, kCount, kPercent, kTexts, kFile, kFiles } kind;
  std::string_view name;
  std::string_view what;
  bool required = false;
};

// What was said, checked against the declaration: files are resolved, and may be read.
class ToolArguments {
 public:
  // kUsage, in words for the assistant: something is missing, unknown, of another kind, out of its range, or may not be read.
  static base::Result<ToolArguments> check(std::span<const ToolArgument> declared, const RpcValues& said,
                                           const AllowedPaths& allowed);

  // A line for each argument that is a file: "file: /data/recordings/app.jfr".
  const std::string& files_told() const { return files_told_; }

  std::string text(const std::string& name) const;
  const std::vector<std::string>& texts(const std::string& name) const;
  double number(const std::string& name, double missing) const;
  size_t count(const std::string& name, size_t missing, size_t most) const;  // no more than `most`

 private:
  RpcValues values_;
  std::string files_told_;
};

struct Tool {
  std::string_view name, title, what;
  std::vector<ToolArgument> arguments;
  ExitCode (*run)(const ToolArguments& arguments, const AllowedPaths& allowed, Output& out);
};

const std::vector<Tool>& all_tools();

// {"name":...,"title":...,"description":...,"inputSchema":{...},"annotations":{"readOnlyHint":true,...}}
void append_tool_json(const Tool& tool, std::string& out);

}  // namespace jrec
