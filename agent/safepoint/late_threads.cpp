// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/late_threads.h"

#include <algorithm>

#include "agent/process/mapped_file.h"
#include "agent/process/os_state.h"
#include "agent/safepoint/question_times.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

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
    if (tardy(record.java_thread, {})) add(record, state);
  });
}

void LateThreads::add(ThreadRecord& record, uint32_t state, const ThreadWords::Handshake& handshake,
                      int64_t ran_ticks) {
  ++late_;
  is_full_ = listed_.size() == kMaxListed;
  if (is_full_) return;
  LateThread& late = listed_.emplace_back();
  static_cast<ListedThread&>(late) = ListedThread(tools_.layout, record);
  late.handshake = handshake;
  late.seen_running_ticks = ran_ticks != 0 ? ran_ticks : base::now_ticks();
  late.event.id = id_;
  late.event.java_thread = record.java_thread;
  late.event.java_priority = record.java_priority;
  late.event.jvm_state = tools_.words.state_name(state);
}

bool LateThreads::tardy(uint64_t java_thread, const ThreadWords::Handshake& handshake) const {
  const ThreadWords& words = tools_.words;
  switch (running_) {
    case Running::kTardy: return words.tardy(java_thread);
    case Running::kArmed: return words.asked(java_thread);
    case Running::kQueued: return words.tardy(java_thread) && words.has_to_do(java_thread, handshake);
  }
  return false;
}

bool LateThreads::tardy(const LateThread& late) const {
  return late.is_alive() && tardy(late.java_thread, late.handshake);
}

// The same clock for all: the n-th wait counts from the request, those after the list from the signal before.
int64_t LateThreads::next_ask_ticks(const LateThread& late) const {
  const bool waits_for_answer = !late.asked.empty() && late.asked.back().answered_ticks == 0;
  if (late.gave_way || waits_for_answer) return INT64_MAX;  // one at a time
  return next_question_ticks(tools_.settings.waits_ns, tools_.settings.interval_ns, late.asked.size(), seen_ticks_,
                             late.asked.empty() ? 0 : late.asked.back().event.signal_sent_ticks);
}

// Many may run at half time, and few when patience ends: these are meant.
void LateThreads::list_again() {
  if (!is_full_ || running_ == Running::kQueued || base::now_ticks() < patience_ends()) return;
  listed_.clear();
  list();
  is_full_ = false;
}

void LateThreads::look(const std::function<bool()>& still, Ask ask_them) {
  ++looks_;
  if (ask_them == Ask::kWhenDue) list_again();
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
    late.first_run_delay_ns = run_delay_ns(late.os_id);
    late.first_faults = os.major_faults;
    late.event.policy = traits.policy;
    late.event.allowed_cpus = traits.allowed_cpus;
    late.event.os_priority = os.nice.value_or(0);
  }
  late.event.os_state = state_text(os);
  late.event.wchan = wchan_text(os);
  late.event.last_cpu = os.last_cpu;
  late.event.cpu_time_ns = cpu_ns;
  asked.waited_for_page = os.state != 'R' && os.system_call == kNoSystemCall;
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
  // The signal came when the page had: the instruction that needs it is the next one, and its registers lead there.
  if (asked.waited_for_page && late.event.faulted_file.empty())
    late.event.faulted_file = mapped_file_of(answer.registers.values);
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
  if (!late.is_alive())
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
  const auto result = tools_.frozen.read(*pin, late.java_thread, late.os_id,
                                         [&] { return !tardy(late) && late.is_alive() && still(); });
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

void LateThreads::drop_early(int64_t reached_ticks) {
  const auto by_time = [](const LateThread& late) { return late.gave_way ? late.gave_way_ticks : INT64_MAX; };
  std::ranges::stable_sort(listed_, std::ranges::greater{}, by_time);
  const auto is_early = [&] { return by_time(listed_.back()) < patience_ends(); };
  while (listed_.size() > 1 && is_early()) listed_.pop_back(), --late_;
  const int64_t soon = tools_.settings.patience_ns() / kSoonShare;
  if (!listed_.empty() && is_early() && reached_ticks - by_time(listed_.back()) > soon) listed_.pop_back(), --late_;
}

void LateThreads::finish(int64_t start_ticks, int64_t start_error_ns, int64_t reached_ticks, bool reached) {
  drop_early(reached_ticks);
  for (LateThread& late : listed_) {
    take_answers(late);
    if (!late.asked.empty()) sum_up(late);
    late.event.gave_way = late.gave_way || reached;
    const int64_t end = late.gave_way ? std::min(late.gave_way_ticks, reached_ticks) : reached_ticks;
    late.event.start_ticks = start_ticks;
    late.event.duration_ns = std::max<int64_t>(end - start_ticks, 0);
    late.event.error_ns = start_error_ns + std::max<int64_t>(end - late.seen_running_ticks, 0);
    if (!late.gave_way) late.event.stack_remark = reached ? "it was not looked at in time" : "it had not given way";
  }
}

// What it used, and waited for, since it was first asked.
void LateThreads::sum_up(LateThread& late) {
  const auto since = [](int64_t before, int64_t now) { return before < 0 || now < before ? -1 : now - before; };
  OsState os;
  TaskDirectory tasks;
  read_stat(tasks, late.os_id, os);
  late.event.cpu_used_ns = since(late.first_cpu_ns, task_cpu_ns(late.os_id));
  late.event.run_delay_ns = since(late.first_run_delay_ns, run_delay_ns(late.os_id));
  late.event.major_faults = static_cast<int32_t>(since(late.first_faults, os.major_faults));
}

bool LateThreads::commit() {
  bool all = true;
  for (LateThread& late : listed_) {
    const EpochPin pin;
    if (!pin) return false;
    const Ref<ThreadFact> thread = late.tag(tools_.layout, *pin, tools_.threads);
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
