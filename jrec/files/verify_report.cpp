// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/verify_report.h"

#include <fmt/core.h>

#include "jrec/base/escape.h"
#include "jrec/base/plural.h"

namespace jrec {
namespace {

const char* name_of(Severity severity) { return severity == Severity::kDamage ? "damage" : "warning"; }

}  // namespace

const char* name_of(ProblemKind trouble) {
  static constexpr const char* kNames[kProblemKinds] = {"structure", "header", "metadata", "checkpoint", "constant",
                                                        "reference", "frame",  "event",    "time",       "order"};
  return kNames[static_cast<size_t>(trouble)];
}

void VerifyReport::begin_chunk(size_t chunk) {
  end();
  chunk_ = chunk;
}

void VerifyReport::end() {
  for (size_t i = 0; i < kProblemKinds; ++i)
    if (seen_[i] > kMostShown) more_.push_back({static_cast<ProblemKind>(i), chunk_, seen_[i] - kMostShown});
  seen_.fill(0);
}

bool VerifyReport::count(Severity severity, ProblemKind trouble) {
  ++(severity == Severity::kDamage ? damages_ : warnings_);
  return ++seen_[static_cast<size_t>(trouble)] <= kMostShown;
}

void VerifyReport::add_all(const jfr::read::Problems& problems) {
  for (const base::Error& problem : problems.kept())
    add(Severity::kDamage, ProblemKind::kStructure, problem.offset, [&] { return problem.what; });
  damages_ += problems.count() - problems.kept().size();
  seen_[static_cast<size_t>(ProblemKind::kStructure)] += problems.count() - problems.kept().size();
}

void VerifyReport::print_text(const std::string& file, Output& out) const {
  const std::string name = plain(file);
  for (const Finding& finding : findings_)
    out.add(fmt::format("{}: chunk {} at {:#x}: {}: {}: {}\n", name, finding.chunk, finding.offset,
                        name_of(finding.severity), name_of(finding.trouble), plain(finding.what)));
  for (const More& more : more_)
    out.add(fmt::format("{}: chunk {}: {} more of {}\n", name, more.chunk, more.count, name_of(more.trouble)));
  const std::string verdict = damages_ + warnings_ == 0 ? (chunks == 0 ? "no recording" : "no problem")
                              : warnings_ == 0          ? plural(damages_, "damage")
                              : damages_ == 0           ? plural(warnings_, "warning")
                                              : plural(damages_, "damage") + ", " + plural(warnings_, "warning");
  out.add(fmt::format("{}: {}, {}, {}: {}\n", name, plural(chunks, "chunk"), plural(events, "event"),
                      plural(constants, "constant"), verdict));
}

std::string VerifyReport::json(const std::string& file) const {
  std::string text = "{\"file\":";
  append_json_string(file, text);
  text += fmt::format(",\"chunks\":{},\"events\":{},\"constants\":{},\"damages\":{},\"warnings\":{},\"problems\":[",
                      chunks, events, constants, damages_, warnings_);
  const char* separator = "\n";
  for (const Finding& finding : findings_) {
    text += fmt::format("{}{{\"severity\":\"{}\",\"kind\":\"{}\",\"chunk\":{},\"offset\":{},\"reason\":", separator,
                        name_of(finding.severity), name_of(finding.trouble), finding.chunk, finding.offset);
    append_json_string(finding.what, text);
    text += "}";
    separator = ",\n";
  }
  text += "],\"more\":[";
  separator = "\n";
  for (const More& more : more_) {
    text += fmt::format("{}{{\"kind\":\"{}\",\"chunk\":{},\"count\":{}}}", separator, name_of(more.trouble), more.chunk,
                        more.count);
    separator = ",\n";
  }
  return text + "]}";
}

}  // namespace jrec
