// SPDX-License-Identifier: Apache-2.0
#include "jrec/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "jrec/collapsed.h"
#include "jrec/escape.h"
#include "jrec/exit_code.h"
#include "jrec/flame.h"
#include "jrec/hot.h"
#include "jrec/nearest.h"
#include "jrec/output.h"
#include "jrec/print.h"
#include "jrec/summary.h"

namespace jrec {
namespace {

struct Options {
  SummaryOptions summary;
  PrintOptions print;
  CollapsedOptions collapsed;
  FlameOptions flame;
  HotOptions hot;
};

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

void declare(CLI::App& app, Options& options) {
  CLI::App& summary = *app.add_subcommand("summary", "What a recording holds: chunks, times, events by type, losses");
  add_file(summary, options.summary.file);
  summary.add_flag("--json", options.summary.json, "one JSON object");

  CLI::App& print = *app.add_subcommand("print", "Every event of a recording");
  add_file(print, options.print.file);
  print.add_flag("--json", options.print.json, "one JSON document, as jfr print --json has it");
  print.add_option("--events", options.print.events, "only these: names with * and ?, separated by commas");
  print.add_option("--stack-depth", options.print.stack_depth, "frames to print of each stack")->default_str("2048");

  CLI::App& collapsed =
      *app.add_subcommand("collapsed", "One line per distinct stack: frames from the root, and the weight");
  add_file(collapsed, options.collapsed.file);
  add_profile(collapsed, options.collapsed.profile);

  CLI::App& flame = *app.add_subcommand("flame", "A flame graph, as one HTML page");
  add_file(flame, options.flame.file);
  flame.add_option("--output,-o", options.flame.out, "file to write; standard output by default");
  flame.add_option("--title", options.flame.title, "title of the page; the file's name by default");
  add_profile(flame, options.flame.profile);

  CLI::App& hot = *app.add_subcommand("hot", "The hottest methods, as a table");
  add_file(hot, options.hot.file);
  hot.add_option("-n,--rows", options.hot.rows, "rows to print")->default_str("20");
  hot.add_option("--width", options.hot.width, "columns of the table; those of the terminal by default");
  add_profile(hot, options.hot.profile);
}

int usage_error(const std::string& what) {
  const std::string line = fmt::format("jrec: {}\n", plain(what));
  std::fwrite(line.data(), 1, line.size(), stderr);
  return kUsageError;
}

ExitCode dispatch(const CLI::App& app, const Options& options, Output& out) {
  const std::string& name = app.get_subcommands().front()->get_name();
  if (name == "summary") return run_summary(options.summary, out);
  if (name == "print" && !options.print.json) {
    usage_error("print writes JSON so far: add --json");
    return kUsageError;
  }
  if (name == "print") return run_print(options.print, out);
  if (name == "collapsed") return run_collapsed(options.collapsed, out);
  if (name == "flame") return run_flame(options.flame, out);
  return run_hot(options.hot, out);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
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
  Options options;
  CLI::App app("Reads flight recordings of the JVM", "jrec");
  app.set_version_flag("--version", "jrec " JREC_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  declare(app, options);
  const std::vector<std::string> names = command_names(app);
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
  return finish(dispatch(app, options, out), out);
}

}  // namespace jrec
