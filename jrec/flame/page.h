// SPDX-License-Identifier: Apache-2.0
// A page is a template with two places filled: {{title}}, as HTML text, and {{data}}, JSON in a script element (page_data.h). Every '<' of
// the data is escaped by who writes it, so that no name can end the element. Templates are made of parts by the build (jrec/CMakeLists.txt).
#pragma once

#include <string>
#include <string_view>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"

namespace jrec {

void append_page(std::string_view page, const std::string& title, std::string_view json, std::string& out);

// Where a page goes: a file that appears when it is whole; standard output, which is `out`, for - or no word.
struct PageFile {
  std::string path;
  std::string subject;                       // of a complaint where there is no path: the recording
  bool is_refused(const Output& out) const;  // a page is nothing for a terminal, unless it is asked for with -: says so
  // code, or kOutputFailed.
  ExitCode write(std::string_view page, const std::string& title, std::string_view json, ExitCode code,
                 Output& out) const;
};

// The last part of a path.
std::string name_of_path(const std::string& path);

}  // namespace jrec
