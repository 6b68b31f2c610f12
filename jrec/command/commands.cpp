// SPDX-License-Identifier: Apache-2.0
#include "jrec/command/commands.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "jrec/archive/archive_commands.h"
#include "jrec/base/append_format.h"
#include "jrec/base/colour.h"
#include "jrec/base/command_list.h"
#include "jrec/base/escape.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/inputs.h"
#include "jrec/base/output.h"
#include "jrec/base/output_file.h"
#include "jrec/base/quiet.h"
#include "jrec/command/shell_words.h"
#include "jrec/command/short_help.h"
#include "jrec/command/suggest.h"
#include "jrec/control/control_commands.h"
#include "jrec/convert/convert_commands.h"
#include "jrec/files/files_commands.h"
#include "jrec/findings/findings_command.h"
#include "jrec/flame/flame.h"
#include "jrec/flame/flame_text.h"
#include "jrec/fleet/fleet_command.h"
#include "jrec/input/jobs.h"
#include "jrec/mcp/mcp_command.h"
#include "jrec/open/open_command.h"
#include "jrec/print/metadata_command.h"
#include "jrec/print/print.h"
#include "jrec/print/summary.h"
#include "jrec/profile/collapsed.h"
#include "jrec/profile/hot.h"
#include "jrec/profile/profile_command.h"
#include "jrec/push/push.h"
#include "jrec/recover/recover.h"
#include "jrec/report/report.h"
#include "jrec/safepoints/safepoints_command.h"
#include "jrec/sql/sql_command.h"
#include "jrec/symbols/symbolize.h"
#include "jrec/view/top.h"
#include "jrec/view/view_command.h"

namespace jrec {
namespace {

int usage_error(const std::string& what) {
  const std::string line = fmt::format("jrec: {}\n", plain(what));
  std::fwrite(line.data(), 1, line.size(), stderr);
  return kUsageError;
}

void declare_summary(CommandList& commands) {
  const auto options = std::make_shared<SummaryOptions>();
  Command summary = commands.add("summary", "What a recording holds: chunks, times, events by type, losses",
                                 [options](Output& out) { return run_summary(*options, out); });
  add_files(summary, options->files);
  summary.add_flag("--json", options->json, "one JSON object");
}

void declare_collapsed(CommandList& commands) {
  const auto options = std::make_shared<CollapsedOptions>();
  Command collapsed = commands.add("collapsed", "One line per distinct stack: frames from the root, and the weight",
                                   [options](Output& out) { return run_collapsed(*options, out); });
  add_files(collapsed, options->files);
  add_profile(collapsed, options->profile);
}

void declare_flame(CommandList& commands) {
  const auto options = std::make_shared<FlameOptions>();
  Command flame = commands.add("flame", "A flame graph, as one HTML page", [options](Output& out) {
    return options->text ? run_flame_text(*options, out) : run_flame(*options, out);
  });
  add_files(flame, options->files);
  flame.add_option("--output,-o", options->out, "file to write; standard output by default");
  flame.add_option("--diff", options->before, "another recording, from before: colours show what has changed");
  flame.add_option("--title", options->title, "title of the page; the file's name by default");
  Option text = flame.add_flag("--text", options->text, "the tree as lines of text, and no page");
  text.excludes(flame.option("--diff"));
  Option frames = flame.add_option("--frames", options->frames,
                                   "of the page: of more than about so many the thinnest are folded; 0: none are");
  frames.default_str("200000").excludes(text);
  frames.excludes(flame.option("--diff"));
  flame.add_option("--least", options->least_percent, "of --text: frames with less of all, in percent, are folded")
      .default_str("1")
      .in_range(0.0, 100.0);
  flame.add_option("--rows", options->text_rows, "of --text: lines to print; 0: all").default_str("500");
  add_profile(flame, options->profile);
}

void declare_hot(CommandList& commands) {
  const auto options = std::make_shared<HotOptions>();
  Command hot =
      commands.add("hot", "The hottest methods, as a table", [options](Output& out) { return run_hot(*options, out); });
  add_files(hot, options->files);
  hot.add_option("-n,--rows", options->rows, "rows to print; 0: all").default_str("20");
  hot.add_option("--width", options->width, "columns of the table; those of the terminal by default");
  add_profile(hot, options->profile);
}

void declare_shell(CommandList& commands, const CommandLine& line) {
  const auto shell = std::make_shared<std::string>();
  Command script = commands.add("completion", "The completion script of a shell", [shell](Output& out) {
    out.add(completion("jrec", *shell == "zsh" ? Shell::kZsh : *shell == "fish" ? Shell::kFish : Shell::kBash));
    return kDone;
  });
  script.add_option("SHELL", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  Command page = commands.add("manual", "The manual, for man", [&line](Output& out) {
    out.add(manual(line.words()));
    return kDone;
  });
  page.hide();  // for the installation
  const auto subject = std::make_shared<std::string>();
  Command help =
      commands.add("help", "What a command does and takes: the same as COMMAND --help", [subject, &line](Output& out) {
        out.add(line.help());  // jrec help hot is read as jrec hot --help
        return kDone;
      });
  help.add_option("COMMAND", *subject, "which; none: all of them in a line each");
}

// The order of --help.
void declare_all(CommandList& commands) {
  commands.topic("Record a JVM");
  declare_control(commands);
  commands.topic("See what a recording says");
  declare_summary(commands);
  declare_findings(commands);
  declare_hot(commands);
  declare_report(commands);
  declare_open(commands);
  declare_flame(commands);
  declare_heatmap(commands);
  declare_top(commands);
  declare_view(commands);
  declare_safepoints(commands);
  declare_diff(commands);
  declare_sql(commands);
  declare_print(commands);
  declare_metadata(commands);
  commands.topic("Hand it to other tools");
  declare_collapsed(commands);
  declare_convert(commands);
  declare_push(commands);
  declare_export(commands);
  declare_mcp(commands);
  commands.topic("Keep and mend files");
  declare_archive(commands);
  declare_recover(commands);
  declare_symbolize(commands);
  declare_files(commands);
  commands.topic("Help");
}

bool is_regular_file(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode);
}

// Of those that the help tells of.
int unknown_command(const ProgramWords& program, const std::string& word) {
  std::vector<std::string> names;
  for (const CommandWords& command : program.commands) names.push_back(command.name);
  if (is_regular_file(word))
    return usage_error(fmt::format("'{}' is a file, and a command stands in front of it: jrec summary {}", word, word));
  if (word == "version") return usage_error("there is no command 'version'; did you mean '--version'?");
  const std::string meant = base::nearest(word, names);
  if (!meant.empty()) return usage_error(fmt::format("there is no command '{}'; did you mean '{}'?", word, meant));
  return usage_error(fmt::format("there is no command '{}'; the commands are {}", word, joined(names, ", ")));
}

int nothing_asked(const std::string& help) {
  std::fwrite(help.data(), 1, help.size(), stderr);
  return kUsageError;
}

void set_colours_by(const std::string& word) {
  set_colours(word == "always" ? ColourWhen::kAlways : word == "never" ? ColourWhen::kNever : ColourWhen::kAuto);
}

// jrec help, jrec help hot: jrec --help, jrec hot --help.
std::vector<const char*> asked_for_help(std::vector<const char*> words) {
  if (words[1] != std::string_view("help")) return words;
  words.erase(words.begin() + 1);
  words.push_back("--help");
  return words;
}

// jrec complete -- WORDS: by a shell, before anything is parsed, for such words are not complete.
bool is_asked_to_complete(int argc, const char* const* argv) {
  return argc > 2 && argv[1] == std::string_view("complete") && argv[2] == std::string_view("--");
}

int output_error(const std::string& name, int errno_value) {
  if (errno_value != EPIPE)  // the reader has left: nobody to tell
    usage_error(fmt::format("{}: {}", name, output_error_text(errno_value)));
  return kOutputFailed;
}

int finish(ExitCode code, Output& out) {
  return out.finish() ? code : output_error("standard output", out.errno_value());
}

int print_text(const std::string& text) {
  Output out(STDOUT_FILENO);
  out.page_long_text();
  out.add(text);
  return finish(kDone, out);
}

int complete_words(const ProgramWords& program, const std::vector<std::string>& words) {
  Output out(STDOUT_FILENO);
  out.add(suggestion_lines(suggest(program, words, real_names())));
  return finish(kDone, out);
}

int run_into(const std::string& path, const CommandList& commands, bool page) {
  if (path.empty() || path == "-") {
    Output out(STDOUT_FILENO);
    if (page && !commands.keeps_terminal()) out.page_long_text();
    return finish(commands.run(out), out);
  }
  keep_colours_off();
  OutputFile file(path);
  if (file.fd() < 0) return output_error(path, errno);
  Output out(file.fd());
  const ExitCode code = commands.run(out);
  if (!out.flush()) return output_error(path, out.errno_value());
  if (code == kDone || code == kDamaged)
    if (!file.commit()) return output_error(path, errno);
  return code;
}

}  // namespace

int run(int argc, const char* const* argv) {
  forget_inputs();
  set_quiet(false);
  CommandLine line("jrec", "Records running JVMs, and reads flight recordings", JREC_VERSION);
  Command root = line.root();
  CommandList commands(root);
  add_input_limits(root);
  size_t jobs = 0;
  root.add_option("--jobs", jobs, "chunks to read at once; by default as many as there are processors, up to 8")
      .in_range(1, 1024);
  std::string output;
  root.add_option("--output,-o", output, "file to write; standard output by default");
  add_quiet(root, "no progress, and no word on what went well");
  root.on_text("--color", set_colours_by, "auto, always or never; auto: on a terminal, unless NO_COLOR is set")
      .one_of({"auto", "always", "never"});
  bool no_pager = false;
  root.add_flag("--no-pager", no_pager, "long texts straight to the terminal, and not by $JREC_PAGER, $PAGER or less")
      .repeatable();
  declare_all(commands);
  declare_shell(commands, line);
  if (argc < 2) return nothing_asked(short_help(line.words()));
  if (is_asked_to_complete(argc, argv)) return complete_words(line.words(), {argv + 3, argv + argc});
  const std::vector<const char*> words = asked_for_help({argv, argv + argc});
  const std::vector<std::string>& names = commands.names();
  if (words[1][0] != '-' && std::find(names.begin(), names.end(), words[1]) == names.end())
    return unknown_command(line.words(), words[1]);
  const CommandLine::Answer answer = line.parse(static_cast<int>(words.size()), words.data());
  if (answer.kind == CommandLine::Answer::kRefuse) return usage_error(answer.text);
  if (answer.kind == CommandLine::Answer::kPrint) return print_text(answer.text);
  if (const std::string why = commands.why_no_output(); !output.empty() && !why.empty()) return usage_error(why);
  if (jobs != 0) set_jobs(jobs);
  return run_into(output, commands, !no_pager);
}

}  // namespace jrec
