// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/continuation_code.h"

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/code_cache.h"

namespace rec::agent {
namespace {

EnterSpecial read(const Layout& layout) {
  if (layout.continuation.enter_special == 0 || layout.method.code == kAbsent) return {};
  const uint64_t code = u64_at(layout.continuation.enter_special + layout.method.code);
  if (code == 0) return {};
  const CodeRange range = code_range(layout.blob, code);
  EnterSpecial read;
  const bool known = read_enter_special(range.begin, range.end, read);
  const uint64_t told = layout.entry.continuation_return == 0 ? 0 : u64_at(layout.entry.continuation_return);
  const bool agrees = (told == 0 || told == read.return_pc) &&
                      (layout.thread.continuation == kAbsent || layout.thread.continuation == read.thread_entry);
  return known && agrees ? read : EnterSpecial{};
}

}  // namespace

EnterSpecial ContinuationCode::entry(const Layout& layout) const {
  // acquire: pairs with the release below.
  if (state_.load(std::memory_order_acquire) == State::kKept) return kept_;
  const EnterSpecial now = read(layout);
  State unread = State::kUnread;
  if (now.return_pc != 0 && state_.compare_exchange_strong(unread, State::kKeeping, std::memory_order_relaxed)) {
    kept_ = now;
    // release: pairs with the acquire above.
    state_.store(State::kKept, std::memory_order_release);
  }
  return now;
}

}  // namespace rec::agent
