// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/stack_adder.h"

#include <algorithm>
#include <numeric>

#include "jrec/profile/sample_names.h"

namespace jrec {

std::vector<uint32_t> StackAdder::add(const StackWeights& stacks) {
  std::vector<uint32_t> nodes(stacks.size()), by_key(stacks.size());
  std::iota(by_key.begin(), by_key.end(), 0);
  const auto entry = [&](uint32_t place) -> const StackWeights::Entry& { return stacks.begin()[place]; };
  std::stable_sort(by_key.begin(), by_key.end(),
                   [&](uint32_t a, uint32_t b) { return entry(a).key.stack < entry(b).key.stack; });
  for (const uint32_t place : by_key) nodes[place] = add_one(entry(place).key, entry(place).value);
  return nodes;
}

uint32_t StackAdder::add_one(const StackKey& key, const StackWeight& weight) {
  bool is_truncated = false;
  const std::vector<Frame>& named = names_.stack(key.stack, is_truncated);
  samples += weight.samples;
  if (is_truncated) truncated += weight.samples;
  if (named.empty()) without_stack += weight.samples;
  const bool has_class = key.about.type != jfr::read::kNoType;
  const bool is_marked = is_truncated && options_.mark_truncated;
  if (!has_class && !is_marked && !named.empty()) return tree_.add(named, weight.weight);

  frames_.clear();
  if (is_marked) frames_.push_back({tree_.intern("[truncated]"), FrameKind::kOther});
  frames_.insert(frames_.end(), named.begin(), named.end());
  if (frames_.empty()) frames_.push_back({tree_.intern("[no stack]"), FrameKind::kOther});
  if (has_class) {
    const std::string name = class_name(chunk_, key.about.type, key.about.key, options_.frames.simple);
    frames_.push_back({tree_.intern(name), FrameKind::kOther});
  }
  return tree_.add(frames_, weight.weight);
}

}  // namespace jrec
