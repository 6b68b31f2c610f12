// SPDX-License-Identifier: Apache-2.0
// `jrec metadata`: the types that a recording declares, with labels, units and fields, as `jfr metadata` prints them.
//
// Types of values first, then annotations, settings, events; each group by name. --events and --categories leave the
// events that they select, and nothing else. A type that several chunks declare is shown as the last one has it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "format/reader/metadata.h"
#include "jrec/base/command_list.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/select/filter.h"

namespace jrec {

struct MetadataOptions {
  std::vector<std::string> files;  // treated as one
  FilterOptions filter;            // its events and categories
};

ExitCode run_metadata(const MetadataOptions& options, Output& out);

void declare_metadata(CommandList& commands);

// One type, `class CPULoad extends jdk.jfr.Event { ... }`, with its annotations in front.
void append_type(const jfr::read::Metadata& metadata, const jfr::read::Type& type, std::string& out);

}  // namespace jrec
