// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/findings.h"

#include <algorithm>

#include "jrec/flame/page_json.h"

namespace jrec {
namespace {

std::string_view method_of(const Finding& finding) {
  const auto method = std::ranges::find(finding.evidence, "method", &Evidence::what);
  return method == finding.evidence.end() ? std::string_view() : std::string_view(method->value);
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
    if (finding.to_ns > finding.from_ns)
      append_format(out, ",\"from\":{:.3f},\"to\":{:.3f}}}", axis.since_ms(finding.from_ns),
                    axis.since_ms(finding.to_ns));
    else
      out += ",\"from\":null,\"to\":null}";
  });
}

}  // namespace jrec
