// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/held_monitors.h"

#include <utility>

#include "agent/hotspot/processor/frame_slots.h"
#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/vm/heap_object.h"
#include "agent/hotspot/vm/object_class.h"
#include "agent/hotspot/vm/scope_monitors.h"
#include "agent/hotspot/vm/scopes.h"
#include "agent/hotspot/vm/zgc_forwarding.h"
#include "agent/hotspot/walk/deopt_handler.h"

namespace rec::agent {
namespace {

using Kind = MonitorSlot::Kind;

constexpr uint64_t kMostMonitors = 64;  // of a frame
constexpr uint64_t kMarkLockBits = 3, kMarkUnlocked = 1, kMarkForwarded = 3;
constexpr uint64_t kMarkBiasedBits = 7, kMarkBiased = 5, kMarkBiasedTo = ~uint64_t{0x3ff};

// One frame on the stack, and where it shows in the stack of Java's frames: at `frame`, and behind it.
struct Physical {
  const FrameMark& mark;
  const FrameMark* called;  // the one above it; null: that is of none
  uint32_t frame;
};

class Finder {
 public:
  Finder(const VmCode& vm, std::vector<MonitorSlot>& found) : vm_(vm), layout_(vm.layout), found_(found) {}

  void look_at(const Physical& physical) {
    const FrameMark& mark = physical.mark;
    if (mark.proof.by == FrameProof::By::kBytecode) return interpreted(physical);
    const bool proved = mark.proof.by == FrameProof::By::kCompilation;
    if (proved && vm_.without_monitors.find(mark.pc, mark.proof.id).hit) return;
    const CodeBlob blob = vm_.code_cache.find(mark.pc);
    if (blob.kind == BlobKind::kCompiled) compiled(physical, blob);
  }

 private:
  void interpreted(const Physical& physical) {
    const uint64_t fp = physical.mark.fp, begin = slot(fp, kMonitorsEndSlot);
    const auto end_word = static_cast<int64_t>(u64_at(begin));
    const bool is_index = end_word < 0 && end_word > -static_cast<int64_t>(1 << 20);
    const uint64_t end = is_index ? slot(fp, static_cast<int>(end_word)) : static_cast<uint64_t>(end_word);
    if (end > begin || begin - end > kMostMonitors * kMonitorBytes) return;
    for (uint64_t at = end; at + kMonitorBytes <= begin; at += kMonitorBytes)
      if (u64_at(at + kMonitorObject) != 0) found_.push_back({physical.frame, Kind::kWord, false, at + kMonitorObject});
  }

  void compiled(const Physical& physical, const CodeBlob& blob) {
    const uint32_t compile_id = u32_at(blob.address + layout_.nmethod.compile_id);  // before what it is to stand for
    const uint64_t pc = original_pc(layout_, blob, physical.mark.pc, physical.mark.sp);
    Scopes scopes(layout_, blob, pc, vm_.scopes);
    if (!scopes.exact()) return;
    bool any = false;
    uint64_t method = 0;
    int32_t bci = 0;
    for (uint32_t frame = physical.frame; scopes.description() != 0; ++frame) {
      const auto monitors = read_scope_monitors(layout_, scopes.data(), scopes.description());
      for (auto monitor = monitors.rbegin(); monitor != monitors.rend(); ++monitor)
        add(physical, blob, frame, *monitor);
      any = any || !monitors.empty();
      if (!scopes.next(method, bci)) return;
    }
    const bool is_valid = pc == physical.mark.pc;  // all frames of a method that is no longer valid have one pc
    if (!any && is_valid) vm_.without_monitors.remember(pc, compile_id, 0, false);
  }

  void add(const Physical& physical, const CodeBlob& blob, uint32_t frame, const ScopeMonitor& monitor) {
    MonitorSlot slot{frame, monitor.narrow ? Kind::kNarrow : Kind::kWord, monitor.eliminated, 0};
    switch (monitor.where) {
      case ScopeMonitor::Where::kStack: slot.address = physical.mark.sp + monitor.at; break;
      case ScopeMonitor::Where::kRegister:
        slot.address = monitor.at == kKeptRegister ? place_of_fp(physical) : 0;
        break;
      case ScopeMonitor::Where::kConstant:
        slot.kind = Kind::kConstant;
        slot.address = oop_of(blob, monitor.at);
        break;
      case ScopeMonitor::Where::kReplaced: slot.kind = Kind::kNone; break;
    }
    if (slot.address != 0 || slot.kind == Kind::kNone) found_.push_back(slot);
  }

  // Where the frame's fp was saved by the one that it has called; 0: that is not known. The interpreter keeps it where its
  // own fp leads, compiled code right below its return address. Of others the value tells; but it may be a reference that
  // the collector has changed since (last_walk.h).
  uint64_t place_of_fp(const Physical& physical) const {
    const uint64_t below = physical.mark.sp - kSavedFpBelowCaller;
    const BlobKind kind = physical.called ? vm_.code_cache.find(physical.called->pc).kind : BlobKind::kNone;
    if (kind == BlobKind::kInterpreter) return physical.called->fp;
    const bool compiled = kind == BlobKind::kCompiled || kind == BlobKind::kNativeWrapper;
    return compiled || u64_at(below) == physical.mark.fp ? below : 0;
  }

  uint64_t oop_of(const CodeBlob& blob, uint32_t index) const {
    if (index == 0) return 0;
    const uint32_t at = layout_.nmethod.oops != kAbsent ? layout_.nmethod.oops : layout_.blob.data_offset;
    return at == kAbsent ? 0 : blob.address + u32_at(blob.address + at) + 8 * (uint64_t{index} - 1);
  }

  const VmCode& vm_;
  const Layout& layout_;
  std::vector<MonitorSlot>& found_;
};

// The generational ZGC's references have no colour in a frame, nor in compiled code (zNMethod.cpp).
bool is_coloured(const Layout& layout) { return layout.object.reference == Layout::Object::Reference::kColoured; }

uint64_t reference_in(const Layout& layout, const MonitorSlot& slot) {
  uint64_t object = 0;
  if (slot.kind == Kind::kNone) return 0;
  if (slot.kind == Kind::kNarrow)
    return load_reference(layout, slot.address, Layout::Object::Reference::kNarrow, object) ? object : 0;
  if (is_coloured(layout)) return u64_at(slot.address);
  return load_stack_reference(layout, slot.address, object) ? object : 0;
}

// Up to JDK 17 one that is biased towards a thread looks unlocked whether this holds it or not; the frame knows
// (src/hotspot/share/oops/markWord.hpp).
bool is_locked(uint64_t object) {
  const uint64_t mark = u64_at(object), lock = mark & kMarkLockBits;
  const bool is_biased = (mark & kMarkBiasedBits) == kMarkBiased && (mark & kMarkBiasedTo) != 0;
  return is_biased || (lock != kMarkUnlocked && lock != kMarkForwarded);
}

bool is_object(const Layout& layout, uint64_t address, HeldMonitor& held) {
  ObjectClass found = class_of_object(layout, address);
  if (found.name.empty() || !(held.eliminated || is_locked(address))) return false;
  held.object = address;
  held.klass = std::move(found.name);
  held.mirror_of = std::move(found.mirror_of);
  return true;
}

// The address may be one where the object was before, and where its old copy still lies. What the tables lead to counts
// where nothing else is left, or if it is like it in class and lock: the address may as well be a new one, where another
// object was before.
void follow_moves(const Layout& layout, uint64_t address, HeldMonitor& held) {
  for (int generation = 0; generation < kGenerations; ++generation) {
    HeldMonitor moved{held.frame, held.eliminated, 0, {}, {}};
    const uint64_t to = moved_from(layout.zgc, generation, address);
    if (to == 0 || !is_object(layout, to, moved)) continue;
    if (held.object == 0 || (moved.klass == held.klass && u64_at(to) == u64_at(address))) held = std::move(moved);
  }
}

bool find_object(const Layout& layout, const MonitorSlot& slot, HeldMonitor& held) {
  const uint64_t reference = reference_in(layout, slot);
  is_object(layout, reference, held);
  if (is_coloured(layout)) follow_moves(layout, reference, held);
  return held.object != 0 && reference_in(layout, slot) == reference;
}

}  // namespace

std::vector<MonitorSlot> find_monitors(const VmCode& vm, const OutsideWalk& walk) {
  std::vector<MonitorSlot> found;
  const LastWalk& marks = walk.marks();
  Finder finder(vm, found);
  const auto frames = static_cast<uint32_t>(walk.frames().size());
  for (uint32_t i = marks.marks(); i-- > 0;) {
    const FrameMark& mark = marks.mark(i);
    const uint32_t before = i == 0 ? 0 : marks.mark(i - 1).frames;
    if (mark.frames == before || marks.frames_of(i).front().type == FrameType::kNative) continue;
    finder.look_at({mark, i + 1 < marks.marks() ? &marks.mark(i + 1) : nullptr, frames - mark.frames});
  }
  return found;
}

std::vector<HeldMonitor> read_monitors(const Layout& layout, const std::vector<MonitorSlot>& slots) {
  std::vector<HeldMonitor> all;
  for (const MonitorSlot& slot : slots) {
    HeldMonitor held{slot.frame, slot.eliminated, 0, {}, {}};
    if (slot.kind == Kind::kNone || find_object(layout, slot, held)) all.push_back(std::move(held));
  }
  return all;
}

}  // namespace rec::agent
