// SPDX-License-Identifier: Apache-2.0
// `jrec print`: the events of a recording, for people and for programs. Within a chunk they come in the order of their
// end, as `jfr print` gives them.
//
//   text         as jfr print shows them (text_events.h)
//   --json       one document, as jfr print --json, an event per line (json_events.h)
//   --json-lines one object a line, nothing around them
//   --xml        as jfr print --xml (xml_events.h)
//   --csv        one table: the events that are selected must be of one type (csv_events.h)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jrec/base/command_list.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/select/filter.h"

namespace jrec {

enum class PrintFormat { kText, kJson, kJsonLines, kXml, kCsv };

struct PrintOptions {
  // Frames that are shown of each stack, unless told otherwise. A JVM records 64, and people read the text.
  static constexpr uint32_t kTextDepth = 64;
  static constexpr uint32_t kDepth = 2048;

  std::vector<std::string> files;  // treated as one
  FilterOptions filter;
  std::string kind;  // --event: a short name as of event_names.h; empty: all
  PrintFormat format = PrintFormat::kText;
  std::optional<uint32_t> stack_depth;
};

ExitCode run_print(const PrintOptions& options, Output& out);

void declare_print(CommandList& commands);

}  // namespace jrec
