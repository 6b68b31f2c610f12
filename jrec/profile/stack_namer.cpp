// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/stack_namer.h"

#include <algorithm>

#include "jrec/profile/run_marks.h"
#include "jrec/profile/sample_names.h"

namespace jrec {
namespace {

using Entry = StackWeights::Entry;

// How many stacks ahead one's bytes are asked for: they were passed over once, and have left the processor's caches.
constexpr size_t kFindAhead = jfr::read::ConstantPools::kAhead, kAhead = 8;

std::vector<const Entry*> by_key(const StackWeights& stacks) {
  std::vector<const Entry*> sorted;
  sorted.reserve(stacks.size());
  for (const Entry& entry : stacks) sorted.push_back(&entry);
  std::ranges::stable_sort(sorted, {}, [](const Entry* entry) { return entry->key.stack; });
  return sorted;
}

std::vector<FrameNames::StackBytes> find_all(const std::vector<const Entry*>& stacks, FrameNames& names) {
  std::vector<FrameNames::StackBytes> found;
  found.reserve(stacks.size());
  for (size_t i = 0; i < stacks.size(); ++i) {
    if (i + kFindAhead < stacks.size()) names.prefetch(stacks[i + kFindAhead]->key.stack);
    found.push_back(names.find(stacks[i]->key.stack));
  }
  return found;
}

void prefetch(const FrameNames::StackBytes& stack) {
  for (size_t at = 0; at < stack.frames.size(); at += 64) __builtin_prefetch(stack.frames.data() + at);
}

}  // namespace

std::vector<uint32_t> StackNamer::add(const StackWeights& stacks) {
  std::vector<uint32_t> nodes(stacks.size());
  const std::vector<const Entry*> sorted = by_key(stacks);
  const std::vector<FrameNames::StackBytes> found = find_all(sorted, names_);
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i + kAhead < found.size()) prefetch(found[i + kAhead]);
    nodes[static_cast<size_t>(sorted[i] - &*stacks.begin())] = add(sorted[i]->key, found[i], sorted[i]->value);
  }
  placer_.finish();
  if (options_.natives) names_.add_natives(out_.natives);
  return nodes;
}

uint32_t StackNamer::add(const StackKey& key, const FrameNames::StackBytes& bytes, const StackWeight& weight) {
  if (bytes.count == 0 || (bytes.truncated && options_.mark_truncated)) return add_decoded(key, weight);
  count(weight, bytes.truncated, bytes.count);
  StackPath& path = placer_.path_of(bytes);
  if (key.about.type == jfr::read::kNoType) return placer_.end(path, weight.weight);
  return placer_.end(path, weight.weight, frame_of_class(key.about));
}

// Any stack, and none.
uint32_t StackNamer::add_decoded(const StackKey& key, const StackWeight& weight) {
  bool is_truncated = false;
  const std::vector<StackTree::Frame>& named = names_.stack(key.stack, is_truncated);
  count(weight, is_truncated, named.size());
  if (named.empty()) out_.without_stack += weight.samples;
  frames_.clear();
  if (is_truncated && options_.mark_truncated) frames_.push_back(frame("[truncated]"));
  frames_.insert(frames_.end(), named.begin(), named.end());
  if (frames_.empty()) frames_.push_back(frame("[no stack]"));
  if (key.about.type != jfr::read::kNoType) frames_.push_back(frame_of_class(key.about));
  return placer_.place(frames_, weight.weight);
}

void StackNamer::count(const StackWeight& weight, bool is_truncated, uint64_t frames) {
  out_.count += weight.samples;
  if (!is_truncated) return;
  out_.truncated += weight.samples;
  out_.longest_cut = std::max(out_.longest_cut, frames);
}

StackTree::Frame StackNamer::frame_of_class(const ConstantKey& about) {
  auto [known, is_new, place] = classes_.find_or_add(about);
  if (!is_new) return known;
  std::string name = class_name(chunk_, about.type, about.key, options_.frames.simple);
  if (options_.frames.across_runs) drop_run_marks(name);
  return known = frame(name);
}

}  // namespace jrec
