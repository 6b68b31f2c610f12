// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/findings_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "jrec/base/append_format.h"
#include "jrec/base/colour.h"
#include "jrec/base/columns.h"
#include "jrec/base/escape.h"
#include "jrec/findings/words.h"
#include "jrec/values/time_text.h"
#include "jrec/view/cell.h"

namespace jrec {
namespace {

constexpr size_t kIndent = 9;  // under the title, behind the longest word of severity

// Between words; a word that is longer than a line has one of its own.
void append_wrapped(const std::string& text, size_t width, std::string& out) {
  const std::string indent(kIndent, ' ');
  size_t column = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const size_t takes = text_width(word);
    at = end + 1;
    if (word.empty()) continue;
    if (column == 0 || column + 1 + takes > width) {
      out += (column == 0 ? "" : "\n") + indent + word;
      column = kIndent + takes;
    } else {
      out += ' ' + word;
      column += 1 + takes;
    }
  }
  if (column != 0) out += '\n';
}

std::string measured(double value, const std::string& unit) {
  const std::string number =
      value == std::floor(value) && value < 1e15 ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
  return unit.empty() ? number : number + " " + unit;
}

std::string clock_words(int64_t ns, const Findings& findings) {
  return show(Cell::of(ns, Content::kTime), findings.utc_offset_s);
}

std::string when_words(const Finding& finding, const Findings& findings) {
  if (finding.from_ns == 0 && finding.to_ns == 0) return "";
  const std::string from = clock_words(finding.from_ns, findings), to = clock_words(finding.to_ns, findings);
  return from == to ? from : from + " to " + to;
}

// Rules of one reason together, the reasons in the order of the rules.
std::vector<std::pair<std::string, std::vector<std::string>>> by_reason(const Findings& findings) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const Unjudged& unjudged : findings.unjudged) {
    auto place = std::ranges::find(reasons, unjudged.why, [](const auto& reason) { return reason.first; });
    if (place == reasons.end()) place = reasons.insert(reasons.end(), {unjudged.why, {}});
    place->second.push_back(unjudged.rule);
  }
  return reasons;
}

std::string heading(const std::string& file, const Findings& findings) {
  const size_t count = findings.found.size();
  return fmt::format("{}: {} finding{} in {}", plain(file), count == 0 ? "no" : std::to_string(count),
                     count == 1 ? "" : "s", time_words(static_cast<double>(findings.duration_ns)));
}

std::string severity_in_colour(Severity severity) {
  const std::string word(severity_word(severity)), blanks(kIndent - word.size(), ' ');
  if (severity == Severity::kNote) return word + blanks;
  return coloured(severity == Severity::kSerious ? Colour::kRed : Colour::kBold, word) + blanks;
}

void append_finding(const Finding& finding, const Findings& findings, size_t width, std::string& out) {
  std::string title;
  append_wrapped(plain(finding.title), width, title);
  out += '\n' + severity_in_colour(finding.severity) + title.substr(kIndent);
  append_wrapped(plain(finding.text), width, out);
  std::string evidence;
  for (const Evidence& each : finding.evidence) {
    if (each.value.empty()) continue;
    evidence += (evidence.empty() ? "" : ", ") + each.what + " " + each.value;
  }
  append_wrapped(plain(evidence), width, out);
  append_wrapped(when_words(finding, findings), width, out);
  append_wrapped(fmt::format("rule {}: {}, from {} on", finding.rule, measured(finding.value, finding.unit),
                             measured(finding.threshold, finding.unit)),
                 width, out);
  append_format(out, "{:<{}}{}\n", "", kIndent, plain(finding.command));
}

void append_unjudged_text(const Findings& findings, size_t width, std::string& out) {
  append_format(out, "\n{} rules found nothing", findings.fine.size());
  if (findings.unjudged.empty()) return void(out += ".\n");
  append_format(out, ", {} could not be judged:\n", findings.unjudged.size());
  for (const auto& [why, rules] : by_reason(findings))
    append_wrapped(plain(why) + ": " + joined(rules, ", "), width, out);
}

// --- JSON ---

void append_member(const char* name, const std::string& value, std::string& out) {
  append_format(out, "\"{}\":", name);
  append_json_string(value, out);
}

void append_time_member(const char* name, int64_t ns, const Findings& findings, std::string& out) {
  std::string time;
  append_time_ns(ns, findings.utc_offset_s, time);
  append_member(name, time, out);
}

void append_evidence(const Finding& finding, std::string& out) {
  out += ",\"evidence\":[";
  const char* separator = "";
  for (const Evidence& each : finding.evidence) {
    out += std::exchange(separator, ",");
    append_member("what", each.what, out += '{');
    append_member("value", each.value, out += ',');
    out += '}';
  }
  out += ']';
}

void append_finding_json(const Finding& finding, const Findings& findings, std::string& out) {
  append_member("rule", finding.rule, out += '{');
  append_member("severity", std::string(severity_word(finding.severity)), out += ',');
  append_member("title", finding.title, out += ',');
  append_member("text", finding.text, out += ',');
  append_format(out, ",\"value\":{},\"threshold\":{},", finding.value, finding.threshold);
  append_member("unit", finding.unit, out);
  append_evidence(finding, out);
  if (finding.from_ns != 0 || finding.to_ns != 0) {
    append_time_member("from", finding.from_ns, findings, out += ',');
    append_time_member("to", finding.to_ns, findings, out += ',');
  }
  append_member("command", finding.command, out += ',');
  out += '}';
}

// --- Markdown ---

// What would mean something to it has a backslash in front.
std::string markdown(const std::string& text) {
  std::string out;
  for (const char c : plain(text)) {
    if (std::string_view("\\`*_{}[]<>#|&~$@").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// In as many backticks as the text does not have.
std::string code(const std::string& text) {
  std::string fence = "`";
  while (text.find(fence) != std::string::npos) fence += '`';
  return fence.size() == 1 ? fence + plain(text) + fence : fence + " " + plain(text) + " " + fence;
}

}  // namespace

void append_findings_text(const std::string& file, const Findings& findings, size_t width, std::string& out) {
  out += heading(file, findings) + '\n';
  for (const std::string& twice : findings.recorded_twice) append_wrapped(twice, width, out);
  for (const Finding& finding : findings.found) append_finding(finding, findings, width, out);
  append_unjudged_text(findings, width, out);
}

void append_findings_json(const std::string& file, const Findings& findings, std::string& out) {
  append_member("file", file, out += '{');
  append_time_member("start", findings.start_ns, findings, out += ',');
  append_format(out, ",\"durationNanos\":{},\"recordedTwice\":[", findings.duration_ns);
  const char* separator = "";
  for (const std::string& twice : findings.recorded_twice)
    append_json_string(twice, out += std::exchange(separator, ","));
  out += "],\"findings\":[";
  separator = "\n";
  for (const Finding& finding : findings.found)
    append_finding_json(finding, findings, out += std::exchange(separator, ",\n"));
  out += "],\n\"unjudged\":[";
  separator = "\n";
  for (const Unjudged& unjudged : findings.unjudged) {
    out += std::exchange(separator, ",\n");
    append_member("rule", unjudged.rule, out += '{');
    append_member("why", unjudged.why, out += ',');
    out += '}';
  }
  out += "],\n\"fine\":[";
  separator = "";
  for (const std::string& rule : findings.fine) append_json_string(rule, out += std::exchange(separator, ","));
  out += "]}";
}

void append_findings_markdown(const std::string& file, const Findings& findings, std::string& out) {
  append_format(out, "### {}\n\n", markdown(heading(file, findings)));
  for (const std::string& twice : findings.recorded_twice) append_format(out, "{}\n\n", markdown(twice));
  for (const Finding& finding : findings.found) {
    append_format(out, "* **{}: {}** ({} {})\n", severity_word(finding.severity), markdown(finding.title),
                  code(finding.rule), markdown(measured(finding.value, finding.unit)));
    if (!finding.text.empty()) append_format(out, "  {}\n", markdown(finding.text));
    for (const Evidence& each : finding.evidence)
      if (!each.value.empty()) append_format(out, "  * {} {}\n", markdown(each.what), code(each.value));
    append_format(out, "  * {}\n", code(finding.command));
  }
  append_format(out, "{}{} rules found nothing, {} could not be judged.\n", findings.found.empty() ? "" : "\n",
                findings.fine.size(), findings.unjudged.size());
}

}  // namespace jrec
