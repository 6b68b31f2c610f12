// SPDX-License-Identifier: Apache-2.0
#include "jrec/open/open_command.h"

#include <spawn.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "jrec/base/append_format.h"
#include "jrec/base/progress.h"
#include "jrec/input/recording.h"
#include "jrec/open/loopback_server.h"
#include "jrec/open/served_report.h"
#include "jrec/open/silent_process.h"

extern char** environ;

namespace jrec {
namespace {

bool has_screen() {
  const auto is_set = [](const char* name) { return std::getenv(name) != nullptr && *std::getenv(name) != '\0'; };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

// xdg-open is there wherever a desktop is. It may fail: the address has been printed.
void start_browser(const std::string& address) {
  std::string program = "xdg-open", argument = address;
  char* const words[] = {program.data(), argument.data(), nullptr};
  pid_t pid = 0;
  ::posix_spawnp(&pid, words[0], nullptr, nullptr, words, environ);
}

// Of a directory without recordings nobody has said a word yet.
ExitCode nothing_to_show(const OpenOptions& options, ExitCode code) {
  if (code == kNothingReadable && options.report.files.size() == 1)
    complain(options.report.files.front(), {base::ErrorCode::kUsage, 0, "holds no recording (yet) that can be shown"});
  return code;
}

bool any_silent(const std::vector<std::string>& targets) {
  bool any = false;
  for (const std::string& target : targets)
    if (const auto why = why_silent(target)) any = true, complain(target, {base::ErrorCode::kUsage, 0, *why});
  return any;
}

WebAnswer answer_of(ServedReport::Page page) {
  if (page.html.empty())
    return {.status = 503, .body = "The recording cannot be read now; jrec says why where it was started.\n"};
  return {200, "text/html; charset=utf-8", std::move(page.html), std::to_string(page.version)};
}

}  // namespace

ExitCode run_open(const OpenOptions& options, Output& out) {
  if (std::ranges::find(options.report.files, "-") != options.report.files.end()) {
    complain("-", {base::ErrorCode::kUsage, 0, "a page that is made anew needs files, not standard input"});
    return kUsageError;
  }
  if (any_silent(options.report.files)) return kUsageError;
  show_progress(false);  // the page tells that it is read
  ServedReport report(options.report, options.follow_s);
  if (const ServedReport::Page page = report.page(); page.html.empty()) return nothing_to_show(options, page.code);
  LoopbackServer server;
  if (const base::Status listening = server.listen(options.port); !listening)
    return complain("open", listening.error()), kUsageError;
  append_format(out.text(), "{}\nCtrl-C ends it.\n", server.address());
  if (!out.flush()) return kOutputFailed;
  if (!options.no_browser && has_screen() && out.is_terminal()) start_browser(server.address());
  std::thread([&] {
    const ServedReport::Page page = report.first();
    if (page.html.empty()) std::_Exit(nothing_to_show(options, page.code));
  }).detach();
  server.serve([&](const std::string& path) {
    if (path.empty()) return answer_of(report.page());
    const auto part = PagePart::of(path);
    return part ? answer_of(report.part(*part)) : WebAnswer{.status = 404, .body = "nothing here\n"};
  });
}

void declare_open(CommandList& commands) {
  const auto options = std::make_shared<OpenOptions>();
  Command open = commands.add("open", "The page of report in this machine's browser, which grows with the recording",
                              [options](Output& out) { return run_open(*options, out); });
  commands.keep_terminal("open");
  commands.refuse_output("open", "open serves the page and writes no file; jrec report -o FILE writes it");
  open.add_option("FILE", options->report.files, "recordings (.jfr), directories of them, or a process that records")
      .required();
  open.add_option("--port", options->port, "port at 127.0.0.1; one that is free by default").type_name("N");
  open.add_option("--follow", options->follow_s, "the page looks each N seconds whether there is more, and shows it")
      .type_name("N");
  open.add_flag("--no-browser", options->no_browser, "only tell the address");
  open.add_option("--title", options->report.title, "title of the page; the file's name by default");
  add_filter_options(open, options->report.filter);
}

}  // namespace jrec
