// SPDX-License-Identifier: Apache-2.0
// `jrec diff A B`, `jrec diff A1 A2 ... --after B1 B2 ...`: which methods take a larger share of the samples after than before,
// and which a smaller one; and how far that may be chance (chance.h).
//
// Shares are compared, not weights: recordings differ in length and period. Self is what was on top, total what was
// anywhere in the stack; a change is in points, hundredths of the whole. Changes that are more than chance come first, then
// the others, then those that too few samples tell of; in each the largest first.
//
// Samples are taken as drawn one by one, as many as their weights and copies are worth (sample_worth.h); those of the wall clock
// are worth more to one method than to another (wall_worth.h).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/profile/chance.h"
#include "jrec/profile/profile.h"
#include "jrec/profile/sample_worth.h"
#include "jrec/profile/wall_worth.h"

namespace jrec {

struct DiffOptions {
  std::vector<std::string> before, after;  // files; without `after` two before: the second is the one after
  ProfileOptions profile;
  size_t rows = 20;
  size_t width = 0;           // columns; 0: those of the terminal
  std::string sort = "self";  // or "total"
  bool json = false, markdown = false;
  std::vector<std::string> fail_if;  // fail_if.h
};

// The runs of one side.
struct DiffSide {
  std::vector<std::string> files;
  std::vector<Profile> runs;
  std::vector<WallWorth> walls;  // of each run, of the wall clock; else none
  StackTree tree;                // of all
  SampleWorth worth;
  WeightUnit weight;  // of tree and worth: runs may have several periods
  std::string unit;
  std::set<std::string> clocks;  // of the runs with samples (compared_clocks.h)
  void add(Profile&& run, SampleWorth worth_of_run, std::optional<WallWorth> wall_of_run = {});
  uint64_t samples() const;
  bool of_wall() const { return !runs.empty() && walls.size() == runs.size(); }
  double draws() const;          // that all of its samples are worth
  double draws_of_rare() const;  // and that they are worth to what none has met
  // That they are worth to what has that share, of one, and, of the wall clock, that spread in all runs together.
  double draws_of(double share, double spread) const;
};

// Whether a side has too few runs to tell how they differ.
inline bool by_samples(const DiffSide& before, const DiffSide& after) {
  return before.runs.size() < 2 || after.runs.size() < 2;
}

enum class Sureness : uint8_t { kSure, kPerhapsChance, kTooFew };

struct MethodChange {
  struct Side {
    uint64_t self = 0, total = 0;
    double self_share = 0, total_share = 0;  // percent of the recordings
  };
  std::string name;
  Side before, after;
  Difference self, total;                 // of one, by chance.h
  Sureness sureness = Sureness::kTooFew;  // of the one that is sorted by
  double self_points() const { return after.self_share - before.self_share; }
  double total_points() const { return after.total_share - before.total_share; }
};

inline constexpr double kSureFrom = 0.05;  // false discoveries among what is called sure

// The share that something has on a side, of one: in each run, and in all of them; and how many draws tell of it.
struct SideShares {
  std::span<const double> of_runs;
  double of_all = 0, draws = 0;
};
// By runs where both sides have several, else by samples; known from kFewestHits samples of it on. shared: of all that
// are compared at once; null: this one alone.
Difference difference_of(const DiffSide& before, const SideShares& shares_before, const DiffSide& after,
                         const SideShares& shares_after, const SharedVariance* shared = nullptr);

// What all methods tell of how runs differ (shared_variance.h), in their own shares and in what is below them, too.
struct LearnedVariances {
  SharedVariance self, total;
};

// Every method of either.
std::vector<MethodChange> method_changes(const DiffSide& before, const DiffSide& after, bool by_total,
                                         LearnedVariances* learned = nullptr);

ExitCode run_diff(const DiffOptions& options, Output& out);

// diff_output.cpp
void append_diff_text(const DiffSide& before, const DiffSide& after, const std::vector<MethodChange>& all,
                      const DiffOptions& options, std::string& out);
// With a note, if the sides are of different clocks.
void append_diff_json(const DiffSide& before, const DiffSide& after, const std::vector<MethodChange>& all,
                      const DiffOptions& options, std::string& out);
void append_diff_markdown(const DiffSide& before, const DiffSide& after, const std::vector<MethodChange>& all,
                          const DiffOptions& options, std::string& out);

}  // namespace jrec
