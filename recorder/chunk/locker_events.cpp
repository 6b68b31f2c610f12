// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/locker_events.h"

#include <algorithm>

#include "format/type_ids.h"
#include "format/writer/byte_sink.h"
#include "recorder/chunk/encoded_event.h"

namespace rec {
namespace {

using jfr::ByteSink;
using jfr::TypeId;

// As JFR has them: how many were inside, how many had to wait.
std::vector<uint8_t> locker_counts(const LockerStall& stall) {
  ByteSink out;
  out.leb_i32(stall.inside);
  out.leb_i32(std::max(stall.waiting, 0));
  return bytes_of(out);
}

EncodedEvent an_event(TypeId type, int64_t ticks, int64_t duration_ns, Ref<ThreadFact> thread, Ref<StackFact> stack,
                      const std::vector<uint8_t>& fields) {
  return {type, ticks, duration_ns, true, true, thread, stack, fields.data(), static_cast<uint32_t>(fields.size())};
}

}  // namespace

std::vector<uint8_t> encode_fields(const LockerStall& stall) {
  ByteSink out;
  out.leb_i64(stall.id);
  for (const std::string* text : {&stall.operation, &stall.collection, &stall.cause}) text_or_null(out, *text);
  for (const int64_t ns : {stall.uptime_ns, stall.start_error_ns, stall.held_ns}) timespan(out, ns);
  for (const int32_t count : {stall.inside, stall.waiting, stall.listed}) out.leb_i32(count);
  text_or_null(out, stall.longest_waiter);
  timespan(out, stall.longest_wait_ns);
  out.leb_i64(stall.safepoint_id);
  out.boolean(stall.over);
  text_or_null(out, stall.remark);
  return bytes_of(out);
}

std::vector<uint8_t> encode_fields(const LockerThread& thread) {
  ByteSink out;
  out.leb_i64(thread.id);
  out.text(thread.inside ? "inside" : "waiting");
  timespan(out, thread.error_ns);
  out.leb(thread.java_thread);
  text_or_null(out, thread.jvm_state);
  text_or_null(out, thread.stack_remark);
  return bytes_of(out);
}

bool commit(Epoch& epoch, const LockerStall& stall, Ref<ThreadFact> thread, Ref<StackFact> stack) {
  const auto event = [&](TypeId type, const std::vector<uint8_t>& fields) {
    return commit(epoch, an_event(type, stall.start_ticks, stall.duration_ns, thread, stack, fields));
  };
  if (!event(TypeId::kRecGcLockerStall, encode_fields(stall))) return false;
  return !stall.over || event(TypeId::kGcLocker, locker_counts(stall));
}

bool commit(Epoch& epoch, const LockerThread& event, Ref<ThreadFact> thread, Ref<StackFact> stack) {
  return commit(epoch, an_event(TypeId::kRecGcLockerThread, event.start_ticks, event.duration_ns, thread, stack,
                                encode_fields(event)));
}

}  // namespace rec
