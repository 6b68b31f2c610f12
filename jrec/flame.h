// SPDX-License-Identifier: Apache-2.0
// `jrec flame`: a flame graph as one HTML page that needs nothing else.
//
// The page is the template flame_page.html with two places filled: its title, as HTML text, and its data, as JSON in a
// script element of type application/json. Every '<' of the data is escaped, so that no name can end the element.
//
//   data: {"event","unit","total","samples","truncated","names":[...],
//          "nodes":[name, depth, kind, self, ...]}       four numbers a node, depth first, children ordered by name
#pragma once

#include <string>

#include "jrec/exit_code.h"
#include "jrec/output.h"
#include "jrec/profile.h"

namespace jrec {

struct FlameOptions {
  std::string file;
  std::string out;    // path; empty: standard output
  std::string title;  // empty: the file's name
  ProfileOptions profile;
};

ExitCode run_flame(const FlameOptions& options, Output& out);

void append_flame_data(const Profile& profile, std::string& out);
void append_flame_page(const Profile& profile, const std::string& title, std::string& out);

}  // namespace jrec
