// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/sample_contexts.h"

#include <algorithm>
#include <utility>

#include "agent/hotspot/state/thread_context.h"
#include "agent/options/log.h"
#include "agent/process/loaded_libraries.h"
#include "recorder/spool/context_event.h"

namespace rec::agent {

Event SampleContexts::of_thread(const ThreadLocalPlace& place, uint64_t pointer) {
  ThreadContext context;
  const bool has_one = read_thread_context(address_in(place, pointer), context);
  return has_one ? context_event(context.words) : Event();
}

void SampleContexts::open(bool asked) {
  open_ = true;
  asked_ = asked;
  said_ = false;
  tends_ = 0;
  changes_ = 0;
}

void SampleContexts::close() {
  if (!std::exchange(open_, false)) return;
  say_missing();
  place_.store(nullptr, std::memory_order_relaxed);
  symbol_ = {};
}

void SampleContexts::tend() {
  if (!open_) return;
  if (std::exchange(changes_, library_changes()) != changes_) look();
  if (++tends_ == kPatienceTends) say_missing();
}

// A library that comes back may have another number and another place.
void SampleContexts::look() {
  const ThreadLocalSymbol symbol = find_thread_local(kThreadContextName);
  if (symbol == symbol_) return;
  symbol_ = symbol;
  place_.store(nullptr, std::memory_order_relaxed);
  if (!symbol) return;
  const auto place = place_of(symbol, kThreadContextName);
  if (!place) {
    if (!std::exchange(said_unknown_, true))
      say(LogLevel::kWarn, "samples are without trace and span: the loader keeps " + std::string(kThreadContextName) +
                               " of " + symbol.library + " in a way that is not known");
    return;
  }
  // release: pairs with the acquires in of_caller() and of_other().
  place_.store(keep(*place), std::memory_order_release);
  const bool is_static = place->kind == ThreadLocalPlace::Kind::kStatic;
  say(LogLevel::kInfo, "samples have the trace and span that " + symbol.library + " tells, " +
                           (is_static ? "at one place in each thread" : "in a block of its own for each thread"));
}

const ThreadLocalPlace* SampleContexts::keep(const ThreadLocalPlace& place) {
  const auto known = std::ranges::find(places_, place);
  return known != places_.end() ? &*known : &places_.emplace_back(place);
}

void SampleContexts::say_missing() {
  if (!asked_ || symbol_ || std::exchange(said_, true)) return;
  say(LogLevel::kWarn, "samples are without trace and span: no library exports " + std::string(kThreadContextName));
}

}  // namespace rec::agent
