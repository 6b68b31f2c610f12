// SPDX-License-Identifier: Apache-2.0
#include "recover/spool_check.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "recorder/chunk/context_facts.h"
#include "recorder/spool/fact_check.h"
#include "recorder/spool/fact_reader.h"
#include "recorder/spool/header_edit.h"
#include "recorder/spool/text_parts.h"

namespace rec {
namespace {

// Slots that were claimed and never committed are zeros, too, but never that many in a row: each needs a thread that died
// between two instructions.
constexpr uint32_t kZeroRun = 64;

constexpr uint32_t kMostSlots = kLogBytes / sizeof(EventSlot);
constexpr uint32_t kMostUnits = kArenaBytes / kUnitBytes;

template <typename Fact>
constexpr char kTypeOf = 0;  // its address tells types apart

uint64_t place_of_slot(uint32_t slot) { return kSpoolLogOffset + uint64_t{slot} * sizeof(EventSlot); }

std::string events_are_lost(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " event is lost" : " events are lost");
}

class Check {
 public:
  explicit Check(Spool& spool) : spool_(spool), header_(spool.header()) {}

  SpoolCheck run() {
    check_size();
    check_words();
    check_tails();
    facts_.emplace(spool_.arena());
    check_slots();
    check_live();
    return std::move(result_);
  }

 private:
  void tell(uint64_t at, const std::string& what) {
    if (result_.damage.size() < kMostDamage) return result_.damage.push_back(base::corrupt(at, what));
    if (result_.damage.size() == kMostDamage) result_.damage.push_back(base::corrupt(at, "from here on there is more"));
  }
  void lose(uint32_t from, uint32_t end, const char* why) {
    result_.lost += end - from;
    tell(place_of_slot(from), why + std::string("; ") + events_are_lost(end - from));
  }
  template <typename Word>
  uint64_t place_of(const Word& word) const {
    return static_cast<uint64_t>(reinterpret_cast<const char*>(&word) - reinterpret_cast<const char*>(&header_));
  }

  void check_size() {
    const uint64_t bytes = spool_.extent().file_bytes;
    if (bytes == kSpoolFileBytes) return;
    tell(bytes, "the file ends here, and a spool has " + std::to_string(kSpoolFileBytes) + " bytes");
  }

  void check_words() {
    check_consumed();
    check_intent();
    for (size_t i = 0; i < kLossCount; ++i) check_count(header_.losses[i], loss_name(static_cast<Loss>(i)));
    for (size_t i = 0; i < kNoteCount; ++i) check_count(header_.notes[i], note_name(static_cast<Note>(i)));
  }

  void check_count(CheckedWord<uint64_t>& count, const char* name) {
    if (count.intact()) return;
    count.store(0);
    tell(place_of(count), std::string("the count of ") + name + " is damaged and left out");
  }

  void check_consumed() {
    if (header_.consumed.intact()) return;
    const bool again = header_.consumed_again.intact();
    header_.consumed.store(again ? header_.consumed_again.load() : 0);
    tell(place_of(header_.consumed), again ? "how many events are in chunks is damaged; its copy is taken"
                                           : "how many events are in chunks is damaged: some may be there twice");
  }

  void check_intent() {
    const bool speaks = header_.intent_end.load() != 0 || header_.counters_offset.load() != 0;
    const bool named =
        !speaks || (header_.chunk_check.intact() && header_.chunk_check.load() == chunk_name_check(header_));
    if (!named || !header_.intent_end.intact() || !header_.intent_offset.intact()) {
      header_.intent_end.store(0);
      tell(place_of(header_.intent_end), "the note of the last append is damaged: its events may be there twice");
    }
    if (named && header_.counters_offset.intact()) return;
    header_.counters_offset.store(0);
    tell(place_of(header_.counters_offset), "the note of the last counters is damaged: they may be there twice");
  }

  // A tail that was damaged is found again: what was handed out ends with what was written last.
  void check_tails() {
    uint32_t slots = 0, units = 1;
    const auto* const begin = reinterpret_cast<const uint64_t*>(spool_.arena().at(0));
    for (auto slot = static_cast<uint32_t>((spool_.extent().log_end - kSpoolLogOffset) / sizeof(EventSlot)); slot > 0;
         --slot)
      if (spool_.log().slot(slot - 1).kind.load(std::memory_order_relaxed) != 0) {
        slots = slot;
        break;
      }
    for (auto unit = static_cast<uint32_t>((spool_.extent().arena_end - kSpoolArenaOffset) / kUnitBytes); unit > 0;
         --unit)
      if (begin[unit - 1] != 0) {
        units = unit;
        break;
      }
    check_tail(header_.log, slots, kMostSlots, "events");
    check_tail(header_.arena, units, kMostUnits, "names and stacks");
    if (header_.consumed.load() <= header_.log.tail.load()) return;
    tell(place_of(header_.consumed), "more events are in chunks than there were");
    header_.consumed.store(header_.log.tail.load());
  }

  void check_tail(Meter& meter, uint32_t written, uint32_t most, const char* what) {
    const uint32_t tail = meter.tail.load(std::memory_order_relaxed);
    if (tail >= written && tail <= most) return;
    meter.tail.store(written, std::memory_order_relaxed);
    tell(place_of(meter.tail), std::string("the end of the ") + what + " is damaged; it is where the last one is");
  }

  void check_slots() {
    const uint32_t end = spool_.log().claimed();
    for (uint32_t slot = header_.consumed.load(); slot < end;) slot = check_stretch(slot, end);
  }

  bool is_zero(uint32_t slot) const { return spool_.log().slot(slot).kind.load(std::memory_order_relaxed) == 0; }

  // Of slots that are all alike. Gives where the next one begins.
  uint32_t check_stretch(uint32_t from, uint32_t end) {
    const bool zero = is_zero(from), intact = spool_.log().intact(from);
    uint32_t slot = from;
    for (; slot < end && is_zero(slot) == zero && spool_.log().intact(slot) == intact; ++slot)
      if (!zero) intact ? check_event(slot) : drop(slot);
    if (zero && slot - from >= kZeroRun) {
      const bool cut = place_of_slot(from) >= spool_.extent().file_bytes;
      lose(from, slot, cut ? "the file has ended before the events here" : "zeros stand here where events were");
    }
    if (!intact) lose(from, slot, "not what was committed stands here");
    return slot;
  }

  void drop(uint32_t slot) { spool_.log().slot(slot).kind.store(0, std::memory_order_relaxed); }

  void check_live() {
    if (!header_.live_unit.intact() || !header_.live_count.intact())
      tell(place_of(header_.live_unit), "where objects that are alive stand is damaged; they are left out");
    uint64_t dropped = 0;
    for (EventSlot& slot : spool_.live_slots()) {
      if (slot.kind.load(std::memory_order_relaxed) == 0 || (slot_intact(slot) && check_event(slot))) continue;
      slot.kind.store(0, std::memory_order_relaxed);
      ++dropped;
    }
    if (dropped == 0) return;
    result_.lost += dropped;
    tell(kSpoolArenaOffset + uint64_t{header_.live_unit.load()} * kUnitBytes,
         "objects that are alive are damaged; " + events_are_lost(dropped));
  }

  void check_event(uint32_t index) {
    if (check_event(spool_.log().slot(index))) return;
    drop(index);
    lose(index, index + 1, "the body of this event is damaged");
  }

  // False: nothing of it can be told.
  bool check_event(EventSlot& slot) {
    const auto kind = static_cast<EventKind>(slot.kind.load(std::memory_order_relaxed) & 0xff);
    if (kind == EventKind::kContext) {
      check_context(slot);
      return true;
    }
    if (!good(Ref<ThreadFact>{slot.thread}, "thread")) slot.thread = 0;
    if (kind != EventKind::kGc && !good(Ref<StackFact>{slot.stack_or_extra}, "stack")) slot.stack_or_extra = 0;
    if (kind == EventKind::kThreadStart && !good(Ref<ThreadFact>{slot.other}, "thread")) slot.other = 0;
    const bool names_class = kind == EventKind::kClassUnload || kind == EventKind::kAllocation;
    if (names_class && !good(Ref<ClassFact>{slot.other}, "class")) slot.other = 0;
    const bool whole =
        (kind != EventKind::kEncoded || good(Ref<EncodedFact>{slot.other}, "event's body")) &&
        ((kind != EventKind::kLiveObject && !is_wait(kind)) || good(Ref<DetailFact>{slot.other}, "event's body"));
    follow();
    return whole;
  }

  void check_context(EventSlot& slot) {
    const Ref<EncodedFact> named{slot.thread};
    if (!good(named, "span's name")) slot.thread = 0;
    ContextRefs refs;
    if (slot.thread == 0 || !context_refs(*facts_->get(named), refs)) return;
    if (!good(refs.name, "span's name") || !good(refs.keys, "list of attributes")) slot.thread = 0;
  }

  // Whether the fact is there and what was published. What it refers to is looked at in follow(), once.
  template <typename Fact>
  bool good(Ref<Fact> ref, const char* what) {
    if (!ref) return true;
    const auto [known, is_new] = good_.try_emplace({ref.unit, &kTypeOf<Fact>}, false);
    if (!is_new) return known->second;
    Fact* const fact = facts_->get(ref);
    known->second = fact != nullptr && is_intact(*fact);
    if (known->second)
      enter(*fact);
    else
      tell(kSpoolArenaOffset + uint64_t{ref.unit} * kUnitBytes, std::string("a ") + what + " is damaged");
    return known->second;
  }

  void enter(StackFact& fact) { stacks_.push_back(&fact); }
  void enter(MethodFact& fact) { methods_.push_back(&fact); }
  void enter(ClassFact& fact) { classes_.push_back(&fact); }
  void enter(LoaderFact& fact) { loaders_.push_back(&fact); }
  void enter(ThreadFact&) {}
  void enter(EncodedFact& fact) {
    if (fact.has_parts) encoded_.push_back(&fact);
  }
  void enter(DetailFact& fact) { details_.push_back(&fact); }

  // No recursion: how deep classes and loaders go is the file's to say.
  void follow() {
    for (bool more = true; more;) {
      more = take(details_, [&](DetailFact& fact) {
        if (!good(fact.shape.klass, "class")) fact.shape.klass = {};
        if (!good(fact.shape.thread, "thread")) fact.shape.thread = {};
        if (!good(fact.shape.stack, "stack")) fact.shape.stack = {};
      });
      more |= take(encoded_, [&](EncodedFact& fact) {
        const auto check = [&](Ref<EncodedFact> shared, char* at) {
          if (!good(shared, "line of a thread dump")) std::memcpy(at, &kSharedPart, sizeof kSharedPart);
        };
        for_each_part(
            {fact.tail(), fact.text_sizes[0]}, [](std::string_view) {}, check);
      });
      more |= take(stacks_, [&](StackFact& fact) {
        for (uint16_t i = 0; i < fact.count; ++i)
          if (!good(fact.frames()[i].method, "method")) fact.frames()[i].method = {};
      });
      more |= take(methods_, [&](MethodFact& fact) {
        if (!good(fact.holder, "class")) fact.holder = {};
      });
      more |= take(classes_, [&](ClassFact& fact) {
        if (!good(fact.loader, "class loader")) fact.loader = {};
      });
      more |= take(loaders_, [&](LoaderFact& fact) {
        if (!good(fact.type, "class")) fact.type = {};
      });
    }
  }
  template <typename Fact, typename Look>
  static bool take(std::vector<Fact*>& from, Look look) {
    if (from.empty()) return false;
    Fact* const fact = from.back();
    from.pop_back();
    look(*fact);
    return true;
  }

  Spool& spool_;
  SpoolHeader& header_;
  SpoolCheck result_;
  std::optional<FactReader> facts_;  // once the arena's end is known
  // By unit, and by what it was asked for as: a unit that is one thing may be claimed to be another.
  std::map<std::pair<uint32_t, const char*>, bool> good_;
  std::vector<DetailFact*> details_;
  std::vector<EncodedFact*> encoded_;  // in parts
  std::vector<StackFact*> stacks_;
  std::vector<MethodFact*> methods_;
  std::vector<ClassFact*> classes_;
  std::vector<LoaderFact*> loaders_;
};

}  // namespace

SpoolCheck check_spool(Spool& spool) { return Check(spool).run(); }

}  // namespace rec
