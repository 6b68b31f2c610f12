// SPDX-License-Identifier: Apache-2.0
// `jrec hot`: the methods that were on top of the most samples, as a table that fits the terminal.
//
//   self: samples with the method on top.   total: samples with it anywhere, counted once each, recursion or not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/profile/profile.h"

namespace jrec {

struct HotOptions {
  std::vector<std::string> files;  // treated as one
  ProfileOptions profile;
  size_t rows = 20;
  size_t width = 0;  // columns; 0: those of the terminal, 100 when there is none
};

struct HotMethod {
  uint32_t name = 0;  // in the tree's names
  uint64_t self = 0;
  uint64_t total = 0;
};

// All methods, hottest first.
std::vector<HotMethod> hot_methods(const StackTree& tree);

ExitCode run_hot(const HotOptions& options, Output& out);

}  // namespace jrec
