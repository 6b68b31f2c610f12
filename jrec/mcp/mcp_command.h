// SPDX-License-Identifier: Apache-2.0
// `jrec mcp PATH...`: an assistant's questions about recordings, by the Model Context Protocol on standard input and output.
//
// A message is a line of at most kLongestMessage bytes; a longer one is refused and passed over. It ends when its input does.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/command_list.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

inline constexpr size_t kLongestMessage = 1024 * 1024;

struct McpOptions {
  std::vector<std::string> paths;  // that may be read
  int input = 0;
};

ExitCode run_mcp(const McpOptions& options, Output& out);
void declare_mcp(CommandList& commands);

}  // namespace jrec
