// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/files_commands.h"

#include <fmt/core.h>

#include <memory>

#include "base/units.h"
#include "jrec/base/quiet.h"
#include "jrec/files/disassemble.h"
#include "jrec/files/merge.h"
#include "jrec/files/rewrite.h"
#include "jrec/files/verify.h"
#include "jrec/input/input.h"

namespace jrec {
namespace {

// In the words of every command, and in those of `jfr scrub`.
void add_selection(Command& command, SelectionOptions& selection) {
  add_event_options(command, selection.filter);
  add_filter_options(command, selection.filter);
  add_pattern_option(command, "--include-events", selection.filter.events, "the same as --events");
  add_pattern_option(command, "--include-categories", selection.filter.categories, "the same as --categories");
  add_pattern_option(command, "--include-threads", selection.filter.threads, "the same as --thread");
  add_pattern_option(command, "--exclude-events", selection.exclude_events, "leave out these");
  add_pattern_option(command, "--exclude-categories", selection.exclude_categories,
                     "leave out events of these categories");
  add_pattern_option(command, "--exclude-threads", selection.exclude_threads, "leave out events of these threads");
}

void declare_verify(CommandList& commands) {
  const auto options = std::make_shared<VerifyOptions>();
  Command verify = commands.add("verify", "Everything that is wrong with recordings",
                                [options](Output& out) { return run_verify(*options, out); });
  verify.add_option("FILE", options->files, "recordings (.jfr), - for standard input").required();
  verify.add_flag("--json", options->json, "one JSON object for each");
  verify.add_flag("--strict", options->strict, "warnings count as damage");
}

void declare_cut(CommandList& commands) {
  const auto options = std::make_shared<RewriteOptions>();
  Command cut = commands.add("cut", "Some of the events of a recording, as a recording",
                             [options](Output& out) { return run_rewrite(*options, out); });
  cut.add_option("FILE", options->file, "recording (.jfr), - for standard input").required();
  cut.add_option("--output,-o", options->out, "recording to write, - for standard output").required();
  add_selection(cut, options->selection);
  cut.add_flag("--prune", options->prune, "drop constants that no event needs any more");
  add_quiet(cut, "say nothing");
}

void declare_scrub(CommandList& commands) {
  const auto options = std::make_shared<RewriteOptions>();
  Command scrub = commands.add("scrub", "A recording without what others must not see", [options](Output& out) {
    options->prune = true;
    return run_rewrite(*options, out);
  });
  scrub.add_option("FILE", options->file, "recording (.jfr), - for standard input").required();
  scrub.add_option("OUT,--output,-o", options->out, "recording to write; FILE-scrubbed.jfr by default");
  add_selection(scrub, options->selection);
  scrub.add_flag("--secrets", options->secrets, "replace passwords, tokens and keys in properties and arguments");
  add_quiet(scrub, "say nothing");
}

void declare_merge(CommandList& commands) {
  const auto options = std::make_shared<MergeOptions>();
  Command merge = commands.add("merge", "Several recordings as one, in the order of time",
                               [options](Output& out) { return run_merge(*options, out); });
  merge.add_option("FILES", options->files, "recordings (.jfr)").required();
  merge.add_option("--output,-o", options->out, "recording to write, - for standard output").required();
  add_quiet(merge, "say nothing");
}

void declare_disassemble(CommandList& commands) {
  const auto options = std::make_shared<DisassembleOptions>();
  Command command = commands.add("disassemble", "The chunks of a recording as several recordings",
                                 [options](Output& out) { return run_disassemble(*options, out); });
  command.add_option("FILE", options->file, "recording (.jfr), - for standard input").required();
  command.add_option("--to,--output,-o", options->directory, "directory to write to; the current one by default");
  const Option chunks = command.add_option("--max-chunks", options->max_chunks, "chunks in a file").default_str("5");
  command.add_option("--max-size", options->max_size, "size of a file instead, such as 20M").excludes(chunks);
  add_quiet(command, "do not list the files");
}

}  // namespace

void add_input_limits(Command& command) {
  command
      .on_text(
          "--max-unpacked",
          [](const std::string& text) { input_limits().unpacked_bytes = *base::parse_byte_size(text); },
          "the largest recording that is read from a pipe or unpacked; 16G by default")
      .check([](const std::string& text) { return base::parse_byte_size(text) ? "" : "is no size: " + text; });
  command.add_option("--max-ratio", input_limits().ratio, "how many times its size a compressed recording may become")
      .in_range(uint64_t{1}, uint64_t{1} << 20)
      .default_str("64");
}

void declare_files(CommandList& commands) {
  declare_verify(commands);
  declare_cut(commands);
  declare_scrub(commands);
  declare_merge(commands);
  declare_disassemble(commands);
}

}  // namespace jrec
