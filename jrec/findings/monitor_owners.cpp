// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/monitor_owners.h"

#include <algorithm>
#include <iterator>

namespace jrec {
namespace {

constexpr size_t kMostSteps = 256;  // of one wait back in time
constexpr uint32_t kUnknownThread = 0;

}  // namespace

uint32_t MonitorOwners::known(const MonitorThread& thread) {
  if (thread.identity.empty()) return kUnknownThread;
  if (thread_names_.size() == kMostNames && !threads_.contains(thread.identity)) return kUnknownThread;
  const auto [at, fresh] = threads_.try_emplace(thread.identity, static_cast<uint32_t>(thread_names_.size()));
  if (fresh) thread_names_.push_back(thread.name);
  return at->second;
}

void MonitorOwners::entered(const MonitorEntry& entry) {
  if (entry.address == 0 || entries_ == kMost) return;
  ++entries_;
  hand_overs_[{entry.jvm, entry.address}].push_back({entry.wait.to_ns, known(entry.thread), known(entry.previous)});
}

void MonitorOwners::waited(const MonitorEntry& entry, const std::string& monitor_class, const TimeRange& shown) {
  const bool is_full = waits_.size() == kMost || class_names_.size() == kMostNames;
  if (entry.address == 0 || is_full) {
    const TimeRange time = entry.wait.both(shown);
    return waited_for(monitor_class, entry.previous.name, time.from_ns, static_cast<double>(time.to_ns - time.from_ns));
  }
  const auto [at, fresh] = classes_.try_emplace(monitor_class, static_cast<uint32_t>(class_names_.size()));
  if (fresh) class_names_.push_back(monitor_class);
  waits_.push_back({{entry.jvm, entry.address}, entry.wait, shown, known(entry.previous), at->second});
}

void MonitorOwners::waited_for(const std::string& monitor_class, const std::string& owner, int64_t at_ns,
                               double length_ns) {
  times_.add({monitor_class, owner, ""}, at_ns, length_ns);
}

void MonitorOwners::settle() {
  for (auto& [monitor, hand_overs] : hand_overs_) std::ranges::stable_sort(hand_overs, {}, &HandOver::at_ns);
  for (const Wait& wait : waits_) follow(wait);
  waits_.clear();
  hand_overs_.clear();
}

void MonitorOwners::add(const Wait& wait, uint32_t owner, const TimeRange& time, bool is_last) {
  const TimeRange part = time.both(wait.shown);
  if (part.from_ns < part.to_ns)
    times_.add({class_names_[wait.monitor_class], thread_names_[owner], is_last ? kLast : ""}, part.from_ns,
               static_cast<double>(part.to_ns - part.from_ns));
}

void MonitorOwners::follow(const Wait& wait) {
  const std::vector<HandOver>& all = hand_overs_[wait.monitor];
  int64_t until_ns = wait.time.to_ns;
  uint32_t owner = wait.previous;
  auto entry = std::ranges::lower_bound(all, until_ns, {}, &HandOver::at_ns);
  size_t steps = 0;
  for (; entry != all.begin() && std::prev(entry)->at_ns > wait.time.from_ns && steps < kMostSteps; ++steps) {
    --entry;
    add(wait, owner, {entry->at_ns, until_ns}, owner != kUnknownThread && owner != entry->thread);
    until_ns = entry->at_ns;
    owner = entry->previous;
  }
  add(wait, owner, {wait.time.from_ns, until_ns}, steps == kMostSteps);
}

}  // namespace jrec
