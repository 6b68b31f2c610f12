// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/findings.h"

#include <algorithm>

#include "jrec/flame/page_json.h"
#include "jrec/report/tables.h"

namespace jrec {
namespace {

std::string_view method_of(const Finding& finding) {
  const auto method = std::ranges::find(finding.evidence, "method", &Evidence::what);
  return method == finding.evidence.end() ? std::string_view() : std::string_view(method->value);
}

// The clock of the page whose stacks the finding's command shows, and the panel with its tables; empty: none.
std::string_view clock_of(const std::string& command) {
  const auto shows = [&](std::string_view event) { return command.find(event) != std::string::npos; };
  if (shows(" -e jdk.JavaMonitorEnter") || shows(" -e jdk.ThreadPark")) return "lock";
  for (const std::string_view clock : {"cpu", "alloc", "live", "wall"})
    if (shows(" -e " + std::string(clock))) return clock;
  return {};
}

std::string_view panel_with(const std::string& command) {
  const std::string_view clock = clock_of(command);
  if (clock == "lock") return "locks";
  if (clock == "alloc" || clock == "live") return "allocation";
  if (!clock.empty()) return "stacks";
  constexpr std::string_view kView = "view ";
  const size_t at = command.find(kView);
  if (at != std::string::npos)
    return panel_of(command.substr(at + kView.size(), command.find(' ', at + kView.size()) - at - kView.size()));
  return command.find("safepoints") != std::string::npos ? "safepoints" : std::string_view();
}

void append_text(const char* key, std::string_view text, std::string& out) {
  append_format(out, ",\"{}\":", key);
  append_shown(text, out);
}

}  // namespace

void append_findings(const Findings& findings, const ReportAxis& axis, std::string& out) {
  append_list("findings", findings.found, out, [&](const Finding& finding) {
    append_format(out, "{{\"severity\":\"{}\"", severity_word(finding.severity));
    append_text("rule", finding.rule, out);
    append_text("title", finding.title, out);
    append_text("text", finding.text, out);
    append_text("command", finding.command, out);
    append_text("method", method_of(finding), out);
    append_text("clock", clock_of(finding.command), out);
    append_text("panel", panel_with(finding.command), out);
    if (finding.to_ns > finding.from_ns)
      append_format(out, ",\"from\":{:.3f},\"to\":{:.3f}}}", axis.since_ms(finding.from_ns),
                    axis.since_ms(finding.to_ns));
    else
      out += ",\"from\":null,\"to\":null}";
  });
}

}  // namespace jrec
