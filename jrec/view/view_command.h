// SPDX-License-Identifier: Apache-2.0
// `jrec view [NAME...] FILE`: tables of a recording.
//
//   NAME   a view (view_list.h), an event type with or without its package, a pattern of either (gc*), all-views,
//          all-events; none, or `types`: what the file can show
//
// All that is asked for is filled in one pass over the file. A view without events says so, and the exit code stays 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jrec/base/command_list.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/select/filter.h"
#include "jrec/view/table.h"

namespace jrec {

struct ViewOptions {
  std::vector<std::string> words;  // names, and the recordings last, treated as one
  std::vector<std::string> files;  // the recordings, where they are told apart: then all words are names
  FilterOptions filter;
  size_t width = 0;              // 0: the terminal's
  std::optional<uint32_t> rows;  // 0: all; none: as the view has it
  bool all_rows = false;
  std::string truncate;
  std::string sort;  // a caption, or a part of it; with - in front the largest last
  bool json = false;
};

ExitCode run_view(const ViewOptions& options, Output& out);
void declare_view(CommandList& commands);

}  // namespace jrec
