// SPDX-License-Identifier: Apache-2.0
#include "jrec/control/control_commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "jrec/base/escape.h"
#include "jrec/control/control.h"
#include "jrec/control/list.h"

namespace jrec {
namespace {

using Shared = std::shared_ptr<ControlOptions>;

// A command with what all have in common.
Command declare_verb(CommandList& commands, ControlVerb verb, const std::string& what, const Shared& options) {
  options->verb = verb;
  Command command = commands.add(word_of(verb), what, [options](Output& out) { return run_control(*options, out); });
  command.add_option("JVM", options->target, "pid, or main class or jar, whole or in part (see jrec list)").required();
  command.add_flag("--json", options->json, "one JSON object");
  command.add_option("--timeout", options->timeout_s, "seconds to wait for the agent's answer")
      .default_str("60")
      .in_range(1, 86'400);
  return command;
}

// An option of the agent that has a name of its own here: --interval 5ms is interval=5ms.
void add_agent_option(Command& command, const std::string& key, const std::string& what, const Shared& options) {
  command.on_text(
      "--" + key, [options, key](const std::string& value) { options->agent_options.push_back(key + "=" + value); },
      what);
}

// Whoever says -o safepoint=10ms means -O, and would have a recording without it.
std::string no_agent_option(const std::string& file) {
  const size_t equals = file.find('=');
  if (equals == 0 || equals == std::string::npos) return {};
  const auto is_letter = [](char letter) { return letter >= 'a' && letter <= 'z'; };
  if (!std::all_of(file.begin(), file.begin() + static_cast<ptrdiff_t>(equals), is_letter)) return {};
  return fmt::format(
      "'{0}' is no file, but an option of the agent: say {0} without -o, or -O {0} (a file of that name is ./{0})",
      plain(file));
}

std::string no_standard_output(const std::string& file) {
  return file == "-" ? "the JVM writes it to a file, and not to standard output (a file of that name is ./-)" : "";
}

std::string no_recording(const std::string& file) {
  const std::string why = no_agent_option(file);
  return why.empty() ? no_standard_output(file) : why;
}

void add_name(Command& command, const Shared& options) {
  add_agent_option(command, "name", "which of several recordings, by its name", options);
}

void declare_start(CommandList& commands) {
  const auto options = std::make_shared<ControlOptions>();
  Command start = declare_verb(commands, ControlVerb::kStart, "Start to record a running JVM", options);
  start
      .add_option(
          "-f,--file,-o,--output", options->file,
          "the recording; the JVM writes it. Options of the agent, as safepoint=10ms, are said without -o, or with -O")
      .check(no_recording);
  add_agent_option(start, "name", "its name; a recording beside another one needs one of its own", options);
  add_agent_option(start, "interval", "CPU time between two samples of a thread: 10ms", options);
  add_agent_option(start, "duration", "how long to record: 60s", options);
  add_agent_option(start, "maxsize", "size of what is kept: 100m", options);
  add_agent_option(start, "maxage", "age of what is kept: 1h", options);
  const auto add = [options](const std::vector<std::string>& words) {
    options->agent_options.insert(options->agent_options.end(), words.begin(), words.end());
  };
  start.on_texts("-O", add, "another option of the agent").type_name("KEY=VALUE").one_word();
  start.on_texts("OPTION", add, "more options of the agent, see docs/options.md").type_name("KEY=VALUE ...");
  start.add_option("--agent", options->agent, "librec.so to load; the one beside jrec by default");
}

void declare_stop(CommandList& commands) {
  const auto options = std::make_shared<ControlOptions>();
  Command stop =
      declare_verb(commands, ControlVerb::kStop, "Stop the recording of a JVM, and finish its file", options);
  add_name(stop, options);
  stop.add_option("-o,--output", options->file, "where the recording goes, instead of its own name")
      .check(no_standard_output);
}

void declare_dump(CommandList& commands) {
  const auto options = std::make_shared<ControlOptions>();
  Command dump = declare_verb(commands, ControlVerb::kDump, "Write the recording of a JVM so far, and go on", options);
  add_name(dump, options);
  dump.add_option("-o,--output", options->file, "file to write; the recording's own name by default")
      .check(no_standard_output);
}

void declare_status(CommandList& commands) {
  const auto options = std::make_shared<ControlOptions>();
  Command status = declare_verb(commands, ControlVerb::kStatus, "How the recording of a JVM is doing", options);
  add_name(status, options);
}

void declare_set(CommandList& commands) {
  const auto options = std::make_shared<ControlOptions>();
  Command set =
      declare_verb(commands, ControlVerb::kSet, "Start, change and stop clocks of a recording that runs", options);
  const auto add = [options](const std::vector<std::string>& words) {
    options->agent_options.insert(options->agent_options.end(), words.begin(), words.end());
  };
  add_name(set, options);
  set.on_texts("SETTING", add,
               "wall=50ms starts a clock or gives it that interval, wall=off stops it: cpu, alloc, wall, live, lock, "
               "nativemem, exceptions; also safepoint, statistics, blackbox, threaddump")
      .type_name("KEY=VALUE ...")
      .required();
}

void declare_threads(CommandList& commands) {
  const auto options = std::make_shared<ControlOptions>();
  Command threads =
      declare_verb(commands, ControlVerb::kThreads, "What every thread of a JVM does, without a safepoint", options);
  threads.add_option("-o,--output", options->file, "file to write; standard output by default");
  threads
      .add_option("--detail", options->detail,
                  "java: stacks and states; native: also system calls and native frames, the default; system: also run "
                  "states, kernel functions and last processors")
      .one_of({"java", "native", "system"});
  threads.add_option("--agent", options->agent, "librec.so to load; the one beside jrec by default");
}

void declare_list(CommandList& commands) {
  const auto options = std::make_shared<ListOptions>();
  Command list = commands.add("list", "The running JVMs", [options](Output& out) { return run_list(*options, out); });
  list.add_flag("--json", options->json, "one JSON object");
}

}  // namespace

void declare_control(CommandList& commands) {
  declare_list(commands);
  declare_start(commands);
  declare_status(commands);
  declare_dump(commands);
  declare_stop(commands);
  declare_set(commands);
  declare_threads(commands);
}

}  // namespace jrec
