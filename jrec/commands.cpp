// SPDX-License-Identifier: Apache-2.0
#include "jrec/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "jrec/collapsed.h"
#include "jrec/command_list.h"
#include "jrec/control_commands.h"
#include "jrec/escape.h"
#include "jrec/exit_code.h"
#include "jrec/flame.h"
#include "jrec/hot.h"
#include "jrec/nearest.h"
#include "jrec/output.h"
#include "jrec/print.h"
#include "jrec/recover.h"
#include "jrec/summary.h"

namespace jrec {
namespace {

int usage_error(const std::string& what) {
  const std::string line = fmt::format("jrec: {}\n", plain(what));
  std::fwrite(line.data(), 1, line.size(), stderr);
  return kUsageError;
}

void add_file(CLI::App& command, std::string& file) {
  command.add_option("FILE", file, "recording (.jfr), - for standard input")->required();
}

void add_profile(CLI::App& command, ProfileOptions& profile) {
  command
      .add_option("--event,-e", profile.event,
                  "cpu, native, cputime, execution, wall, alloc, lock, or the name of an event type")
      ->default_str("cpu");
  command.add_flag("--samples", profile.count_samples, "count events, not what they weigh");
  command.add_flag("--mark-truncated", profile.mark_truncated,
                   "put a frame [truncated] under stacks whose outer frames are missing");
}

void declare_summary(CommandList& commands) {
  const auto options = std::make_shared<SummaryOptions>();
  CLI::App& summary = commands.add("summary", "What a recording holds: chunks, times, events by type, losses",
                                   [options](Output& out) { return run_summary(*options, out); });
  add_file(summary, options->file);
  summary.add_flag("--json", options->json, "one JSON object");
}

void declare_print(CommandList& commands) {
  const auto options = std::make_shared<PrintOptions>();
  CLI::App& print = commands.add("print", "Every event of a recording", [options](Output& out) {
    if (options->json) return run_print(*options, out);
    usage_error("print writes JSON so far: add --json");
    return kUsageError;
  });
  add_file(print, options->file);
  print.add_flag("--json", options->json, "one JSON document, as jfr print --json has it");
  print.add_option("--events", options->events, "only these: names with * and ?, separated by commas");
  print.add_option("--stack-depth", options->stack_depth, "frames to print of each stack")->default_str("2048");
}

void declare_collapsed(CommandList& commands) {
  const auto options = std::make_shared<CollapsedOptions>();
  CLI::App& collapsed = commands.add("collapsed", "One line per distinct stack: frames from the root, and the weight",
                                     [options](Output& out) { return run_collapsed(*options, out); });
  add_file(collapsed, options->file);
  add_profile(collapsed, options->profile);
}

void declare_flame(CommandList& commands) {
  const auto options = std::make_shared<FlameOptions>();
  CLI::App& flame = commands.add("flame", "A flame graph, as one HTML page",
                                 [options](Output& out) { return run_flame(*options, out); });
  add_file(flame, options->file);
  flame.add_option("--output,-o", options->out, "file to write; standard output by default");
  flame.add_option("--title", options->title, "title of the page; the file's name by default");
  add_profile(flame, options->profile);
}

void declare_hot(CommandList& commands) {
  const auto options = std::make_shared<HotOptions>();
  CLI::App& hot =
      commands.add("hot", "The hottest methods, as a table", [options](Output& out) { return run_hot(*options, out); });
  add_file(hot, options->file);
  hot.add_option("-n,--rows", options->rows, "rows to print")->default_str("20");
  hot.add_option("--width", options->width, "columns of the table; those of the terminal by default");
  add_profile(hot, options->profile);
}

// The order of --help.
void declare_all(CommandList& commands) {
  declare_summary(commands);
  declare_print(commands);
  declare_collapsed(commands);
  declare_flame(commands);
  declare_hot(commands);
  declare_control(commands);
  declare_recover(commands);
}

int unknown_command(const std::vector<std::string>& names, const std::string& word) {
  const std::string meant = nearest(word, names);
  if (!meant.empty()) return usage_error(fmt::format("there is no command '{}'; did you mean '{}'?", word, meant));
  return usage_error(fmt::format("there is no command '{}'; the commands are {}", word, fmt::join(names, ", ")));
}

int finish(ExitCode code, Output& out) {
  if (out.flush()) return code;
  if (out.errno_value() == EPIPE) return kOutputFailed;  // the reader has left: nobody to tell
  usage_error(fmt::format("standard output: {}", std::strerror(out.errno_value())));
  return kOutputFailed;
}

}  // namespace

int run(int argc, const char* const* argv) {
  CLI::App app("Records running JVMs, and reads flight recordings", "jrec");
  CommandList commands(app);
  app.set_version_flag("--version", "jrec " JREC_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  declare_all(commands);
  const std::vector<std::string>& names = commands.names();
  if (argc >= 2 && argv[1][0] != '-' && std::find(names.begin(), names.end(), argv[1]) == names.end())
    return unknown_command(names, argv[1]);
  Output out(STDOUT_FILENO);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    out.add(chosen.empty() ? app.help() : chosen.front()->help());
    return finish(kDone, out);
  } catch (const CLI::CallForVersion& version) {
    out.add(std::string(version.what()) + "\n");
    return finish(kDone, out);
  } catch (const CLI::ParseError& error) {
    return usage_error(fmt::format("{} (jrec --help tells more)", error.what()));
  }
  return finish(commands.run(out), out);
}

}  // namespace jrec
