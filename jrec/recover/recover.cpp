// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/recover.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "jrec/input/recording.h"
#include "jrec/recover/directory_recovery.h"
#include "jrec/recover/file_recovery.h"
#include "recover/directories.h"
#include "recover/files.h"

namespace jrec {
namespace {

// 0: it is not a process id.
uint32_t process_id(const std::string& text) {
  uint32_t pid = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  return error == std::errc() && stop == text.data() + text.size() ? pid : 0;
}

}  // namespace

ExitCode run_recover(const RecoverOptions& options, Output& out) {
  if (options.input.empty() && options.all) return recover_all(options, out);
  if (options.input.empty()) {
    complain("recover", base::Error{base::ErrorCode::kUsage, 0, "wants an input, or --all"});
    return kUsageError;
  }
  struct stat st {};
  if (stat(options.input.c_str(), &st) != 0) {
    const int why = errno;
    if (const uint32_t pid = process_id(options.input)) return recover_process(options, pid, out);
    complain(options.input, base::Error{base::ErrorCode::kSystem, 0, std::strerror(why), why});
    return kUsageError;
  }
  if (S_ISDIR(st.st_mode)) return recover_directory(options, out);
  if (!rec::is_spool(options.input)) return recover_file(options, out);
  RecoverOptions whole = options;
  whole.input = rec::parent_of(options.input);
  return recover_directory(whole, out);
}

void declare_recover(CommandList& commands) {
  const auto options = std::make_shared<RecoverOptions>();
  Command recover = commands.add("recover", "Finished recordings out of what a killed process or a broken writer left",
                                 [options](Output& out) { return run_recover(*options, out); });
  recover.add_option("INPUT", options->input, "a recording, a directory of chunks or of spools, or a process id");
  recover.add_option("--output,-o", options->out,
                     "recording to write, over what is there but the input; named after that by default");
  recover.add_flag("--keep", options->keep, "leave the directory and the spools where they are");
  recover.add_flag("--all", options->all,
                   "spools whose chunks are not here, too; without an input: what all dead processes left");
  recover.add_flag("--json", options->json, "one JSON object for each recording");
  recover.add_flag("--dry-run", options->dry_run, "say what could be recovered, write nothing");
}

}  // namespace jrec
