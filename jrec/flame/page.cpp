// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame/page.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/result.h"
#include "jrec/base/escape.h"
#include "jrec/base/local_path.h"
#include "jrec/base/output_file.h"
#include "jrec/flame/page_data.h"
#include "jrec/input/recording.h"

namespace jrec {
namespace {

constexpr std::string_view kTitlePlace = "{{title}}";
constexpr std::string_view kDataPlace = "{{data}}";

}  // namespace

std::string name_of_path(const std::string& path) { return last_name(path); }

void append_page(std::string_view page, const std::string& title, std::string_view json, std::string& out) {
  while (!page.empty()) {
    const size_t at_title = page.find(kTitlePlace), at_data = page.find(kDataPlace);
    const size_t at = std::min(at_title, at_data);
    out += page.substr(0, at);
    if (at == std::string_view::npos) return;
    if (at == at_title)
      append_html(plain(title), out);
    else
      append_page_data(json, out);
    page.remove_prefix(at + (at == at_title ? kTitlePlace : kDataPlace).size());
  }
}

bool PageFile::is_refused(const Output& out) const {
  if (!path.empty() || !out.is_terminal()) return false;
  complain(subject, base::Error{base::ErrorCode::kUsage, 0,
                                "a page is for a browser, and this is a terminal; -o FILE.html says where to, "
                                "-o - that it is to be here"});
  return true;
}

ExitCode PageFile::write(std::string_view page, const std::string& title, std::string_view json, ExitCode code,
                         Output& out) const {
  if (path.empty() || path == "-") {
    append_page(page, title, json, out.text());
    return code;
  }
  OutputFile file(path);
  Output whole(file.fd());
  append_page(page, title, json, whole.text());
  if (file.fd() >= 0 && whole.flush() && file.commit()) return code;
  complain(path, base::Error{base::ErrorCode::kSystem, 0, "cannot write: " + output_error_text(errno), errno});
  return kOutputFailed;
}

}  // namespace jrec
