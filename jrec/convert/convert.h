// SPDX-License-Identifier: Apache-2.0
// `jrec convert IN -o OUT`: the samples of a recording in the format of another tool.
//
// The format follows from OUT's name, or is told with --format. Formats with time get each sample, the others one sum
// per stack. The sum of all weights is that of `jrec collapsed` with the same options. A name that ends in .gz gets
// gzip around it; pprof always has it.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/profile/profile.h"

namespace jrec {

struct ConvertOptions {
  std::vector<std::string> files;  // treated as one
  std::string out;                 // path; empty or "-": standard output
  std::string format;              // name of it; empty: by the name of `out`
  std::string title;               // where the format has a place for it; empty: the file's name
  ProfileOptions profile;
};

ExitCode run_convert(const ConvertOptions& options, Output& out);

// The name of the format that an output of that name gets; empty when its name does not tell.
std::string format_by_name(const std::string& path);

// All of them: "collapsed, pprof, ..."
std::string format_names(std::string_view between = ", ");

}  // namespace jrec
