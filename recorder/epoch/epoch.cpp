// SPDX-License-Identifier: Apache-2.0
// The epoch's life, its events, threads and stacks. Loaders, classes and methods are in epoch_tags.cpp.
#include "recorder/epoch/epoch.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/clock.h"
#include "recorder/epoch/epoch_take.h"
#include "recorder/spool/fact_check.h"
#include "recorder/spool/header_edit.h"

namespace rec {
namespace {

static_assert(kFirstLibraryId == kMaxClassIds, "behind all classes");

// Never restarts: readers reuse constants of the chunk before by id.
std::atomic<uint64_t> next_stack_id{1};

Loss loss_of(Meter::Outcome outcome, Loss full) {
  return outcome == Meter::Outcome::kContended ? Loss::kLogContended : full;
}

}  // namespace

Result<std::unique_ptr<Epoch>> Epoch::create(const std::string& spool_directory, uint32_t index,
                                             const EpochConfig& config) {
  std::unique_ptr<Epoch> epoch(new Epoch);
  Result<Spool> spool = Spool::create(spool_directory, index, config.budget);
  if (!spool) return spool.error();
  epoch->config_ = config;
  epoch->index_ = index % 2;
  epoch->spool_ = std::move(*spool);
  epoch->log_ = epoch->spool_.log();
  epoch->arena_ = epoch->spool_.arena();
  epoch->describe();
  if (epoch->classes_.reserve(kMaxClassIds) && epoch->loaders_.reserve(kMaxLoaderIds) && epoch->stacks_.reserve() &&
      epoch->natives_.reserve())
    return epoch;
  return base::Error{base::ErrorCode::kSystem, 0, "no address space for the tag tables"};
}

void Epoch::describe() {
  spool_.set_home(config_.home);
  SpoolHeader& header = spool_.header();
  const HeaderEdit edit(header);
  header.sample_event = static_cast<uint32_t>(config_.sample_event);
  header.sample_period_ns = config_.sample_period_ns;
}

void Epoch::open(uint32_t serial) {
  assert(serial > serial_ && "serials grow and are never 0: threads keep tags of epochs that are over");
  serial_ = serial;
  {
    const HeaderEdit edit(spool_.header());
    spool_.header().clock_unix_ns = base::now_unix_ns();
    spool_.header().clock_ticks = base::now_ticks();
    spool_.header().serial = serial;
    spool_.header().sample_period_ns = config_.sample_period_ns;
  }
  spool_.extend();  // no room: there are the first blocks, each flush tries again
  if (config_.live_slots > 0) spool_.make_live_slots(config_.live_slots);
}

void Epoch::drop() {
  classes_.clear();
  loaders_.clear();
  stacks_.clear();
  natives_.clear();
  near_natives_.clear();
  for (auto& word : libraries_) word.store(0, std::memory_order_relaxed);
  {
    const HeaderEdit edit(spool_.header());
    spool_.header().serial = 0;
  }
  spool_.drop();
}

void Epoch::abandon() {
  classes_.leak();
  loaders_.leak();
  stacks_.leak();
  natives_.leak();
  spool_.leak();
}

bool Epoch::copy(void* to, const void* from, size_t size) const {
  if (size == 0) return true;
  if (config_.copy) return config_.copy(to, from, size);
  std::memcpy(to, from, size);
  return true;
}

bool Epoch::copy_text(char*& to, const TextView& from) {
  if (!copy(to, from.address, from.size)) return false;
  to += from.size;
  return true;
}

Ref<ThreadFact> Epoch::find_thread(const ThreadTag& tag) const {
  // acquire: pairs with the exchange in tag_thread(); an event of ours that names the fact is committed after it.
  const uint64_t word = tag.word[index_].load(std::memory_order_acquire);
  return {word >> 32 == serial_ ? static_cast<uint32_t>(word) : 0};
}

Ref<ThreadFact> Epoch::copy_thread(const ThreadShape& shape) {
  Arena::Block block;
  const auto ref = take<ThreadFact>(size_t{shape.os_name.size} + shape.java_name.size + shape.group_name.size, block);
  if (!ref) return {};
  ThreadFact& fact = arena_.fact(ref);
  fact.id = static_cast<uint64_t>(shape.id);
  fact.os_thread_id = shape.os_thread_id;
  fact.java_thread_id = shape.java_thread_id;
  fact.is_virtual = shape.is_virtual;
  fact.text_sizes = {shape.os_name.size, shape.java_name.size, shape.group_name.size};
  char* to = fact.tail();
  if (copy_text(to, shape.os_name) && copy_text(to, shape.java_name) && copy_text(to, shape.group_name)) {
    fact.check = fact_check(fact);
    return ref;
  }
  give_back(block);
  refuse();
  return {};
}

Ref<EncodedFact> Epoch::copy_encoded(const EncodedShape& shape) {
  Arena::Block block;
  const auto ref = take<EncodedFact>(size_t{shape.size} + shape.more.size, block);
  if (!ref) return {};
  EncodedFact& fact = arena_.fact(ref);
  fact.type = shape.type;
  fact.has_duration = shape.has_duration;
  fact.has_thread = shape.has_thread;
  fact.has_stack = shape.has_stack;
  fact.has_parts = shape.has_parts;
  fact.text_sizes = {shape.size + shape.more.size};
  if (shape.size > 0) std::memcpy(fact.tail(), shape.fields, shape.size);
  if (char* more = fact.tail() + shape.size; shape.more.size > 0 && !copy_text(more, shape.more)) {
    give_back(block);
    refuse();
    return {};
  }
  fact.check = fact_check(fact);
  return ref;
}

Ref<EncodedFact> Epoch::tag_text(TextTag& tag, TextView text) {
  std::atomic<uint64_t>& word = tag.word[index_];
  // acquire: pairs with the exchange below, of who was faster or earlier.
  uint64_t seen = word.load(std::memory_order_acquire);
  if (seen >> 32 == serial_) return {static_cast<uint32_t>(seen)};
  const Ref<EncodedFact> ref =
      copy_encoded({.fields = reinterpret_cast<const uint8_t*>(text.address), .size = text.size});
  if (!ref) return {};
  // acq_rel: pairs with the acquire above and with this exchange in who was faster; the facts are the same.
  word.compare_exchange_strong(seen, uint64_t{serial_} << 32 | ref.unit, std::memory_order_acq_rel);
  return ref;
}

Ref<DetailFact> Epoch::copy_detail(const DetailShape& shape) {
  Arena::Block block;
  const auto ref = take<DetailFact>(0, block);
  if (!ref) return {};
  DetailFact& fact = arena_.fact(ref);
  fact.shape = shape;
  fact.check = fact_check(fact);
  return ref;
}

void Epoch::put_live(uint32_t place, const Event& event) {
  const std::span<EventSlot> slots = spool_.live_slots();
  if (place >= slots.size()) return;
  slots[place].kind.store(0, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // pairs with the store in fill_slot(): in this order
  if (event.kind != EventKind::kNone) fill_slot(slots[place], event);
}

Ref<ThreadFact> Epoch::tag_thread(ThreadTag& tag, const ThreadShape& shape) {
  std::atomic<uint64_t>& word = tag.word[index_];
  // acquire: pairs with the exchange below, of who was faster.
  uint64_t seen = word.load(std::memory_order_acquire);
  if (seen >> 32 == serial_) return {static_cast<uint32_t>(seen)};
  const Ref<ThreadFact> ref = copy_thread(shape);
  if (!ref) return {};
  // acq_rel: pairs with the acquire in find_thread(), and with this exchange in who was faster: that fact stays, and
  // our copy is dead bytes.
  if (word.compare_exchange_strong(seen, uint64_t{serial_} << 32 | ref.unit, std::memory_order_acq_rel)) return ref;
  return {seen >> 32 == serial_ ? static_cast<uint32_t>(seen) : ref.unit};
}

bool Epoch::is_named(Ref<ThreadFact> thread, TextView java_name) const {
  ThreadFact& fact = arena_.fact(thread);
  return fact.text_sizes[1] == java_name.size &&
         std::memcmp(fact.tail() + fact.text_sizes[0], java_name.address, java_name.size) == 0;
}

Ref<ThreadFact> Epoch::tag_anew(ThreadTag& tag, Ref<ThreadFact> known, const ThreadShape& shape) {
  const Ref<ThreadFact> ref = copy_thread(shape);
  if (!ref) return known;
  uint64_t seen = uint64_t{serial_} << 32 | known.unit;
  // acq_rel: pairs with the acquire in find_thread(). Who was faster has read a name as new as ours.
  if (tag.word[index_].compare_exchange_strong(seen, uint64_t{serial_} << 32 | ref.unit, std::memory_order_acq_rel))
    return ref;
  return {seen >> 32 == serial_ ? static_cast<uint32_t>(seen) : ref.unit};
}

Ref<StackFact> Epoch::intern_hashed(HashedFrames stack, bool truncated, uint32_t samples) {
  if (stack.frames.size() > kMaxFrames) stack = hashed(stack.frames.first(kMaxFrames)), truncated = true;
  const uint64_t hash = stack_hash(stack, truncated);
  const std::span<const Frame> frames = stack.frames;
  const auto same = [&](uint32_t unit) {
    StackFact& fact = arena_.fact(Ref<StackFact>{unit});
    return fact.hash == static_cast<uint32_t>(hash) && fact.truncated == truncated && fact.count == frames.size() &&
           (frames.empty() || std::memcmp(frames.data(), fact.frames(), frames.size_bytes()) == 0);
  };
  if (const uint32_t unit = stacks_.find(hash, same)) return {unit};

  const Arena::Block block = arena_.take(sizeof(StackFact) + frames.size_bytes());
  if (block.wake) config_.waker->wake();
  if (block.outcome != Meter::Outcome::kTaken) {
    lose_stack(loss_of(block.outcome, Loss::kArenaFull), samples);
    return {};
  }
  StackFact& fact = arena_.fact(Ref<StackFact>{block.unit});
  fact.id = next_stack_id.fetch_add(1, std::memory_order_relaxed);
  fact.hash = static_cast<uint32_t>(hash);
  fact.check = stack_check(hash, fact.id);
  fact.count = static_cast<uint16_t>(frames.size());
  fact.truncated = truncated;
  std::copy(frames.begin(), frames.end(), fact.frames());
  const uint32_t winner = stacks_.enter(hash, block.unit, same);
  if (winner != block.unit) give_back(block);
  if (winner == 0) lose_stack(Loss::kStackTableFull, samples);
  return {winner};
}

void Epoch::lose_stack(Loss why, uint32_t samples) {
  if (samples != 0) return config_.losses->count(why, samples);
  config_.losses->note(Note::kStacksLost);
}

bool Epoch::commit(const Event& event) { return is_taken(log_.commit(event), event.kind); }

bool Epoch::commit(const Event& context, const Event& event) {
  return context.kind == EventKind::kNone ? commit(event) : is_taken(log_.commit(context, event), event.kind);
}

bool Epoch::is_taken(const Meter::Claim& claim, EventKind kind) {
  if (claim.wake) config_.waker->wake();
  const bool taken = claim.outcome == Meter::Outcome::kTaken;
  if (kind != EventKind::kSample) return taken;
  if (taken)
    config_.losses->note(Note::kSamples);
  else
    config_.losses->count(loss_of(claim.outcome, Loss::kLogFull));
  return taken;
}

}  // namespace rec
