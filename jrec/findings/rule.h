// SPDX-License-Identifier: Apache-2.0
// A Rule is a small function that reads facts and says what it makes of them, to a Verdict:
//
//   void judge_full_collections(const Facts& facts, Verdict& verdict) {
//     if (facts.gc.collections == 0) return verdict.unjudged("there are no collections");
//     if (full >= verdict.threshold()) verdict.found(Severity::kWarning, full, "...", "...");
//   }
//
// A rule that says nothing has found nothing: it is fine. One that has too little to go by says so, and never guesses.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jrec/findings/facts.h"
#include "jrec/findings/finding.h"
#include "jrec/select/filter.h"

namespace jrec {

class Verdict;

// What the commands end with that findings print, as a shell takes it: app.jfr behind the part that was looked at.
struct CommandEnd {
  std::string times;  // " --from 60s --to -10s"; empty: all of it
  std::string file;
};
CommandEnd command_end(const std::string& file, const FilterOptions& looked_at);

struct Rule {
  std::string_view name;  // as --rule takes it
  double threshold;       // from which value on it fires
  std::string_view unit;  // of that; empty: a count
  std::string_view what;  // a line for --list-rules
  void (*judge)(const Facts& facts, Verdict& verdict);
};

// By subject; a file each. all_rules() has them in this order, which is that of findings of one severity.
std::span<const Rule> cpu_rules();
std::span<const Rule> allocation_rules();
std::span<const Rule> collection_rules();
std::span<const Rule> heap_rules();
std::span<const Rule> waiting_rules();
std::span<const Rule> slow_rules();
std::span<const Rule> machine_rules();
std::span<const Rule> vm_rules();
std::span<const Rule> thread_rules();
std::span<const Rule> settings_rules();
std::span<const Rule> recording_rules();
const std::vector<Rule>& all_rules();

class Verdict {
 public:
  Verdict(const Rule& rule, double threshold, const CommandEnd& end, Findings& findings)
      : rule_(rule), threshold_(threshold), end_(end), findings_(findings) {}

  double threshold() const { return threshold_; }
  // What never was reaches no threshold, not even 0.
  bool reached_by(uint64_t count) const { return count != 0 && static_cast<double>(count) >= threshold_; }
  void unjudged(std::string why);
  // Whether the recording has events of that type, or would have. If not, it is unjudged.
  bool recorded(const Facts& facts, std::string_view type);
  static constexpr double kShort_s = 5;
  // Whether shares of the recording's time, and rates, say something. If not, it is unjudged.
  bool long_enough(const Facts& facts);

  // Whether the samples are worth so many of one weight. If not, it is unjudged.
  bool enough(const SampledFacts& samples, std::string_view what, uint64_t needed);

  // value: in the rule's unit, from the threshold on. Good until the next one.
  Finding& found(Severity severity, double value, std::string title, std::string text);

  // "jrec WORDS --from TIME FILE", as a shell takes it; and without times, for what tells of the whole process.
  std::string command(std::string_view words) const;
  std::string command_at_any_time(std::string_view words) const;

  bool silent() const { return silent_; }  // neither

 private:
  const Rule& rule_;
  const double threshold_;
  const CommandEnd& end_;
  Findings& findings_;
  bool silent_ = true;
};

// Whether so much of the program's time says something, however short the recording is: half a second is 10 % of the 5 s that
// shares and rates need.
bool is_enough_time(const Facts& facts, double ns);
double share_of_time(const Facts& facts, double ns);  // percent of the time of all JVMs

// When a finding was at its worst: from the first of these to the last, or while the longest lasted.
void tell_all_of(const Lengths& lengths, Finding& finding);
void tell_longest_of(const Lengths& lengths, Finding& finding);

// A word as a shell takes it, in quotes where it needs them.
std::string shell_word(std::string_view word);

}  // namespace jrec
