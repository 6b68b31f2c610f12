// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/sampler.h"

#include <ucontext.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include "agent/hotspot/processor/signal_context.h"
#include "agent/hotspot/vm/virtual_thread.h"
#include "agent/hotspot/walk/tagger.h"
#include "agent/process/signal_chain.h"
#include "agent/sampling/cpu_clock.h"
#include "agent/sampling/stand_in.h"
#include "agent/sampling/walked_stack.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

// The handler's way to the sampler; null before the first sampler and never null again.
std::atomic<Sampler*> the_sampler{nullptr};

constexpr uint64_t kTimedEach = 64;  // of a thread's ticks,
constexpr uint64_t kTimedFirst = 8;  // from this one on; the first ones are slow
constexpr uint32_t kMostRepeats = 1024;
constexpr uint64_t kNameEachNs = 5'000'000;  // of CPU time: then a name is read, as it may be another
constexpr uint32_t kMostOfReading = 4096;    // of a thread that is looked at now and then

void on_tick(int, siginfo_t* info, void* context) {
  const ErrnoSaver errno_saver;
  // acquire: pairs with the release in Sampler's constructor.
  Sampler* sampler = the_sampler.load(std::memory_order_acquire);
  // What is not a clock's (kill, somebody's timer) is not ours to handle.
  if (sampler != nullptr && CpuClock::is_tick(*info)) sampler->tick(*info, *static_cast<const ucontext_t*>(context));
}

void on_division(int signal, siginfo_t* info, void* context);

constinit SignalChain division(kSpareClockSignal, on_division, kSpareQuestionSignal);

void on_division(int signal, siginfo_t* info, void* context) {
  if (info->si_code == SI_TIMER && CpuClock::is_tick(*info))
    on_tick(signal, info, context);
  else
    division.pass_up(info, context);
}

}  // namespace

Sampler::Sampler(const VmCode& vm, ThreadRegistry& threads)
    : vm_(vm), threads_(threads), signal_(OwnSignal::Use::kClock, on_tick) {
  // release: pairs with the acquire in on_tick(). All members are made by now.
  the_sampler.store(this, std::memory_order_release);
}

bool Sampler::take_spare_signal() { return division.put_in_front(); }

void Sampler::set_clock(const ClockChoice& clock) {
  period_ns_.store(clock.period_ns, std::memory_order_relaxed);
  sees_kernel_.store(!clock.uses_perf || clock.sees_kernel, std::memory_order_relaxed);
  kernel_.store(clock.tells_kernel ? kernel_library() : KernelLibrary{}, std::memory_order_relaxed);
}

void Sampler::set_output(bool writes_cpu, int64_t wall_interval_ns) {
  writes_cpu_.store(writes_cpu, std::memory_order_relaxed);
  wall_interval_ns_.store(wall_interval_ns, std::memory_order_relaxed);
}

bool Sampler::configure(uint32_t depth, ShownFrames shown, bool vm_above_events) {
  vm_above_events_.store(vm_above_events, std::memory_order_relaxed);
  carrier_frames_.store(shown.carrier, std::memory_order_relaxed);
  native_frames_.store(shown.native, std::memory_order_relaxed);
  last_walks_.resize(depth);  // what it cannot keep is walked anew
  return scratch_.resize(depth);
}

class Sampler::KernelPlaces {
 public:
  KernelPlaces(const Sampler& sampler, ThreadRecord& thread) {
    const KernelLibrary kernel = sampler.kernel_.load(std::memory_order_relaxed);
    if (kernel.number == 0) return;
    if (thread.kernel_chain.is_mapped())
      count_ = thread.kernel_chain.read(kernel, places_);
    else
      Engine::losses().note(Note::kKernelHidden);
  }
  std::span<const uint64_t> all() const { return {places_.data(), count_}; }

 private:
  std::array<uint64_t, KernelChain::kMostFrames> places_;
  size_t count_ = 0;
};

// What a sample takes of the clock's interval, and may take (walk_budget.h).
class Sampler::TimedSample {
 public:
  // cpu_ns: of the thread, at the tick.
  TimedSample(const Sampler& sampler, ThreadRecord& thread, int64_t cpu_ns)
      : budget_(thread.budget), interval_ns_(sampler.period_ns_.load(std::memory_order_relaxed)), cpu_ns_(cpu_ns) {
    if (interval_ns_ >= WalkBudget::kSafeIntervalNs) return;
    allows_ = budget_.next();
    begin_ = base::now_ticks();
  }
  ~TimedSample() {
    if (begin_ == 0 || allows_ == WalkBudget::Allows::kNoWalk) return;
    int64_t took_ns = base::now_ticks() - begin_;  // the CPU time is dearer to know
    if (WalkBudget::is_long(took_ns, interval_ns_, shows_native_)) took_ns = CpuClock::thread_cpu_ns() - cpu_ns_;
    budget_.took(took_ns, interval_ns_, shows_native_);
  }
  TimedSample(const TimedSample&) = delete;
  TimedSample& operator=(const TimedSample&) = delete;

  WalkBudget::Allows allows() const { return allows_; }
  ShownFrames limited(ShownFrames shown, std::span<const uint64_t> kernel) {
    shown.kernel = kernel;
    const bool hides = allows_ != WalkBudget::Allows::kAll && shown.native == NativeFrames::kShown;
    if (hides) shown.native = NativeFrames::kHidden, Engine::losses().note(Note::kNativeCut);
    shows_native_ = shown.native == NativeFrames::kShown;
    return shown;
  }

 private:
  WalkBudget& budget_;
  const int64_t interval_ns_, cpu_ns_;
  int64_t begin_ = 0;  // 0: it does not matter
  WalkBudget::Allows allows_ = WalkBudget::Allows::kAll;
  bool shows_native_ = false;
};

void Sampler::tick(const siginfo_t& info, const ucontext_t& context) {
  ThreadRecord* thread = threads_.current();
  if (thread == nullptr) return Engine::losses().count(Loss::kNoThread);
  const int64_t period_ns = period_ns_.load(std::memory_order_relaxed);
  assert(period_ns > 0 && "set_clock() comes before the first tick");
  const bool from_perf = info.si_code != SI_TIMER;
  if (!CpuClock::is_of(info, *thread)) return;
  const int64_t cpu_ns = CpuClock::thread_cpu_ns();
  // A timer counts that very time; perf's counter is not quite the same.
  const int64_t switches = thread->account.counts_ticks() ? CpuClock::thread_switches() : 0;
  const uint32_t weight = thread->account.take(cpu_ns, period_ns, from_perf ? period_ns / 2 : 0, switches);
  CpuClock::go_on(*thread, period_ns);
  if (weight == 0) return;
  const bool sees_all = !from_perf || sees_kernel_.load(std::memory_order_relaxed);
  sample(*thread, context, sees_all ? weight : without_kernel(weight), cpu_ns);
  note_tick(thread->tally, cpu_ns, weight);
}

// Ticks inside the kernel do not come then. What the thread used there is not to be taken for what it does now.
uint32_t Sampler::without_kernel(uint32_t weight) {
  Engine::losses().count(Loss::kKernelUnseen, weight - 1);
  return 1;
}

// The handler's stack may be next to nothing: what only a walk needs is put there only for one.
void Sampler::sample(ThreadRecord& thread, const ucontext_t& context, uint32_t weight, int64_t cpu_ns) {
  LossCounters& losses = Engine::losses();
  if (thread.kind != ThreadKind::kJava) return sample_native(thread, context, weight, cpu_ns);
  if (thread.java_thread == 0) return losses.count(Loss::kNoThread, weight);  // Java is just about to know it
  if (!may_fault(context)) return record_without_walk(thread, weight, NoWalk::kMayNotFault);
  sample_java_frames(thread, context, weight, cpu_ns);
}

[[gnu::noinline]] void Sampler::sample_java_frames(ThreadRecord& thread, const ucontext_t& context, uint32_t weight,
                                                   int64_t cpu_ns) {
  TimedSample timed(*this, thread, cpu_ns);
  if (timed.allows() == WalkBudget::Allows::kNoWalk) return record_without_walk(thread, weight, NoWalk::kTooLong);
  const ScratchPool::Scratch scratch = scratch_.try_take();
  if (!scratch) return record_without_walk(thread, weight, NoWalk::kNoBuffer);
  const LastWalks::Loan last = last_walks_.try_take(&thread);
  const KernelPlaces kernel(*this, thread);
  const ShownFrames shown = timed.limited(shown_frames(context), kernel.all());
  const Walk walk = walk_stack(vm_, registers_of(context), thread.java_thread, scratch.raw, shown, last.walk);
  ends_[static_cast<size_t>(walk.end)].fetch_add(1, std::memory_order_relaxed);
  record(thread, walk, scratch, last.walk, weight);
  last_walks_.give_back(last);
  scratch_.give_back(scratch);
}

// A thread that Java does not know.
void Sampler::sample_native(ThreadRecord& thread, const ucontext_t& context, uint32_t weight, int64_t cpu_ns) {
  const Faults faults = may_fault(context) ? Faults::kMayCome : Faults::kMayNotCome;
  if (faults == Faults::kMayCome && shown_frames(context).native == NativeFrames::kShown)
    return sample_native_frames(thread, context, weight, cpu_ns);
  record_native(thread, faults, weight, kMostRepeats);
}

[[gnu::noinline]] void Sampler::sample_native_frames(ThreadRecord& thread, const ucontext_t& context, uint32_t weight,
                                                     int64_t cpu_ns) {
  TimedSample timed(*this, thread, cpu_ns);
  const KernelPlaces kernel(*this, thread);
  const ShownFrames shown = timed.limited(shown_frames(context), kernel.all());
  const bool shows = shown.native == NativeFrames::kShown;
  const ScratchPool::Scratch scratch = shows ? scratch_.try_take() : ScratchPool::Scratch{};
  if (!scratch) return record_native(thread, Faults::kMayCome, weight, kMostRepeats);
  record_native_walk(thread, walk_native_thread(vm_, registers_of(context), scratch.raw, shown), scratch, weight);
  scratch_.give_back(scratch);
}

ShownFrames Sampler::shown_frames(const ucontext_t& context) const {
  ShownFrames shown = shown_frames();
  if (shown.native == NativeFrames::kShown && !has_room(context)) shown.native = NativeFrames::kHidden;
  return shown;
}

// Some handlers are timed.
void Sampler::note_tick(TickTally& tally, int64_t begin_ns, uint32_t weight) {
  const uint64_t ticks = tally.ticks.load(std::memory_order_relaxed);
  tally.ticks.store(ticks + 1, std::memory_order_relaxed);
  tally.add_samples(weight);
  if (ticks % kTimedEach != kTimedFirst) return;
  const int64_t took_ns = CpuClock::thread_cpu_ns() - begin_ns;
  tally.timed.store(tally.timed.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  tally.timed_ns.store(tally.timed_ns.load(std::memory_order_relaxed) + took_ns, std::memory_order_relaxed);
}

void Sampler::record(ThreadRecord& thread, const Walk& walk, const ScratchPool::Scratch& scratch, LastWalk* last,
                     uint32_t weight) {
  LossCounters& losses = Engine::losses();
  const EpochPin pin;
  if (!pin) return losses.count(pin.why(), weight);
  const WalkedStack stack(vm_.layout, *pin, walk, scratch, last);
  const Ref<ThreadFact> fact = thread_fact(*pin, thread, name_look(thread));
  if (commit(thread, *pin, context_of_caller(*pin, &thread), fact, stack.frames, stack.truncated, weight))
    note_walk(walk, stack.unnamed);
}

void Sampler::record_native_walk(ThreadRecord& thread, const Walk& walk, const ScratchPool::Scratch& scratch,
                                 uint32_t weight) {
  const EpochPin pin;
  if (!pin) return Engine::losses().count(pin.why(), weight);
  const Ref<StackFact> ref = intern_native_walk(vm_.layout, *pin, walk, scratch, thread.kind, weight);
  if (!commit_cpu(*pin, context_of_caller(*pin, &thread), own_fact(vm_.layout, *pin, thread), ref, weight,
                  kMostRepeats))
    return;
  LossCounters& losses = Engine::losses();
  losses.note(Note::kOutsideJava);
  if (walk.native_gap) losses.note(Note::kNativeCut);
}

// Nothing of the VM is looked at, so it is the carrier that has the sample of a virtual thread.
void Sampler::record_without_walk(ThreadRecord& thread, uint32_t weight, NoWalk why) {
  const EpochPin pin;
  if (!pin) return Engine::losses().count(pin.why(), weight);
  const Frame frame = stand_in_frame_without_walk(*pin, why);
  if (commit(thread, *pin, {}, unread_fact(*pin, thread), hashed({&frame, 1}), true, weight))
    Engine::losses().note(Note::kNotWalked);
}

// Memory of the VM is not looked at.
void Sampler::record_native(ThreadRecord& thread, Faults faults, uint32_t weight, uint32_t most_events) {
  const EpochPin pin;
  if (!pin) return Engine::losses().count(pin.why(), weight);
  const Frame frame = stand_in_frame(*pin, thread.kind);
  const Ref<StackFact> stack = pin->intern_hashed(hashed({&frame, 1}), false, weight);
  const Event context = faults == Faults::kMayCome ? context_of_caller(*pin, &thread) : Event();
  if (commit_cpu(*pin, context, unread_fact(*pin, thread), stack, weight, most_events))
    Engine::losses().note(Note::kOutsideJava);
}

void Sampler::record_reading(ThreadRecord& thread, uint64_t samples) {
  if (samples == 0) return;
  thread.tally.add_samples(samples);
  record_native(thread, Faults::kMayNotCome, static_cast<uint32_t>(std::min<uint64_t>(samples, UINT32_MAX)),
                kMostOfReading);
}

void Sampler::note_walk(const Walk& walk, uint32_t unnamed) {
  LossCounters& losses = Engine::losses();
  if (unnamed != 0) losses.note(Note::kUnnamed, unnamed);
  if (walk.native_gap) losses.note(Note::kNativeCut);
  if (walk.end == WalkEnd::kNoJavaFrame)
    losses.note(Note::kOutsideJava);
  else if (walk.count + walk.kept == 0)
    losses.note(Note::kNotWalked);
  else if (walk.end == WalkEnd::kDepth || walk.gap)
    losses.note(Note::kTruncated);
  else if (!walk.complete())
    losses.note(Note::kBroken);
}

bool Sampler::commit(ThreadRecord& record, Epoch& epoch, const Event& context, Ref<ThreadFact> thread,
                     const HashedFrames& frames, bool truncated, uint32_t weight) {
  const bool writes_cpu = writes_cpu_.load(std::memory_order_relaxed);
  const int64_t wall_ns = wall_interval_ns_.load(std::memory_order_relaxed);
  const Ref<StackFact> stack = epoch.intern_hashed(frames, truncated, writes_cpu ? weight : 0);
  if (!stack) return false;
  bool committed = true;
  if (writes_cpu) committed = commit_cpu(epoch, context, thread, stack, weight, kMostRepeats);
  if (wall_ns == 0) return committed;
  record.last_stack.store(0, std::memory_order_relaxed);
  const uint64_t last = uint64_t{epoch.serial()} << 32 | stack.unit;
  record.last_thread.store(thread.unit, std::memory_order_release);  // pairs with the acquire in WallWatch::write_last
  record.last_stack.store(last, std::memory_order_release);          // pairs with the other acquire there
  const int64_t waited_ns = record.waited_ns.exchange(0, std::memory_order_relaxed);
  const WallSample sample = wall_sample(weight * period_ns_.load(std::memory_order_relaxed) + waited_ns, wall_ns);
  return rec::agent::commit(epoch, sample, thread, stack, context) && committed;
}

// A tick that stands for several samples is written as so many: readers count events, and async-profiler's takes a field
// behind JFR's own for the next event. What goes beyond the limit was not taken for a second and more.
bool Sampler::commit_cpu(Epoch& epoch, const Event& context, Ref<ThreadFact> thread, Ref<StackFact> stack,
                         uint32_t weight, uint32_t most_events) {
  if (!stack) return false;
  Event event;
  event.kind = EventKind::kSample;
  event.ticks = base::now_ticks();
  event.thread = thread;
  event.stack = stack;
  const uint32_t events = std::min(weight, most_events);
  if (events > 1) Engine::losses().note(Note::kOverrun, events - 1);
  if (events < weight) Engine::losses().count(Loss::kSignalBlocked, weight - events);
  bool committed = true;
  event.value = sample_value(kStateRunnable, 1);
  for (uint32_t i = 0; i < events; ++i) committed = epoch.commit(context, event) && committed;
  return committed;
}

// Chance enough is in the nanoseconds of the moment, once they are stirred (Knuth's multiplicative hash).
WallSample Sampler::wall_sample(int64_t length_ns, int64_t interval_ns) {
  const int64_t now = base::now_ticks();
  const double chance = static_cast<double>(static_cast<uint64_t>(now) * 0x9E3779B97F4A7C15ull >> 11) * 0x1p-53;
  const double samples = static_cast<double>(length_ns) / static_cast<double>(interval_ns);
  return {now - length_ns, length_ns, kStateRunnable, static_cast<uint32_t>(samples + chance)};
}

NameLook Sampler::name_look(const ThreadRecord& thread) const {
  const auto period_ns = static_cast<uint64_t>(period_ns_.load(std::memory_order_relaxed));
  const uint64_t ticks = thread.tally.ticks.load(std::memory_order_relaxed);
  return ticks % (kNameEachNs / period_ns + 1) == 0 ? NameLook::kText : NameLook::kReference;
}

Ref<ThreadFact> Sampler::thread_fact(Epoch& epoch, ThreadRecord& thread, NameLook look) const {
  const int64_t carried = carried_thread_id(vm_.layout, thread.java_thread, thread.java_id, thread.carried);
  if (carried == 0) return own_fact(vm_.layout, epoch, thread, look);
  if (carried != thread.virtual_id) {
    thread.virtual_tag.forget();
    thread.virtual_id = carried;
  }
  if (const Ref<ThreadFact> known = epoch.find_thread(thread.virtual_tag)) return known;
  return tag_carried(vm_.layout, epoch, thread, carried, thread.virtual_tag);
}

// A carrier has none of the requests of those it carries.
Event Sampler::context_of_caller(Epoch& epoch, ThreadRecord* thread) const {
  const bool carries = thread != nullptr && thread->java_thread != 0 && SampleContexts::asks_for_virtual();
  const int64_t carried =
      carries ? carried_thread_id(vm_.layout, thread->java_thread, thread->java_id, thread->carried) : 0;
  return contexts_.event_of_caller(epoch, carried);
}

}  // namespace rec::agent
