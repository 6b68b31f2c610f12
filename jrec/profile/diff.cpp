// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/diff.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "jrec/base/columns.h"
#include "jrec/base/escape.h"
#include "jrec/profile/compared_clocks.h"
#include "jrec/profile/fail_if.h"
#include "jrec/profile/hot.h"
#include "jrec/profile/sample_census.h"
#include "jrec/profile/sample_kind.h"
#include "jrec/profile/sample_stream.h"

namespace jrec {
namespace {

// Of a method, its shares in the runs of a side, of one; and its spread in all of them together.
struct RunShares {
  std::vector<double> self, total;
  WallWorth::Spread spread;
};

using Places = std::unordered_map<std::string_view, size_t>;

void add_spreads(const WallWorth& wall, const StackTree& tree, const Places& places, std::vector<RunShares>& shares) {
  const std::vector<WallWorth::Spread> spreads = wall.by_name(tree);
  for (size_t name = 0; name < spreads.size(); ++name) {
    if (spreads[name].total <= 0) continue;
    WallWorth::Spread& sum = shares[places.at(tree.names()[name])].spread;
    sum.self += spreads[name].self, sum.total += spreads[name].total;
  }
}

std::vector<RunShares> run_shares(const DiffSide& side, const Places& places) {
  std::vector<RunShares> shares(places.size());
  for (RunShares& each : shares) each.self.resize(side.runs.size()), each.total.resize(side.runs.size());
  for (size_t run = 0; run < side.runs.size(); ++run) {
    const StackTree& tree = side.runs[run].tree;
    for (const HotMethod& method : hot_methods(tree)) {
      RunShares& each = shares[places.at(tree.names()[method.name])];
      each.self[run] = percent(method.self, tree.total()) / 100;
      each.total[run] = percent(method.total, tree.total()) / 100;
    }
    if (side.of_wall()) add_spreads(side.walls[run], tree, places, shares);
  }
  return shares;
}

SideShares side_shares(const DiffSide& side, const RunShares& runs, const MethodChange::Side& of, bool total) {
  const double share = (total ? of.total_share : of.self_share) / 100;
  const double spread = total ? runs.spread.total : runs.spread.self;
  return {total ? runs.total : runs.self, share, side.draws_of(share, spread)};
}

// What is shown is what is judged: of several runs their mean, however long each is.
void show_means(MethodChange::Side& side, const RunShares& runs) {
  side.self_share = mean_of(runs.self) * 100;
  side.total_share = mean_of(runs.total) * 100;
}

// Of those that are judged.
SharedVariance shared_variance(const DiffSide& before, const std::vector<RunShares>& first, const DiffSide& after,
                               const std::vector<RunShares>& second, const std::vector<MethodChange>& changes,
                               bool total) {
  SharedVariance shared;
  if (by_samples(before, after)) return shared;
  for (size_t i = 0; i < changes.size(); ++i) {
    const SideShares a = side_shares(before, first[i], changes[i].before, total),
                     b = side_shares(after, second[i], changes[i].after, total);
    if (a.of_all * a.draws + b.of_all * b.draws < kFewestHits) continue;
    total ? shared.add(first[i].total, second[i].total) : shared.add(first[i].self, second[i].self);
  }
  shared.learn();
  return shared;
}

// Only what there is enough of is judged, and counts among those that may be chance.
void judge_changes(std::vector<MethodChange>& changes, bool by_total) {
  std::vector<size_t> known;
  std::vector<double> probabilities;
  for (size_t i = 0; i < changes.size(); ++i) {
    const Difference& difference = by_total ? changes[i].total : changes[i].self;
    if (!difference.known) continue;
    known.push_back(i);
    probabilities.push_back(difference.probability);
  }
  const std::vector<double> all = adjusted(probabilities);
  for (size_t i = 0; i < known.size(); ++i) {
    MethodChange& change = changes[known[i]];
    const bool is_sure = all[i] <= kSureFrom && (by_total ? change.total : change.self).is_one();
    change.sureness = is_sure ? Sureness::kSure : Sureness::kPerhapsChance;
  }
}

void sort_changes(std::vector<MethodChange>& changes, bool by_total) {
  const auto size = [by_total](const MethodChange& change) {
    const double first = std::abs(by_total ? change.total_points() : change.self_points());
    return std::pair(first, std::abs(by_total ? change.self_points() : change.total_points()));
  };
  std::stable_sort(changes.begin(), changes.end(), [&](const MethodChange& a, const MethodChange& b) {
    if (a.sureness != b.sureness) return a.sureness < b.sureness;
    return size(a) != size(b) ? size(a) > size(b) : a.name < b.name;
  });
}

// Of the variance that samples drawn by chance have. Those that a clock takes are more even, where a program does the same over and over; that
// two runs are alike to the sample says nothing.
constexpr double kLeastOfChance = 0.5;

// A side without any of it does not tell what its samples are worth to it: no more than those of the other.
std::pair<double, double> draws_of_both(const SideShares& before, const SideShares& after) {
  const double least = std::min(before.draws, after.draws);
  return {before.of_all > 0 ? before.draws : least, after.of_all > 0 ? after.draws : least};
}

double sum_of(const std::vector<WallWorth>& walls, double (WallWorth::*draws)() const) {
  return std::accumulate(walls.begin(), walls.end(), 0.0,
                         [draws](double sum, const WallWorth& wall) { return sum + (wall.*draws)(); });
}

// What was read of a file, and how that went.
struct Opened {
  std::vector<std::unique_ptr<Recording>> recordings;
  std::vector<Recording*> begun;  // those that were read, or could not be opened: the others have nothing to tell
  ExitCode finish() const {
    ExitCode code = kDone;
    for (Recording* recording : begun) code = std::max(code, recording->finish());
    return code;
  }
  bool open(const std::vector<std::string>& files, const TimeChoice& times) {
    for (const std::string& file : files) {
      Recording& recording = *recordings.emplace_back(std::make_unique<Recording>(file, times));
      if (recording.open()) continue;
      begun.push_back(&recording);
      return false;
    }
    return true;
  }
  bool refused() const {
    return std::ranges::any_of(recordings, [](const auto& recording) { return recording->refused(); });
  }
};

// first: where the recordings of the side's files stand.
bool read_side(const ProfileOptions& options, Opened& opened, size_t first, DiffSide& side) {
  const std::vector<std::string> named = std::exchange(side.files, {});
  for (size_t at = 0; at < named.size(); ++at) {
    Recording& recording = *opened.begun.emplace_back(opened.recordings[first + at].get());
    SamplePass pass(recording, across_runs(options));
    SampleWorth worth;
    std::optional<WallWorth> wall;
    if (pass.stream().event_type() == kWallType) wall.emplace();
    const bool is_of_objects = pass.stream().event_type() == kLiveType;
    const auto copies = is_of_objects ? SampleWorth::Copies::kNone : SampleWorth::Copies::kOneDraw;
    Profile run = pass.read_profile([&](const SampleChunk& chunk) {
      worth.rescale(chunk.rescale);
      worth.add(chunk.samples, copies);
      if (wall) wall->add(chunk);
    });
    if (wall) wall->settle();
    if (recording.refused()) return false;
    if (run.samples == 0) tell_no_samples(recording, options, options.event);
    const bool is_last_hope = side.runs.empty() && at + 1 == named.size();
    if (run.samples == 0 && !is_last_hope) continue;  // of several runs, one without tells nothing
    if (run.samples != 0) side.clocks.insert(clock_of(recording, run.event_type));
    side.add(std::move(run), worth, std::move(wall));
    side.files.push_back(named[at]);
  }
  return true;
}

// All of one clock, if there is one that all recordings have.
bool read_sides(const DiffOptions& options, DiffSide& before, DiffSide& after, Opened& opened) {
  const TimeChoice times = times_of(options.profile.filter, options.profile.event);
  const size_t first_after = before.files.size();
  if (!opened.open(before.files, times) || !opened.open(after.files, times)) return false;
  ProfileOptions profile = options.profile;
  std::vector<Recording*> compared;
  for (const auto& recording : opened.recordings) compared.push_back(recording.get());
  profile.event = event_of_all(compared, profile.event);
  return read_side(profile, opened, 0, before) && read_side(profile, opened, first_after, after) && !opened.refused();
}

bool choose_sides(const DiffOptions& options, DiffSide& before, DiffSide& after) {
  before.files = options.before;
  after.files = options.after;
  if (!after.files.empty()) return !before.files.empty();
  if (before.files.size() != 2) return false;
  after.files = {before.files[1]};
  before.files.pop_back();
  return true;
}

// By whatever names; empty: none is.
std::string named_twice(const std::vector<std::string>& files) {
  std::set<std::string> names;
  std::set<std::pair<dev_t, ino_t>> met;
  for (const std::string& file : files) {
    struct stat about {};
    const bool is_new = ::stat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode)
                            ? met.emplace(about.st_dev, about.st_ino).second
                            : names.insert(file).second;
    if (!is_new) return file;
  }
  return {};
}

ExitCode refuse_diff(const std::string& what) {
  complain("diff", base::Error{base::ErrorCode::kUsage, 0, what});
  return kUsageError;
}

}  // namespace

void DiffSide::add(Profile&& run, SampleWorth worth_of_run, std::optional<WallWorth> wall_of_run) {
  const WeightUnit::Factors factors = weight.meet(run.weight.ns());
  tree.scale(factors.tree);
  worth.rescale(factors.tree);
  for (WallWorth& each : walls) each.rescale(factors.tree);
  run.tree.scale(factors.part);
  worth_of_run.rescale(factors.part);
  tree.add(run.tree);
  worth.add(worth_of_run);
  if (wall_of_run) wall_of_run->rescale(factors.part), walls.push_back(std::move(*wall_of_run));
  unit = weight.is_time() ? "ns" : run.unit;
  runs.push_back(std::move(run));
}

uint64_t DiffSide::samples() const {
  uint64_t sum = 0;
  for (const Profile& run : runs) sum += run.samples;
  return sum;
}

double DiffSide::draws() const { return of_wall() ? sum_of(walls, &WallWorth::draws) : worth.draws(); }

double DiffSide::draws_of_rare() const { return of_wall() ? sum_of(walls, &WallWorth::draws_of_rare) : worth.draws(); }

// As many as would have its variance, were each drawn from all.
double DiffSide::draws_of(double share, double spread) const {
  if (!of_wall()) return worth.draws();
  if (share <= 0 || share >= 1 || spread <= 0) return draws_of_rare();
  const auto whole = static_cast<double>(tree.total());
  return share * (1 - share) * whole * whole / spread;
}

Difference difference_of(const DiffSide& before, const SideShares& shares_before, const DiffSide& after,
                         const SideShares& shares_after, const SharedVariance* shared) {
  const auto [first, second] = draws_of_both(shares_before, shares_after);
  const double hits_before = shares_before.of_all * first, hits_after = shares_after.of_all * second;
  if (by_samples(before, after)) {
    Difference difference = difference_of_shares(hits_before, first, hits_after, second);
    difference.known = difference.known && std::min(before.draws(), after.draws()) >= kFewestSamples;
    return difference;
  }
  const double share = (hits_before + hits_after) / std::max(first + second, 1.0);
  const double least_variance =
      kLeastOfChance * share * (1 - share) * (1 / std::max(first, 1.0) + 1 / std::max(second, 1.0));
  Difference difference = difference_of_runs(shares_before.of_runs, shares_after.of_runs, least_variance, shared);
  difference.known = difference.known && hits_before + hits_after >= kFewestHits;
  return difference;
}

std::vector<MethodChange> method_changes(const DiffSide& before, const DiffSide& after, bool by_total,
                                         LearnedVariances* learned) {
  std::vector<MethodChange> changes;
  Places places;
  const auto take = [&](const StackTree& tree, MethodChange::Side MethodChange::*side) {
    for (const HotMethod& method : hot_methods(tree)) {
      const std::string& name = tree.names()[method.name];
      const auto [place, is_new] = places.try_emplace(name, changes.size());
      if (is_new) changes.push_back({name, {}, {}, {}, {}});
      changes[place->second].*
          side = {method.self, method.total, percent(method.self, tree.total()), percent(method.total, tree.total())};
    }
  };
  take(before.tree, &MethodChange::before);
  take(after.tree, &MethodChange::after);
  const std::vector<RunShares> first = run_shares(before, places), second = run_shares(after, places);
  const SharedVariance self = shared_variance(before, first, after, second, changes, false);
  const SharedVariance total = shared_variance(before, first, after, second, changes, true);
  for (size_t i = 0; i < changes.size(); ++i) {
    MethodChange& change = changes[i];
    const auto judged = [&](bool by_total_share, const SharedVariance& shared) {
      return difference_of(before, side_shares(before, first[i], change.before, by_total_share), after,
                           side_shares(after, second[i], change.after, by_total_share), &shared);
    };
    change.self = judged(false, self);
    change.total = judged(true, total);
    if (!by_samples(before, after)) show_means(change.before, first[i]), show_means(change.after, second[i]);
  }
  if (learned != nullptr) *learned = {self, total};
  judge_changes(changes, by_total);
  sort_changes(changes, by_total);
  return changes;
}

ExitCode run_diff(const DiffOptions& options, Output& out) {
  DiffSide before, after;
  if (!choose_sides(options, before, after))
    return refuse_diff("expected two recordings, or some before and, behind --after, some after");
  for (const DiffSide* side : {&before, &after})
    if (const std::string twice = named_twice(side->files); !twice.empty())
      return refuse_diff(plain(twice) + " is named twice on one side: a run counts once");
  std::vector<FailIf> conditions;
  for (const std::string& words : options.fail_if) {
    base::Result<FailIf> condition = FailIf::parse(words);
    if (!condition) return refuse_diff(condition.error().what);
    conditions.push_back(std::move(*condition));
  }
  Opened opened;
  if (!read_sides(options, before, after, opened)) return opened.finish();
  if ((before.unit == "bytes") != (after.unit == "bytes"))
    return refuse_diff("one side is of bytes and the other of " + (before.unit == "bytes" ? after : before).unit +
                       ", whose shares say nothing of each other");
  for (const FailIf& condition : conditions)
    if (!condition.names_any(before) && !condition.names_any(after)) return refuse_diff(condition.unknown_name());
  if (const std::string note = words_of_clocks(before.clocks, after.clocks); !note.empty())
    complain("diff", base::Error{base::ErrorCode::kUsage, 0, note});
  LearnedVariances learned;
  const std::vector<MethodChange> changes = method_changes(before, after, options.sort == "total", &learned);
  if (options.json)
    append_diff_json(before, after, changes, options, out.text());
  else if (options.markdown)
    append_diff_markdown(before, after, changes, options, out.text());
  else
    append_diff_text(before, after, changes, options, out.text());
  bool failed = false;
  for (const FailIf& condition : conditions)
    failed = condition.holds(before, after, learned, options.json ? nullptr : &out.text()) || failed;
  const ExitCode code = opened.finish();
  return code == kDone && failed ? kFound : code;
}

}  // namespace jrec
