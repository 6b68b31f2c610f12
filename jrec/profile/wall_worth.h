// SPDX-License-Identifier: Apache-2.0
// WallWorth tells what the wall clock's samples are worth to each method by itself.
//
// The wall clock has the whole life of each thread, also of one that sleeps all the time. Were all samples drawn as one
// (sample_worth.h), a few such threads, whose samples weigh as much as their lives, would make all the others worth little. But
// for how long a thread stood is no chance. So threads that stand still, where fewer than kFewestDraws draws tell of
// a life of more looks, are a given. What varies is where the others are met:
//
//   a draw       a sample; or several, of more than one look each, that found a thread where it had stood before
//   a share      of a method: (its given part + sum of weight x met) / (all of the given + sum of weight); met is 0 or 1
//   its spread   sum of (weight x (met - share))^2 over the draws of the others: by the square of the denominator it is the share's
//                variance (a ratio's, to the first order: W. G. Cochran, "Sampling Techniques", 1977, 2.11)
//                + for a method in which some stood still, the same of all that did, around their own share: it is known by
//                as many draws as there are such threads, while those tell nothing of methods in which none stood
//
//   add() each chunk in order, settle(), then the rest
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "jrec/profile/sample_stream.h"
#include "jrec/profile/sample_worth.h"
#include "jrec/profile/stack_tree.h"

namespace jrec {

class WallWorth {
 public:
  struct Spread {
    double self = 0, total = 0;
  };

  void add(const SampleChunk& chunk);
  void settle();
  void rescale(uint64_t factor);  // what was settled

  // That all are worth: each thread's own, and those that stand still together.
  double draws() const { return draws_of_others_ + still_.draws(); }
  // And to a method in which none was met.
  double draws_of_rare() const;
  std::vector<Spread> by_name(const StackTree& tree) const;    // of each of its names, as a method
  double spread_of(const std::vector<bool>& is_inside) const;  // of all stacks that end in such nodes together

 private:
  static constexpr double kFewestDraws = 10;
  // The last draw of a thread, which may go on.
  struct Draw {
    int64_t time_ns = 0;
    uint32_t node = UINT32_MAX;
    bool stood = false;  // for longer than a look stands for
    double weight = 0;
  };
  struct Thread {
    SampleWorth worth;
    double looks = 0;
    Draw last;
    bool is_still() const { return worth.draws() < kFewestDraws && looks >= kFewestDraws; }
  };
  // What was met in a node, or a method.
  struct Met {
    SampleWorth others, still;
    void add(const Met& more) { others.add(more.others), still.add(more.still); }
  };
  struct Place {
    uint32_t node = 0;
    Met met;
  };

  void rescale_threads(uint64_t factor);
  void add(const TimedSample& sample, double looks);
  double spread(const Met& met) const;

  std::vector<Thread> threads_;
  std::unordered_map<uint64_t, SampleWorth> met_;  // by thread and node
  std::vector<Place> places_;
  SampleWorth others_, still_;
  double draws_of_others_ = 0;
};

}  // namespace jrec
