// SPDX-License-Identifier: Apache-2.0
// What rules of collections and of the heap ask alike: whether there are collections, why they came, how long they were.
#pragma once

#include <string>

#include "jrec/findings/facts.h"
#include "jrec/findings/rule.h"

namespace jrec {

// Whether there is a collection, and whether why they came is told. If not, the rule is unjudged.
bool has_collections(const Facts& facts, Verdict& verdict);
bool has_causes(const Facts& facts, Verdict& verdict);

// By the program, jcmd or an agent, whatever is free.
bool was_asked_for(const std::string& cause);

// All collections for which wanted(name, cause) holds.
template <typename Wanted>
Lengths sum_of(const Ranking& by_cause, Wanted wanted) {
  Lengths sum;
  for (const auto& [key, lengths] : by_cause.rows())
    if (wanted(key[0], key[1])) sum.add(lengths);
  return sum;
}

}  // namespace jrec
