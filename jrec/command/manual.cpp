// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "jrec/base/append_format.h"
#include "jrec/base/exit_code.h"
#include "jrec/command/shell_words.h"

namespace jrec {
namespace {

// What roff would read as its own: backslashes, hyphens that are no hyphenation, and dots and quotes that begin a line.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out.empty() || (out[0] != '.' && out[0] != '\'') ? out : "\\&" + out;
}

void append_options(const std::vector<OptionWords>& options, std::string& out) {
  for (const OptionWords& option : options) {
    std::string names = joined(option.names, ", ");
    if (option.names.empty()) names = option.value;
    const bool has_value = !option.names.empty() && !option.value.empty();
    append_format(out, ".TP\n\\fB{}\\fR{}\n{}\n", roff(names), has_value ? " \\fI" + roff(option.value) + "\\fR" : "",
                  roff(option.what));
  }
}

void append_command(const std::string& name, const CommandWords& command, std::string& out) {
  append_format(out, ".SS {}\n{}\n", roff(name), roff(command.what));
  append_options(command.options, out);
  for (const CommandWords& verb : command.verbs) append_command(name + " " + verb.name, verb, out);
}

struct Ending {
  ExitCode code;
  const char* what;
};

constexpr Ending kEndings[] = {
    {kDone, "All is well."},
    {kUsageError, "The command line makes no sense, or the file cannot be opened."},
    {kDamaged, "Part of the input is damaged; the good rest was printed."},
    {kNothingReadable, "The input is no recording that can be read."},
    {kOutputFailed, "What was printed is not complete: the disk is full, or the pipe was closed."},
    {kNotAttached, "The JVM cannot be reached, or refused."},
    {kInterrupted, "Interrupted."},
};

}  // namespace

std::string manual(const ProgramWords& words) {
  std::string title = words.program;
  std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string out = fmt::format(
      ".TH {0} 1 \"\" \"rec {1}\"\n.SH NAME\n{2} \\- {3}\n.SH SYNOPSIS\n.B {2}\n\\fICOMMAND\\fR [\\fIOPTION\\fR]... "
      "[\\fIFILE\\fR]...\n.SH DESCRIPTION\n"
      "Recordings are files in the format of JDK Flight Recorder, of any JDK since 9, of async\\-profiler or of rec; "
      "plain, or wrapped by gzip, zstd or lz4.\n\\fB\\-\\fR is standard input.\n"
      "Damaged recordings are read as far as they are good.\n.SH COMMANDS\n",
      title, words.version, words.program, roff(words.what));
  for (const CommandWords& command : words.commands) append_command(command.name, command, out);
  out += ".SH OPTIONS OF ALL COMMANDS\n";
  append_options(words.options, out);
  out += ".SH EXIT STATUS\n";
  for (const Ending& ending : kEndings)
    append_format(out, ".TP\n\\fB{}\\fR\n{}\n", static_cast<int>(ending.code), ending.what);
  out +=
      ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nNo colours on the terminal.\n.TP\n\\fBJREC_PAGER\\fR, "
      "\\fBPAGER\\fR\nWhat shows texts that are "
      "longer than the terminal; less by default, none where it is empty.\n.TP\n\\fBCOLUMNS\\fR\nThe width of tables, "
      "where the terminal does not tell.\n.SH SEE ALSO\n.BR jfr (1),\n.BR jcmd (1)\n";
  return out;
}

}  // namespace jrec
