// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/rule.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "jrec/base/escape.h"
#include "jrec/findings/words.h"

namespace jrec {

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> kAll = [] {
    std::vector<Rule> all;
    for (const auto rules :
         {vm_rules(), thread_rules(), collection_rules(), heap_rules(), waiting_rules(), slow_rules(), cpu_rules(),
          allocation_rules(), machine_rules(), settings_rules(), recording_rules()})
      all.insert(all.end(), rules.begin(), rules.end());
    return all;
  }();
  return kAll;
}

void Verdict::unjudged(std::string why) {
  silent_ = false;
  findings_.unjudged.push_back({std::string(rule_.name), std::move(why)});
}

bool Verdict::recorded(const Facts& facts, std::string_view type) {
  if (facts.records(type)) return true;
  unjudged(std::string(type) + " was not recorded");
  return false;
}

bool Verdict::long_enough(const Facts& facts) {
  if (facts.seconds() >= kShort_s) return true;
  unjudged("the recording is shorter than 5 s");
  return false;
}

bool is_enough_time(const Facts& facts, double ns) {
  constexpr double kEnough_ns = 0.5e9;
  return ns >= kEnough_ns || facts.seconds() >= Verdict::kShort_s;
}

double share_of_time(const Facts& facts, double ns) {
  return facts.jvms_ns > 0 ? ns / static_cast<double>(facts.jvms_ns) * 100 : 0;
}

bool Verdict::enough(const SampledFacts& samples, std::string_view what, uint64_t needed) {
  const double draws = samples.worth().draws();
  if (samples.samples < needed)
    unjudged(too_few(samples.samples, what, needed));
  else if (draws < static_cast<double>(needed))
    unjudged(worth_too_little(samples.samples, draws, what, needed));
  else
    return true;
  return false;
}

Finding& Verdict::found(Severity severity, double value, std::string title, std::string text) {
  silent_ = false;
  Finding& finding = findings_.found.emplace_back();
  finding.rule = rule_.name;
  finding.severity = severity;
  finding.title = std::move(title);
  finding.text = std::move(text);
  finding.value = value;
  finding.threshold = threshold_;
  finding.unit = rule_.unit;
  return finding;
}

std::string Verdict::command(std::string_view words) const {
  return "jrec " + std::string(words) + end_.times + " " + end_.file;
}

std::string Verdict::command_at_any_time(std::string_view words) const {
  return "jrec " + std::string(words) + " " + end_.file;
}

CommandEnd command_end(const std::string& file, const FilterOptions& looked_at) {
  CommandEnd end;
  if (!looked_at.from.empty()) end.times += " --from " + shell_word(looked_at.from);
  if (!looked_at.to.empty()) end.times += " --to " + shell_word(looked_at.to);
  const bool like_an_option = file.size() > 1 && file.starts_with('-');  // "-" alone is standard input
  end.file = shell_word(like_an_option ? "./" + file : file);
  return end;
}

void tell_all_of(const Lengths& lengths, Finding& finding) {
  finding.from_ns = lengths.first_ns;
  finding.to_ns = lengths.end_ns;
}

void tell_longest_of(const Lengths& lengths, Finding& finding) {
  constexpr double kMostNs = 1e18;
  finding.from_ns = lengths.longest_at_ns;
  finding.to_ns = lengths.longest_at_ns + static_cast<int64_t>(std::min(lengths.longest, kMostNs));
}

namespace {

// As $'...' of a shell, in which bytes may be octal numbers: what would break a line, or not be shown as it is, can be copied.
std::string in_numbers(std::string_view word) {
  std::string quoted = "$'";
  for (const char c : word)
    if (c < ' ' || c > '~')  // bytes from 0x80 on are either, by what a char is
      quoted += fmt::format("\\{:03o}", static_cast<uint8_t>(c));
    else
      quoted += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string shell_word(std::string_view word) {
  const auto is_harmless = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-:=,+@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_harmless)) return std::string(word);
  if (plain(word) != word) return in_numbers(word);
  std::string quoted = "'";
  for (const char c : word) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + "'";
}

}  // namespace jrec
