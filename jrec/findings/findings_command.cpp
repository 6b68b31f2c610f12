// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/findings_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/redact.h"
#include "jrec/base/append_format.h"
#include "jrec/base/terminal.h"
#include "jrec/findings/findings_text.h"
#include "jrec/findings/rule.h"

namespace jrec {
namespace {

constexpr size_t kWidestText = 120;

ExitCode refused(const std::string& what) {
  complain("findings", base::Error{base::ErrorCode::kUsage, 0, what});
  return kUsageError;
}

ExitCode list_rules(Output& out) {
  append_format(out.text(), "{:<20} {:>10} {:<6}  {}\n", "rule", "threshold", "", "what");
  for (const Rule& rule : all_rules())
    append_format(out.text(), "{:<20} {:>10} {:<6}  {}\n", rule.name, rule.threshold, rule.unit, rule.what);
  return kDone;
}

bool fails(const FindingsOptions& options, const Findings& findings) {
  for (const Severity severity : {Severity::kNote, Severity::kWarning, Severity::kSerious})
    if (options.fail_on == severity_word(severity)) return findings.any(severity);
  return false;
}

void append(const std::string& file, const Findings& findings, const FindingsOptions& options, std::string& out) {
  if (options.json) return append_findings_json(file, findings, out);
  if (options.markdown) return append_findings_markdown(file, findings, out);
  append_findings_text(file, findings, options.width != 0 ? options.width : std::min(terminal_columns(), kWidestText),
                       out);
}

}  // namespace

ExitCode run_findings(const FindingsOptions& options, Output& out) {
  if (options.list) return list_rules(out);
  if (options.files.empty()) return refused("expected a recording (.jfr), - for standard input");
  FindingOptions asked;
  asked.filter = options.filter;
  for (const std::string& rule : options.rules)
    if (const base::Status known = add_threshold(rule, asked); !known) return refused(known.error().what);
  ExitCode code = kDone;
  bool found = false;
  if (options.json) out.text() += "{\"recordings\":[\n";
  const char* separator = "";
  for (const std::string& file : options.files) {
    Recording recording(file, times_of(options.filter));
    if (!recording.open()) {
      code = std::max(code, recording.finish());
      continue;
    }
    const Findings findings = findings_of(recording, asked);
    code = std::max(code, recording.finish());
    const bool has_no_time =
        findings.found.empty() && recording.chooses_nothing();  // which is not the same as no findings
    if (has_no_time) code = std::max(code, kUsageError);
    if (has_no_time || recording.refused() || recording.chunks() == 0) continue;
    found = found || fails(options, findings);
    out.text() += std::exchange(separator, options.json ? ",\n" : "\n");
    append(base::redact_userinfo(file), findings, options, out.text());
    out.flush_if_large();
  }
  if (options.json) out.text() += "\n]}\n";
  return code == kDone && found ? kFound : code;
}

void declare_findings(CommandList& commands) {
  const auto options = std::make_shared<FindingsOptions>();
  Command findings =
      commands.add("findings", "What is wrong, in words, by rules: hot spots, leaks, locks, pauses, settings",
                   [options](Output& out) { return run_findings(*options, out); });
  findings.add_option("FILE", options->files, "recordings (.jfr), - for standard input").type_name("FILE...");
  findings.add_option("--rule", options->rules, "another threshold for a rule, NAME=NUMBER; may be said again")
      .one_word();
  findings.add_flag("--list-rules", options->list, "the rules and their thresholds");
  findings.add_flag("--json", options->json, "one JSON object");
  findings.add_flag("--markdown", options->markdown, "for pull requests").excludes(findings.option("--json"));
  findings
      .add_option("--fail-on", options->fail_on,
                  "exit with 6 if there is such a finding, or a worse one: note, warning or serious")
      .one_of({"note", "warning", "serious"});
  findings.add_option("--width", options->width, "columns of a line; those of the terminal by default")
      .in_range(40, 100'000);
  add_text_option(findings, "--from", options->filter.from,
                  "only what began then or later, as for other commands; facts of the process count anyway");
  add_text_option(findings, "--to", options->filter.to, "only what began before then");
}

}  // namespace jrec
