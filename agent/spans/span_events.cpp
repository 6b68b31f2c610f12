// SPDX-License-Identifier: Apache-2.0
#include "agent/spans/span_events.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>

#include "agent/context/span_names.h"
#include "agent/process/system_thread.h"
#include "agent/sampling/stranger.h"
#include "agent/sampling/thread_facts.h"
#include "base/clock.h"
#include "base/hexadecimal.h"
#include "format/type_ids.h"
#include "format/writer/byte_sink.h"
#include "recorder/chunk/encoded_event.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constinit SpanEvents the_span_events;

std::string span_id_text(std::span<const uint64_t> words) {
  if (std::ranges::all_of(words, [](uint64_t word) { return word == 0; })) return {};
  return base::hexadecimal({reinterpret_cast<const uint8_t*>(words.data()), words.size_bytes()});
}

// At most so many bytes, and no half of a character.
std::string_view kept_labels(std::string_view labels) {
  size_t end = std::min(labels.size(), SpanEvents::kMostLabelBytes);
  while (end > 0 && end < labels.size() && (static_cast<uint8_t>(labels[end]) & 0xc0) == 0x80) --end;
  return labels.substr(0, end);
}

jfr::ByteSink span_fields(const RequestContext& span, std::string_view labels) {
  jfr::ByteSink out;
  text_or_null(out, std::string(span_names().text(span.name)));
  text_or_null(out, span_id_text(span.trace));
  text_or_null(out, span_id_text({&span.span, 1}));
  text_or_null(out, std::string(kept_labels(labels)));
  return out;
}

Ref<ThreadFact> calling_thread(VmSession& session, Epoch& epoch) {
  ThreadRecord* const thread = session.threads.current();
  if (thread != nullptr && thread->kind != ThreadKind::kJava) return unread_fact(epoch, *thread);
  if (thread != nullptr && thread->java_thread != 0) return session.sampler.thread_fact(epoch, *thread);
  const SystemName name = SystemName::own();
  return epoch.copy_thread(shape_of_stranger(own_thread_id(), {name.c_str(), name.size()}));
}

}  // namespace

SpanEvents& span_events() { return the_span_events; }

void SpanEvents::open(VmSession& session, int64_t threshold_ns) {
  // release: pairs with the acquire in ended(): the session has been opened.
  session_.store(&session, std::memory_order_release);
  threshold_ns_.store(threshold_ns, std::memory_order_relaxed);
}

int64_t SpanEvents::start_ticks() const {
  return threshold_ns_.load(std::memory_order_relaxed) == kClosed ? 0 : base::now_ticks();
}

void SpanEvents::ended(const RequestContext& span, int64_t start_ticks, std::string_view labels) {
  const int64_t threshold_ns = threshold_ns_.load(std::memory_order_relaxed);
  // acquire: pairs with the release in open().
  VmSession* const session = session_.load(std::memory_order_acquire);
  if (threshold_ns == kClosed || start_ticks == 0 || session == nullptr) return;
  const int64_t duration_ns = base::now_ticks() - start_ticks;
  LossCounters& losses = Engine::losses();
  if (duration_ns < threshold_ns) {
    losses.note(Note::kSpansShort);
    return losses.note(Note::kSpansShortUs, static_cast<uint64_t>(duration_ns) / 1000);
  }
  losses.note(write(*session, span, start_ticks, duration_ns, labels) ? Note::kSpans : Note::kSpansLost);
}

bool SpanEvents::write(VmSession& session, const RequestContext& span, int64_t start_ticks, int64_t duration_ns,
                       std::string_view labels) {
  const jfr::ByteSink fields = span_fields(span, labels);
  const EpochPin pin;
  if (!pin) return false;
  return commit(*pin, {.type = jfr::TypeId::kRecSpan,
                       .ticks = start_ticks,
                       .duration_ns = duration_ns,
                       .has_duration = true,
                       .thread = calling_thread(session, *pin),
                       .fields = fields.bytes().data(),
                       .size = static_cast<uint32_t>(fields.size())});
}

}  // namespace rec::agent
