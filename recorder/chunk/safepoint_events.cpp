// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/safepoint_events.h"

#include <algorithm>

#include "format/type_ids.h"
#include "format/writer/byte_sink.h"
#include "recorder/chunk/encoded_event.h"

namespace rec {
namespace {

using jfr::ByteSink;
using jfr::TypeId;

bool commit(Epoch& epoch, TypeId type, int64_t ticks, int64_t duration_ns, Ref<ThreadFact> thread,
            const std::vector<uint8_t>& fields) {
  return commit(
      epoch,
      EncodedEvent{
          type, ticks, duration_ns, true, false, thread, {}, fields.data(), static_cast<uint32_t>(fields.size())});
}

bool commit(Epoch& epoch, TypeId type, const LateToSafepoint& late, Ref<ThreadFact> thread, Ref<StackFact> stack,
            const std::vector<uint8_t>& fields) {
  return commit(epoch, EncodedEvent{type, late.start_ticks, late.duration_ns, true, true, thread, stack, fields.data(),
                                    static_cast<uint32_t>(fields.size())});
}

std::vector<uint8_t> begin_fields(int64_t id, int32_t threads) {
  ByteSink out;
  out.leb_i64(id);
  out.leb_i32(threads);
  out.leb_i32(-1);
  return bytes_of(out);
}

std::vector<uint8_t> end_fields(const SafepointStop& stop) {
  ByteSink out;
  out.leb_i64(stop.id);
  return bytes_of(out);
}

std::vector<uint8_t> operation_fields(const SafepointStop& stop) {
  ByteSink out;
  text_or_null(out, stop.operation);
  out.boolean(true);
  text_or_null(out, stop.caller);
  out.leb_i64(stop.id);
  return bytes_of(out);
}

std::vector<uint8_t> synchronization_fields(const TimeToSafepoint& stall) {
  ByteSink out;
  out.leb_i64(stall.id);
  for (const int32_t count : {stall.late, stall.running_at_last, stall.looks}) out.leb_i32(count);
  return bytes_of(out);
}

}  // namespace

std::vector<uint8_t> encode_fields(const TimeToSafepoint& stall) {
  ByteSink out;
  out.leb_i64(stall.id);
  out.text(stall.handshake ? "handshake" : "safepoint");
  text_or_null(out, stall.operation);
  text_or_null(out, stall.cause);
  for (const int64_t ns : {stall.uptime_ns, stall.start_error_ns, stall.duration_error_ns, stall.stopped_ns})
    timespan(out, ns);
  for (const int32_t count : {stall.threads, stall.late, stall.listed}) out.leb_i32(count);
  out.boolean(stall.reached);
  for (const int64_t ns : {stall.vm_cpu_ns, stall.vm_run_delay_ns, stall.throttled_ns}) timespan(out, ns);
  for (const std::string* text : {&stall.vm_state, &stall.source, &stall.remark}) text_or_null(out, *text);
  return bytes_of(out);
}

std::vector<uint8_t> encode_fields(const SafepointStop& stop) {
  ByteSink out;
  out.leb_i64(stop.id);
  for (const std::string* text : {&stop.operation, &stop.cause, &stop.caller}) text_or_null(out, *text);
  for (const int64_t ns : {stop.uptime_ns, stop.reaching_ns, stop.cleanup_ns, stop.at_ns, stop.leaving_ns})
    timespan(out, ns);
  for (const int32_t count : {stop.threads, stop.running}) out.leb_i32(count);
  return bytes_of(out);
}

std::vector<uint8_t> encode_fields(const LateToSafepoint& late) {
  ByteSink out;
  out.leb_i64(late.id);
  timespan(out, late.error_ns);
  out.boolean(late.gave_way);
  out.leb(late.java_thread);
  out.leb_i32(late.java_priority);
  out.leb_i32(late.os_priority);
  text_or_null(out, late.policy);
  text_or_null(out, late.allowed_cpus);
  out.leb_i32(late.last_cpu);
  timespan(out, late.cpu_time_ns);
  timespan(out, late.cpu_used_ns);
  timespan(out, late.run_delay_ns);
  out.leb_i32(late.major_faults);
  for (const std::string* text : {&late.faulted_file, &late.os_state, &late.wchan, &late.jvm_state})
    text_or_null(out, *text);
  out.leb_i32(late.signals_sent);
  out.leb_i32(late.signals_answered);
  text_or_null(out, late.stack_remark);
  return bytes_of(out);
}

std::vector<uint8_t> encode_fields(const LateStack& stack) {
  ByteSink out;
  out.leb_i64(stack.id);
  out.leb_i64(stack.os_thread_id);
  out.leb_i32(stack.number);
  out.boolean(stack.answered);
  out.leb_i64(stack.signal_sent_ticks);
  timespan(out, stack.waited_ns);
  text_or_null(out, stack.os_state);
  text_or_null(out, stack.wchan);
  out.leb_i32(stack.last_cpu);
  timespan(out, stack.cpu_time_ns);
  text_or_null(out, stack.jvm_state);
  return bytes_of(out);
}

bool commit(Epoch& epoch, const TimeToSafepoint& stall, Ref<ThreadFact> vm_thread) {
  const auto event = [&](TypeId type, const std::vector<uint8_t>& fields) {
    return commit(epoch, type, stall.start_ticks, stall.duration_ns, vm_thread, fields);
  };
  if (!event(TypeId::kRecTimeToSafepoint, encode_fields(stall))) return false;
  if (stall.handshake) return true;
  if (!event(TypeId::kSafepointBegin, begin_fields(stall.id, stall.threads))) return false;
  return stall.late < 0 || event(TypeId::kSafepointStateSynchronization, synchronization_fields(stall));
}

bool commit(Epoch& epoch, const SafepointStop& stop, Ref<ThreadFact> vm_thread) {
  const auto event = [&](TypeId type, int64_t from_ns, int64_t length_ns, const std::vector<uint8_t>& fields) {
    return commit(epoch, type, stop.start_ticks + from_ns, length_ns, vm_thread, fields);
  };
  if (!event(TypeId::kRecSafepointStop, 0, stop.duration_ns, encode_fields(stop))) return false;
  if (stop.reaching_ns == kUnknownNs) return true;
  if (!stop.begin_is_written &&
      !event(TypeId::kSafepointBegin, 0, stop.reaching_ns, begin_fields(stop.id, stop.threads)))
    return false;
  const int64_t leaving_ns = std::max<int64_t>(stop.leaving_ns, 0);
  const int64_t at_ns = stop.duration_ns - leaving_ns - stop.at_ns;  // from here
  return event(TypeId::kExecuteVmOperation, at_ns, stop.at_ns, operation_fields(stop)) &&
         event(TypeId::kSafepointEnd, stop.duration_ns - leaving_ns, leaving_ns, end_fields(stop));
}

bool commit(Epoch& epoch, const LateToSafepoint& late, Ref<ThreadFact> thread, Ref<StackFact> stack) {
  if (!commit(epoch, TypeId::kRecLateToSafepoint, late, thread, stack, encode_fields(late))) return false;
  if (!late.gave_way) return true;
  ByteSink state;
  state.leb(kStateRunnable);
  return commit(epoch, TypeId::kSafepointLatency, late, thread, stack, bytes_of(state));
}

bool commit_late_stack(Epoch& epoch, int64_t ticks, const uint8_t* fields, uint32_t size, Ref<ThreadFact> thread,
                       Ref<StackFact> stack) {
  return commit(epoch, EncodedEvent{TypeId::kRecLateStack, ticks, 0, false, true, thread, stack, fields, size});
}

}  // namespace rec
