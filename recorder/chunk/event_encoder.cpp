// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/event_encoder.h"

#include <algorithm>
#include <cassert>
#include <span>

#include "base/hexadecimal.h"
#include "format/writer/collection_constants.h"
#include "recorder/chunk/context_facts.h"
#include "recorder/spool/context_event.h"
#include "recorder/spool/live_object.h"
#include "recorder/spool/lock_event.h"
#include "recorder/spool/text_parts.h"

namespace rec {

using jfr::ByteSink;
using jfr::TypeId;

namespace {

// Of zeros: there is none.
void put_id(ByteSink& out, std::span<const uint64_t> words) {
  if (std::ranges::all_of(words, [](uint64_t word) { return word == 0; })) return out.null_text();
  out.text(base::hexadecimal({reinterpret_cast<const uint8_t*>(words.data()), words.size_bytes()}));
}

}  // namespace

ByteSink& EventEncoder::begin(TypeId type, int64_t start_ticks) {
  body_.clear();
  body_.leb(static_cast<uint64_t>(type));
  body_.leb_i64(start_ticks);
  return body_;
}

void EventEncoder::end() {
  assert(!body_.empty() && "begin() comes before end()");
  constexpr size_t kMaxSmallSize = 127;
  if (body_.size() + 1 <= kMaxSmallSize) {
    bytes_.u8(static_cast<uint8_t>(body_.size() + 1));
    return bytes_.raw(body_.bytes());
  }
  const size_t at = bytes_.reserve_size();
  bytes_.raw(body_.bytes());
  bytes_.patch_size(at, static_cast<uint32_t>(bytes_.size() - at));
}

void EventEncoder::encode(const Event& event, const FactReader& facts, ConstantWriter& constants,
                          const Event& context) {
  const uint64_t thread = constants.thread(facts, event.thread);
  if (context.kind == EventKind::kContext) encode_context(context, event.ticks, thread, facts);
  encode_itself(event, thread, facts, constants);
  constants.native_news().encode(event.ticks, *this);
}

void EventEncoder::encode_itself(const Event& event, uint64_t thread, const FactReader& facts,
                                 ConstantWriter& constants) {
  switch (event.kind) {
    case EventKind::kSample: return encode_sample(event, thread, constants.stack(facts, event.stack));
    case EventKind::kThreadStart: {
      const uint64_t stack = constants.stack(facts, event.stack);
      const uint64_t parent = constants.thread(facts, {event.other});
      ByteSink& out = begin(TypeId::kThreadStart, event.ticks);
      for (const uint64_t key : {thread, stack, thread, parent}) out.leb(key);
      return end();
    }
    case EventKind::kThreadEnd: {
      ByteSink& out = begin(TypeId::kThreadEnd, event.ticks);
      for (const uint64_t key : {thread, thread}) out.leb(key);
      return end();
    }
    case EventKind::kClassUnload: return encode_class_unload(event, thread, facts, constants);
    case EventKind::kGc: return encode_gc(event, thread);
    case EventKind::kShutdown: {
      const uint64_t stack = constants.stack(facts, event.stack);
      ByteSink& out = begin(TypeId::kShutdown, event.ticks);
      for (const uint64_t key : {thread, stack}) out.leb(key);
      out.text("The JVM is shutting down");
      return end();
    }
    case EventKind::kException: return encode_exception(event, thread, facts, constants);
    case EventKind::kAllocation: return encode_allocation(event, thread, facts, constants);
    case EventKind::kWallSample: return encode_wall(event, thread, constants.stack(facts, event.stack));
    case EventKind::kMonitorEnter:
    case EventKind::kMonitorWait:
    case EventKind::kThreadPark:
    case EventKind::kThreadSleep:
    case EventKind::kThreadPinned: return encode_wait(event, thread, facts, constants);
    case EventKind::kLiveObject: return encode_live_object(event, thread, facts, constants);
    case EventKind::kEncoded: return encode_encoded(event, thread, facts, constants);
    case EventKind::kContext:
    case EventKind::kNone: return;
  }
}

void EventEncoder::encode_context(const Event& context, int64_t ticks, uint64_t thread, const FactReader& facts) {
  const ContextWords words = context_words(context);
  const ContextTexts texts = context_texts(facts, context_name(context));
  ByteSink& out = begin(TypeId::kRecSampleContext, ticks);
  out.leb(thread);
  put_id(out, std::span(words).first(2));
  put_id(out, std::span(words).subspan(2));
  for (const std::string_view text : {texts.name, std::string_view(texts.attributes)})
    text.empty() ? out.null_text() : out.text(text);
  end();
}

void EventEncoder::encode_sample(const Event& event, uint64_t thread, uint64_t stack) {
  if (sample_event_ == SampleEvent::kExecutionSample) {
    ByteSink& out = begin(TypeId::kExecutionSample, event.ticks);
    for (const uint64_t key : {thread, stack, uint64_t{sample_state(event.value)}}) out.leb(key);
    return end();
  }
  const uint32_t weight = sample_weight(event.value);
  ByteSink& out = begin(TypeId::kCpuTimeSample, event.ticks);
  for (const uint64_t key : {stack, thread}) out.leb(key);
  out.boolean(stack == 0);                          // failed
  out.leb_i64(period_ns_ * (weight ? weight : 1));  // a late sample stands for all the periods it came after
  out.boolean(false);                               // biased
  end();
}

void EventEncoder::encode_class_unload(const Event& event, uint64_t thread, const FactReader& facts,
                                       ConstantWriter& constants) {
  const Ref<ClassFact> unloaded{event.other};
  const uint64_t klass = constants.klass(facts, unloaded);
  const uint64_t loader = constants.loader_of(facts, unloaded);
  ByteSink& out = begin(TypeId::kClassUnload, event.ticks);
  for (const uint64_t key : {thread, klass, loader}) out.leb(key);
  end();
}

void EventEncoder::encode_allocation(const Event& event, uint64_t thread, const FactReader& facts,
                                     ConstantWriter& constants) {
  const uint64_t stack = constants.stack(facts, event.stack);
  const uint64_t klass = constants.klass(facts, {event.other});
  ByteSink& out = begin(TypeId::kObjectAllocationSample, event.ticks);
  for (const uint64_t key : {thread, stack, klass}) out.leb(key);
  out.leb_i64(static_cast<int64_t>(event.value));
  end();
}

void EventEncoder::encode_exception(const Event& event, uint64_t thread, const FactReader& facts,
                                    ConstantWriter& constants) {
  const uint64_t stack = constants.stack(facts, event.stack);
  const uint64_t klass = constants.klass(facts, {event.other});
  ByteSink& out = begin(TypeId::kJavaExceptionThrow, event.ticks);
  for (const uint64_t key : {thread, stack}) out.leb(key);
  out.null_text();
  for (const uint64_t each : {klass, event.value}) out.leb(each);
  end();
}

void EventEncoder::encode_wall(const Event& event, uint64_t thread, uint64_t stack) {
  ByteSink& out = begin(TypeId::kWallClockSample, event.ticks);
  for (const uint64_t key : {thread, stack, uint64_t{wall_state(event.value)}}) out.leb(key);
  out.leb_i32(static_cast<int32_t>(event.other));
  out.leb_i64(wall_length_ns(event.value));
  end();
}

void EventEncoder::encode_live_object(const Event& event, uint64_t thread, const FactReader& facts,
                                      ConstantWriter& constants) {
  const DetailFact* const detail = facts.get(Ref<DetailFact>{event.other});
  if (detail == nullptr) return;
  const LiveObject object = live_object(detail->shape);
  const uint64_t stack = constants.stack(facts, event.stack);
  const uint64_t key = constants.old_object(facts, detail->shape.klass, live_address(event.value));
  ByteSink& out = begin(TypeId::kOldObjectSample, event.ticks);
  out.leb(0);  // duration: all of a batch have one time, by which readers know the last one
  for (const uint64_t each : {thread, stack, static_cast<uint64_t>(object.allocated_ticks), object.size}) out.leb(each);
  out.leb_i64(event.ticks - object.allocated_ticks);
  for (const uint64_t each : {object.heap_used, key}) out.leb(each);
  out.leb_i32(object.elements);
  out.leb(0);  // no root
  out.leb_i32(static_cast<int32_t>(live_collections(event.value)));
  out.leb_i64(static_cast<int64_t>(object.weight << live_doublings(event.value)));
  end();
}

void EventEncoder::encode_wait(const Event& event, uint64_t thread, const FactReader& facts,
                               ConstantWriter& constants) {
  const DetailFact* const detail = facts.get(Ref<DetailFact>{event.other});
  if (detail == nullptr) return;
  const LockEvent lock = lock_event(detail->shape);
  const uint64_t stack = constants.stack(facts, event.stack), klass = constants.klass(facts, detail->shape.klass);
  const uint64_t owner = constants.thread(facts, detail->shape.thread);
  const uint64_t owner_stack = constants.stack(facts, detail->shape.stack);
  const auto begin_wait = [&](TypeId type) -> ByteSink& {
    ByteSink& out = begin(type, event.ticks);
    out.leb_i64(static_cast<int64_t>(event.value));
    for (const uint64_t key : {thread, stack}) out.leb(key);
    return out;
  };
  if (event.kind == EventKind::kMonitorEnter) {
    ByteSink& out = begin_wait(TypeId::kJavaMonitorEnter);
    for (const uint64_t each : {klass, owner, lock.address}) out.leb(each);
    if (owner_stack != 0) {
      end();
      ByteSink& seen = begin(TypeId::kRecMonitorOwner, event.ticks);
      seen.leb_i64(static_cast<int64_t>(event.value));
      for (const uint64_t each : {owner, owner_stack, klass, thread, lock.address}) seen.leb(each);
    }
  } else if (event.kind == EventKind::kMonitorWait) {
    ByteSink& out = begin_wait(TypeId::kJavaMonitorWait);
    out.leb(klass);
    out.leb(0);  // who has notified it is not known
    out.leb_i64(lock.timeout);
    out.boolean(lock.timed_out);
    out.leb(lock.address);
  } else if (event.kind == EventKind::kThreadSleep) {
    begin_wait(TypeId::kThreadSleep).leb_i64(lock.timeout);
  } else if (event.kind == EventKind::kThreadPinned) {
    ByteSink& out = begin_wait(TypeId::kVirtualThreadPinned);
    out.text("LockSupport.park");
    out.null_text();
    out.leb(owner);
  } else {
    ByteSink& out = begin_wait(TypeId::kThreadPark);
    out.leb(klass);
    for (const int64_t each : {lock.timeout, lock.until}) out.leb_i64(each);
    out.leb(lock.address);
  }
  end();
}

void EventEncoder::encode_encoded(const Event& event, uint64_t thread, const FactReader& facts,
                                  ConstantWriter& constants) {
  EncodedFact* fact = facts.get(Ref<EncodedFact>{event.other});
  if (fact == nullptr) return;
  if (fact->has_parts) return encode_parts(*fact, event.ticks, facts);
  const uint64_t stack = fact->has_stack ? constants.stack(facts, event.stack) : 0;
  const std::string_view fields = FactReader::text(*fact, 0);
  ByteSink& out = begin(static_cast<TypeId>(fact->type), event.ticks);
  if (fact->has_duration) out.leb_i64(static_cast<int64_t>(event.value));
  if (fact->has_thread) out.leb(thread);
  if (fact->has_stack) out.leb(stack);
  out.raw({reinterpret_cast<const uint8_t*>(fields.data()), fields.size()});
  end();
}

// A text, and nothing else. It may be long: it is put where it belongs at once.
void EventEncoder::encode_parts(EncodedFact& fact, int64_t ticks, const FactReader& facts) {
  parts_.clear();
  size_t size = 0;
  const auto add = [&](std::string_view part) {
    part = part.substr(0, kMostTextBytes - size);
    size += part.size();
    if (!part.empty()) parts_.push_back(part);
  };
  for_each_part({fact.tail(), fact.text_sizes[0]}, add, [&](Ref<EncodedFact> shared, const char*) {
    EncodedFact* const text = facts.get(shared);
    add(text == nullptr ? kDamagedPart : FactReader::text(*text, 0));
  });
  const size_t at = bytes_.reserve_size();
  bytes_.leb(fact.type);
  bytes_.leb_i64(ticks);
  bytes_.text_head(size);
  bytes_.reserve(bytes_.size() + size);
  for (const std::string_view part : parts_) bytes_.raw({reinterpret_cast<const uint8_t*>(part.data()), part.size()});
  bytes_.patch_size(at, static_cast<uint32_t>(bytes_.size() - at));
}

void EventEncoder::encode_gc(const Event& event, uint64_t thread) {
  ByteSink& out = begin(TypeId::kGarbageCollection, event.ticks);
  out.leb_i64(static_cast<int64_t>(event.value));
  out.leb(thread);
  out.leb_i32(static_cast<int32_t>(event.extra));
  out.leb(jfr::known_gc_name(gc_name(event.other)));
  out.leb(jfr::known_gc_cause(gc_cause(event.other)));
  for (int pauses = 0; pauses < 2; ++pauses) out.leb(event.value);
  end();
}

}  // namespace rec
