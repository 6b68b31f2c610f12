// SPDX-License-Identifier: Apache-2.0
// An Epoch is one of two sets of tags, names, stacks and events. Writers use the current one; the recorder thread
// closes the other.
//
//   writers:  EpochPin pin(engine);  if (!pin) losses.count(pin.why());  else tag, intern, commit through pin->...
//   recorder: flip -> wait until the old epoch has no pins -> write all of it -> drop it whole -> next to be current
//
// Everything a pinned writer calls is signal-safe: no lock, no allocation, no unbounded loop. What does not fit is
// refused and counted:
//
//   tag_...       empty Ref, Note::kNamesRefused: write the frame without its method, the sample lives
//   intern_stack  empty Ref, a Loss: the sample is over, commit nothing. Of another event, Note::kStacksLost
//   commit        false, a Loss (of a kSample; else the event is just gone). True counts Note::kSamples.
//
// So signals handled = samples + the sum of all losses.
//
// Tags: one 32-bit word a class id, in a flat array per epoch (reserved address space, touched pages only): 0, or the
// Ref of the ClassFact in this epoch's arena. Each ClassFact is followed by one such word a method. Publishing is "copy
// first, then compare-and-swap the word from 0": who loses the race uses the winner's record and gives its own back. So
// a tag that can be seen is a fact that can be read, whoever is preempted, or killed, in between.
//
// Versions of one method (redefinition) are a list from the newest to the oldest, all under one id: only their lines
// differ.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/waker.h"
#include "recorder/epoch/near_places.h"
#include "recorder/epoch/stack_table.h"
#include "recorder/epoch/tag_table.h"
#include "recorder/spool/event_log.h"
#include "recorder/spool/fact_reader.h"
#include "recorder/spool/facts.h"
#include "recorder/spool/ids.h"
#include "recorder/spool/loss.h"
#include "recorder/spool/sample_event.h"
#include "recorder/spool/spool.h"
#include "recorder/spool/stack_hash.h"

namespace rec {

// Copies VM memory that may not be readable; false if it is not. Signal-safe.
using CopyFn = bool (*)(void* to, const void* from, size_t size);

// Lives in the owner's thread record; remembers the thread's fact per epoch serial, so that it needs no clearing.
struct ThreadTag {
  std::atomic<uint64_t> word[2]{};  // epoch serial << 32 | unit

  void forget() {
    for (auto& each : word) each.store(0, std::memory_order_relaxed);
  }
};

// Likewise, of a text that stays what it is.
using TextTag = ThreadTag;

// What both epochs of an engine share. The pointers outlive the epochs.
struct EpochConfig {
  CopyFn copy = nullptr;  // null: plain memcpy
  LossCounters* losses = nullptr;
  base::Waker* waker = nullptr;
  // For the spool's header only: what recovery has to know.
  SampleEvent sample_event = SampleEvent::kExecutionSample;
  int64_t sample_period_ns = 0;
  SpoolHome home;
  SpoolBudget* budget = nullptr;  // null: no limit
  uint32_t live_slots = 0;        // places for objects that are alive
};

class Epoch {
 public:
  // From the next open() on.
  void change(int64_t sample_period_ns, uint32_t live_slots) {
    config_.sample_period_ns = sample_period_ns;
    config_.live_slots = live_slots;
  }

  // Each find_ is a load and a test; each tag_ copies and publishes. tag_ returns the Ref that won, or nothing.
  Ref<LoaderFact> find_loader(LoaderId id) const;
  Ref<LoaderFact> tag_loader(const LoaderShape& shape);
  Ref<ClassFact> find_class(ClassId id) const;
  Ref<ClassFact> tag_class(const ClassShape& shape);
  Ref<MethodFact> find_method(Ref<ClassFact> holder, uint16_t idnum, const MethodVersion& version) const;
  Ref<MethodFact> tag_method(const MethodShape& shape);
  // A method whose line table the caller writes: all but that is copied, then it is published or given up.
  struct NewMethod {
    Ref<MethodFact> ref;
    Arena::Block block;
    std::span<uint8_t> lines;  // to be filled
    explicit operator bool() const { return bool(ref); }
  };
  NewMethod begin_method(const MethodShape& shape);
  Ref<MethodFact> publish_method(const NewMethod& made);
  void give_up(const NewMethod& made);  // counted: a name is missing
  // Native code: libraries are tagged as classes are. How a place in one is found does not depend on how many there are.
  Ref<ClassFact> tag_library(const LibraryShape& shape);
  Ref<MethodFact> find_native(Ref<ClassFact> library, uint64_t address) const;
  // name: of what no symbols tell, a stub of the VM.
  Ref<MethodFact> tag_native(Ref<ClassFact> library, uint64_t address, TextView name = {});
  Ref<ThreadFact> find_thread(const ThreadTag& tag) const;
  Ref<ThreadFact> tag_thread(ThreadTag& tag, const ThreadShape& shape);
  // The fact that takes the place of the known one, for what comes: the thread has another name now.
  Ref<ThreadFact> tag_anew(ThreadTag& tag, Ref<ThreadFact> known, const ThreadShape& shape);
  bool is_named(Ref<ThreadFact> thread, TextView java_name) const;
  Ref<ThreadFact> copy_thread(const ThreadShape& shape);  // without a tag: for leases
  Ref<EncodedFact> copy_encoded(const EncodedShape& shape);
  Ref<EncodedFact> tag_text(TextTag& tag, TextView text);  // as it is; copied once in an epoch
  Ref<DetailFact> copy_detail(const DetailShape& shape);

  // The same frames give the same stack. Frames innermost first; truncated: the root is missing; samples: how many are
  // lost with it if there is no room; 0: the stack alone.
  Ref<StackFact> intern_stack(std::span<const Frame> frames, bool truncated, uint32_t samples = 1) {
    return intern_hashed(hashed(frames), truncated, samples);
  }
  // Who knows the hash already has one comparison to pay for, whatever the depth.
  Ref<StackFact> intern_hashed(HashedFrames stack, bool truncated, uint32_t samples = 1);

  bool commit(const Event& event);
  // Likewise, with its context: an event of kind kContext, or of kind kNone if it has none.
  bool commit(const Event& context, const Event& event);

  // Objects that are alive (live_object.h), each in a place of its own; one writer at a time. Events of kind kNone: the
  // place is free.
  bool has_live_slots() { return !spool_.live_slots().empty(); }
  void put_live(uint32_t place, const Event& event);

  uint32_t serial() const { return serial_; }  // no other epoch's: what was tagged under it is tagged still

  // From here on: recorder thread.
  static Result<std::unique_ptr<Epoch>> create(const std::string& spool_directory, uint32_t index,
                                               const EpochConfig& config);
  Spool& spool() { return spool_; }
  EventLog& log() { return log_; }
  FactReader facts() const { return FactReader(arena_); }
  uint32_t index() const { return index_; }
  void open(uint32_t serial);  // first blocks; before the gate lets writers in; serials grow and are never 0
  void drop();                 // after the last pin is gone: empty, as new
  void abandon();              // a pin does not end: the memory is never unmapped; destroy the Epoch object never
  bool nearly_full() { return spool_.nearly_full() || stacks_.nearly_full(); }

 private:
  Epoch() = default;
  bool is_taken(const Meter::Claim& claim, EventKind kind);
  void describe();
  template <typename Fact>
  Ref<Fact> take(size_t extra_bytes, Arena::Block& block);
  bool copy_text(char*& to, const TextView& from);
  bool copy(void* to, const void* from, size_t size) const;
  void give_back(const Arena::Block& block) { arena_.give_back(block); }
  void refuse() { config_.losses->note(Note::kNamesRefused); }
  void lose_stack(Loss why, uint32_t samples);
  Ref<MethodFact> find_in_chain(uint32_t unit, uint16_t idnum, const MethodVersion& version, unsigned walk) const;
  std::atomic<uint32_t>* class_word(ClassId id) const;
  bool is_native_at(uint32_t unit, Ref<ClassFact> library, uint64_t address) const;
  std::atomic<uint32_t>& method_word(ClassFact& holder, uint16_t idnum) const;

  EpochConfig config_;
  Spool spool_;
  EventLog log_;
  Arena arena_;
  TagTable classes_;
  mutable std::array<std::atomic<uint32_t>, kMaxLibraries> libraries_{};  // as the words of classes_
  TagTable loaders_;
  StackTable stacks_;
  StackTable natives_;               // places in native code,
  mutable NearPlaces near_natives_;  // and those that were met last
  uint32_t index_ = 0;
  uint32_t serial_ = 0;
};

}  // namespace rec
