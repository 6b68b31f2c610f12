// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/late_threads.h"

#include <algorithm>

#include "agent/process/os_state.h"
#include "agent/safepoint/question_times.h"
#include "agent/safepoint/stack_text.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

// The record stands for the same thread still. acquire: pairs with the releases in ThreadRegistry::add() and remove().
bool is_alive(const LateThread& late) { return late.record->os_id.load(std::memory_order_acquire) == late.os_id; }

// The events' text of it: "" is not known.
std::string state_text(const OsState& os) { return os.state == 0 ? "" : std::string(1, os.state); }
std::string wchan_text(const OsState& os) { return os.state != 0 && os.wchan.empty() ? "0" : os.wchan; }

}  // namespace

LateThreads::~LateThreads() {
  for (LateThread& late : listed_)
    for (AskedStack& each : late.asked) tools_.requests.forget(each.ticket);
}

void LateThreads::list() {
  threads_ = late_ = 0;
  listed_.reserve(kMaxListed);
  tools_.threads.for_each([&](ThreadRecord& record) {
    ++threads_;
    const uint32_t state = tools_.words.state(record.java_thread);
    if (tardy(record.java_thread, 0)) add(record, state);
  });
}

void LateThreads::add(ThreadRecord& record, uint32_t state, uint64_t handshake) {
  ++late_;
  if (listed_.size() == kMaxListed) return;
  LateThread& late = listed_.emplace_back();
  late.record = &record;
  late.os_id = record.os_id.load(std::memory_order_relaxed);
  late.java_id = record.java_id;
  late.java_thread = record.java_thread;
  late.handshake = handshake;
  late.name.assign(record.name.data(), record.name_size);
  late.seen_running_ticks = base::now_ticks();
  late.event.id = id_;
  late.event.java_thread = record.java_thread;
  late.event.java_priority = record.java_priority;
  late.event.jvm_state = tools_.words.state_name(state);
}

bool LateThreads::tardy(uint64_t java_thread, uint64_t handshake) const {
  const ThreadWords& words = tools_.words;
  switch (running_) {
    case Running::kTardy: return words.tardy(java_thread);
    case Running::kArmed: return words.asked(java_thread);
    case Running::kQueued: return words.tardy(java_thread) && words.handshake(java_thread) == handshake;
  }
  return false;
}

bool LateThreads::tardy(const LateThread& late) const {
  return is_alive(late) && tardy(late.java_thread, late.handshake);
}

// The same clock for all: the n-th wait counts from the request, those after the list from the signal before.
int64_t LateThreads::next_ask_ticks(const LateThread& late) const {
  const bool waits_for_answer = !late.asked.empty() && late.asked.back().answered_ticks == 0;
  if (late.gave_way || waits_for_answer) return INT64_MAX;  // one at a time
  return next_question_ticks(tools_.settings.waits_ns, tools_.settings.interval_ns, late.asked.size(), seen_ticks_,
                             late.asked.empty() ? 0 : late.asked.back().event.signal_sent_ticks);
}

void LateThreads::look(const std::function<bool()>& still, Ask ask_them) {
  ++looks_;
  for (LateThread& late : listed_) {
    take_answers(late);
    if (late.gave_way) continue;
    note_way(late, still, base::now_ticks());
    if (ask_them == Ask::kWhenDue && next_ask_ticks(late) <= base::now_ticks()) ask(late, base::now_ticks());
  }
}

void LateThreads::ask(LateThread& late, int64_t now) {
  AskedStack asked;
  const OsState os = read_os_state(late.os_id);
  const int64_t cpu_ns = task_cpu_ns(late.os_id);
  if (late.asked.empty()) {
    const OsTraits traits = read_os_traits(late.os_id);
    late.first_cpu_ns = cpu_ns;
    late.event.policy = traits.policy;
    late.event.allowed_cpus = traits.allowed_cpus;
    late.event.os_priority = os.nice;
  }
  late.event.os_state = state_text(os);
  late.event.wchan = wchan_text(os);
  late.event.last_cpu = os.last_cpu;
  late.event.cpu_time_ns = cpu_ns;
  asked.event.id = id_;
  asked.event.os_thread_id = late.os_id;
  asked.event.number = static_cast<int32_t>(late.asked.size()) + 1;
  asked.event.answered = true;  // as the handler writes it
  asked.event.os_state = late.event.os_state;
  asked.event.wchan = late.event.wchan;
  asked.event.last_cpu = os.last_cpu;
  asked.event.cpu_time_ns = cpu_ns;
  asked.event.jvm_state = tools_.words.state_name(tools_.words.state(late.java_thread));
  asked.event.waited_ns = now - seen_ticks_;
  asked.event.signal_sent_ticks = base::now_ticks();
  if (tardy(late)) asked.ticket = tools_.requests.ask(late.os_id, encode_fields(asked.event));
  if (asked.ticket) ++late.event.signals_sent;
  if (!asked.ticket) asked.answered_ticks = -1;  // not sent: nothing to wait for
  late.asked.push_back(std::move(asked));
}

void LateThreads::take_answers(LateThread& late) {
  if (late.asked.empty() || late.asked.back().answered_ticks != 0) return;
  AskedStack& asked = late.asked.back();
  const StackRequests::Answer answer = tools_.requests.answer_of(asked.ticket);
  if (!answer.there) return;
  asked.answered_ticks = answer.ticks;
  ++late.event.signals_answered;
  tools_.requests.forget(asked.ticket);
  if (tools_.settings.log.empty()) return;
  const EpochPin pin;
  if (pin && pin->spool().header().serial == answer.epoch_serial) asked.text = stack_text(*pin, answer.stack);
}

void LateThreads::note_way(LateThread& late, const std::function<bool()>& still, int64_t now) {
  if (tardy(late)) {
    late.seen_running_ticks = now;
    return;
  }
  late.gave_way = true;
  late.gave_way_ticks = now;
  if (!is_alive(late))
    late.event.stack_remark = "the thread has ended";
  else if (id_ < 0)
    late.event.stack_remark = "after a handshake the thread runs on at once";
  else
    read_stack(late, still);
}

void LateThreads::read_stack(LateThread& late, const std::function<bool()>& still) {
  const EpochPin pin;
  if (!pin) {
    late.event.stack_remark = "the recording was not open at that moment";
    return;
  }
  const auto result =
      tools_.frozen.read(*pin, late.java_thread, [&] { return !tardy(late) && is_alive(late) && still(); });
  late.event.stack_remark = explain(result.why);
  if (!result.stack) return;
  late.has_stack = true;
  late.where.take_stack(*pin, result.stack);
  if (!tools_.settings.log.empty()) late.where_text = stack_text(*pin, result.stack);
}

bool LateThreads::all_gave_way() const { return running() == 0; }

int32_t LateThreads::running() const {
  return static_cast<int32_t>(std::ranges::count_if(listed_, [&](const LateThread& each) { return tardy(each); }));
}

void LateThreads::finish(int64_t start_ticks, int64_t start_error_ns, int64_t reached_ticks, bool reached) {
  for (LateThread& late : listed_) {
    take_answers(late);
    const int64_t cpu_ns = late.first_cpu_ns < 0 ? -1 : task_cpu_ns(late.os_id);
    if (cpu_ns >= late.first_cpu_ns && late.first_cpu_ns >= 0) late.event.cpu_used_ns = cpu_ns - late.first_cpu_ns;
    late.event.gave_way = late.gave_way || reached;
    const int64_t end = late.gave_way ? std::min(late.gave_way_ticks, reached_ticks) : reached_ticks;
    late.event.start_ticks = start_ticks;
    late.event.duration_ns = std::max<int64_t>(end - start_ticks, 0);
    late.event.error_ns = start_error_ns + std::max<int64_t>(end - late.seen_running_ticks, 0);
    if (!late.gave_way) late.event.stack_remark = reached ? "it was not looked at in time" : "it had not given way";
  }
}

bool LateThreads::commit() {
  bool all = true;
  for (LateThread& late : listed_) {
    const EpochPin pin;
    if (!pin) return false;
    ThreadShape shape;
    shape.id = static_cast<ThreadId>(late.java_id);
    shape.os_thread_id = late.os_id;
    shape.java_thread_id = late.java_id;
    shape.java_name = shape.os_name = {late.name.data(), static_cast<uint16_t>(late.name.size())};
    Ref<ThreadFact> thread;
    tools_.threads.exclusively([&] {
      if (is_alive(late)) thread = pin->tag_thread(late.record->tag, shape_of(*late.record, 0));
    });
    if (!thread) thread = pin->copy_thread(shape);
    all = rec::commit(*pin, late.event, thread, late.where.retag_stack(*pin)) && all;
    for (const AskedStack& asked : late.asked) {
      if (asked.answered_ticks != 0) continue;
      LateStack event = asked.event;
      event.answered = false;
      const std::vector<uint8_t> fields = encode_fields(event);
      all = commit_late_stack(*pin, event.signal_sent_ticks, fields.data(), static_cast<uint32_t>(fields.size()),
                              thread, {}) &&
            all;
    }
  }
  return all;
}

}  // namespace rec::agent
