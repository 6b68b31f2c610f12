// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/sample_contexts.h"

#include <algorithm>
#include <utility>

#include "agent/context/span_names.h"
#include "agent/hotspot/state/thread_context.h"
#include "agent/options/log.h"
#include "agent/process/loaded_libraries.h"
#include "recorder/spool/context_event.h"

namespace rec::agent {
namespace {

Ref<EncodedFact> name_of(Epoch& epoch, const RequestContext& context) {
  return context.name == 0 ? Ref<EncodedFact>() : span_names().tag(epoch, context.name);
}

}  // namespace

bool SampleContexts::traced(uint64_t pointer, RequestContext& to) const {
  // acquire: pairs with the release in look(): the place is whole.
  const ThreadLocalPlace* const place = place_.load(std::memory_order_acquire);
  ThreadContext context;
  if (place == nullptr || !read_thread_context(address_in(*place, pointer), context)) return false;
  to = {{context.words[0], context.words[1]}, context.words[2], to.name};
  return true;
}

RequestContext SampleContexts::of_caller(int64_t virtual_id) const {
  RequestContext context;
  if (!writes_.load(std::memory_order_relaxed)) return context;
  read_own_context(virtual_id, context);
  traced(thread_pointer(), context);
  return context;
}

RequestContext SampleContexts::of_other(uint64_t pointer, int64_t virtual_id) const {
  RequestContext context;
  if (pointer == 0 || !writes_.load(std::memory_order_relaxed)) return context;
  read_own_context_of(pointer, virtual_id, context);
  traced(pointer, context);
  return context;
}

RequestContext SampleContexts::of_unmounted(int64_t virtual_id) const {
  RequestContext context;
  if (writes_.load(std::memory_order_relaxed)) read_own_context(virtual_id, context);
  return context;
}

Event SampleContexts::event_of(Epoch& epoch, const RequestContext& context) {
  if (!context) return {};
  return context_event({context.trace[0], context.trace[1], context.span}, name_of(epoch, context));
}

// A request that is not traced has no ids, and may have attributes.
Event SampleContexts::event_of_caller(Epoch& epoch, int64_t virtual_id) const {
  const RequestContext context = of_caller(virtual_id);
  // acquire: pairs with the release in look(): the place is whole.
  const ThreadLocalPlace* const place = place_.load(std::memory_order_acquire);
  if (place == nullptr) return event_of(epoch, context);
  const Ref<EncodedFact> name = name_of(epoch, context);
  const uint64_t record = thread_context_record(address_in(*place, thread_pointer()));
  const Ref<EncodedFact> fact = attributes_.fact(epoch, record, name);
  if (!context && !fact) return {};
  return context_event({context.trace[0], context.trace[1], context.span}, fact ? fact : name);
}

void SampleContexts::open(bool asked) {
  open_ = true;
  attributes_.open();
  writes_.store(true, std::memory_order_relaxed);
  asked_ = asked;
  said_ = false;
  tends_ = 0;
  changes_ = 0;
}

void SampleContexts::close() {
  if (!std::exchange(open_, false)) return;
  say_missing();
  writes_.store(false, std::memory_order_relaxed);
  place_.store(nullptr, std::memory_order_relaxed);
  symbol_ = {};
}

void SampleContexts::tend() {
  if (!open_) return;
  if (std::exchange(changes_, library_changes()) != changes_) look();
  if (symbol_) attributes_.tend();
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
  // release: pairs with the acquire in traced().
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
