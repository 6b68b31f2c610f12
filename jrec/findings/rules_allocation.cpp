// SPDX-License-Identifier: Apache-2.0
// What is allocated, by samples. The tree has the class on top of each stack.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "jrec/base/columns.h"
#include "jrec/findings/frame_shares.h"
#include "jrec/findings/rule.h"
#include "jrec/findings/words.h"

namespace jrec {
namespace {

constexpr uint64_t kEnoughAllocations = 100;  // samples
constexpr double kEnoughOfAPart = 10;         // of one weight, that a share must be worth
constexpr double kMega = 1 << 20;             // as in all sizes that are shown
constexpr double kSmallRate = 50 * kMega;     // bytes a second: below that, where they come from does not matter

double bytes_per_second(const Facts& facts) {
  return facts.jvm_seconds() > 0 ? static_cast<double>(facts.allocation.tree.total()) / facts.jvm_seconds() : 0;
}

constexpr const char* kSamples = "samples of allocations";

bool enough_allocations(const Facts& facts, Verdict& verdict) {
  const uint64_t samples = facts.allocation.samples;
  const double draws = facts.allocation.worth().draws();
  if (samples >= kEnoughAllocations && draws >= kEnoughOfAPart) return true;
  verdict.unjudged(samples < kEnoughAllocations ? too_few(samples, kSamples, kEnoughAllocations)
                                                : worth_too_little(samples, draws, kSamples, kEnoughOfAPart));
  return false;
}

// Where all are worth less than so many samples of one weight, the share must be beyond the threshold by more than chance.
bool is_beyond(double share, const Facts& facts, Verdict& verdict) {
  const double draws = facts.allocation.worth().draws();
  if (draws >= kEnoughAllocations || at_least(share, draws) >= verdict.threshold()) return true;
  verdict.unjudged(worth_too_little(facts.allocation.samples, draws, kSamples, kEnoughAllocations));
  return false;
}

// JDK's samples weigh what was allocated since the one before: two of them may be half of everything.
bool enough_of_them(const SampleWorth& worth, Verdict& verdict) {
  if (worth.draws() >= kEnoughOfAPart) return true;
  verdict.unjudged(fmt::format("{} of what there is most of are worth {:.0f} of one weight, and this needs {:.0f}",
                               kSamples, std::floor(worth.draws()), kEnoughOfAPart));
  return false;
}

// A class, and the application's method that allocates it.
struct ClassSite {
  uint32_t klass = 0, site = FrameShares::kNobody;
  auto operator<=>(const ClassSite&) const = default;
};
struct SiteWeight {
  uint64_t weight = 0;
  SampleWorth worth;
};
using SiteWeights = std::map<ClassSite, SiteWeight>;

template <typename Wanted>
SiteWeights by_site(const SampledFacts& samples, Wanted wanted) {
  const StackTree& tree = samples.tree;
  const FrameShares shares(samples);
  SiteWeights weights;
  const auto& nodes = tree.nodes();
  for (size_t i = 1; i < nodes.size(); ++i)
    if (tree.self(i) != 0 && wanted(tree.names()[nodes[i].name])) {
      SiteWeight& at =
          weights[{nodes[i].name, nodes[i].parent == 0 ? FrameShares::kNobody : shares.callers()[nodes[i].parent]}];
      at.weight += tree.self(i);
      at.worth.add(samples.worth_at(i));
    }
  return weights;
}

SiteWeights::const_iterator heaviest(const SiteWeights& weights) {
  return std::max_element(weights.begin(), weights.end(),
                          [](const auto& a, const auto& b) { return a.second.weight < b.second.weight; });
}

// Empty: nobody's, or samples have no stacks.
std::string site_name(const StackTree& tree, const ClassSite& at) {
  const std::string name = at.site == FrameShares::kNobody ? "" : tree.names()[at.site];
  return name.starts_with('[') ? "" : name;
}

// A filter of samples: a class is no frame, which -I would look for.
std::string of_class(const std::string& klass) { return " --where " + shell_word("objectClass = \"" + klass + "\""); }

void judge_allocation_site(const Facts& facts, Verdict& verdict) {
  if (!enough_allocations(facts, verdict)) return;
  const StackTree& tree = facts.allocation.tree;
  const double rate = bytes_per_second(facts);
  const SiteWeights weights = by_site(facts.allocation, [](const std::string&) { return true; });
  if (weights.empty() || rate < kSmallRate) return;
  const auto [at, heavy] = *heaviest(weights);
  const double share = percent(heavy.weight, tree.total());
  if (share < verdict.threshold() || !enough_of_them(heavy.worth, verdict) || !is_beyond(share, facts, verdict)) return;
  const std::string klass = tree.names()[at.klass], site = site_name(tree, at);
  Finding& finding = verdict.found(
      Severity::kNote, share,
      fmt::format("{} of all allocation is {}{}", percent_words(share), klass, site.empty() ? "" : " in " + site),
      fmt::format("The program allocates about {} a second, and {} of that is this class at this place.",
                  size_words(rate), size_words(rate * share / 100)));
  if (!site.empty()) finding.evidence.push_back({"method", site});
  finding.evidence.push_back({"class", klass});
  finding.command = verdict.command("flame -o flame.html -e alloc" +
                                    (site.empty() ? of_class(klass) : " -I " + shell_word(exactly(site))));
}

bool is_box(const std::string& klass) {
  for (const char* box : {"Integer", "Long", "Double", "Float", "Short", "Byte", "Character", "Boolean"})
    if (klass == std::string("java.lang.") + box) return true;
  return false;
}

void judge_boxing(const Facts& facts, Verdict& verdict) {
  if (!enough_allocations(facts, verdict)) return;
  const StackTree& tree = facts.allocation.tree;
  const SiteWeights boxes = by_site(facts.allocation, is_box);
  uint64_t sum = 0;
  SampleWorth worth;
  for (const auto& [at, box] : boxes) sum += box.weight, worth.add(box.worth);
  const double share = percent(sum, tree.total()), rate = bytes_per_second(facts);
  if (sum == 0 || rate < kSmallRate || share < verdict.threshold()) return;
  if (!enough_of_them(worth, verdict) || !is_beyond(share, facts, verdict)) return;
  const ClassSite at = heaviest(boxes)->first;
  const std::string site = site_name(tree, at), klass = tree.names()[at.klass];
  Finding& finding = verdict.found(
      Severity::kWarning, share, fmt::format("{} of all allocation is boxed numbers", percent_words(share)),
      fmt::format("That is about {} a second. Most of it is {}{}; collections and streams of primitives box nothing.",
                  size_words(rate * share / 100), klass, site.empty() ? "" : " in " + site));
  if (!site.empty()) finding.evidence.push_back({"method", site});
  finding.evidence.push_back({"class", klass});
  finding.command = verdict.command("flame -o flame.html -e alloc" + of_class(klass));
}

// A sum of weights is exact however they differ.
void judge_allocation_rate(const Facts& facts, Verdict& verdict) {
  const uint64_t samples = facts.allocation.samples;
  if (samples < kEnoughAllocations) return verdict.unjudged(too_few(samples, kSamples, kEnoughAllocations));
  if (!verdict.long_enough(facts)) return;
  const double rate = bytes_per_second(facts);
  if (rate < verdict.threshold() * kMega) return;
  Finding& finding = verdict.found(
      Severity::kNote, rate / kMega, fmt::format("{} are allocated each second", size_words(rate)),
      "Each of these bytes is written once for nothing but its allocation, and drives what lies in the processors' "
      "caches out.");
  finding.command = verdict.command("flame -o flame.html -e alloc");
}

constexpr Rule kAllocationRules[] = {
    {"allocation-site", 25, "%", "one class at one place is so much of all allocation, of 50 MB/s or more",
     judge_allocation_site},
    {"boxing", 10, "%", "boxed numbers are so much of all allocation, of 50 MB/s or more", judge_boxing},
    {"allocation-rate", 2000, "MB/s", "so much is allocated, in a recording of 5 s or more", judge_allocation_rate},
};

}  // namespace

std::span<const Rule> allocation_rules() { return kAllocationRules; }

}  // namespace jrec
