// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/thread_words.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "agent/hotspot/processor/safe_load.h"
#include "agent/hotspot/state/vm_text.h"
#include "agent/hotspot/vm/java_thread.h"
#include "agent/process/os_state.h"
#include "agent/process/page_size.h"

namespace rec::agent {
namespace {

constexpr uint32_t kThreadScan = 3072;  // bytes of a JavaThread that are searched
constexpr uint64_t kArmed = 1;

constexpr uint32_t kLockScan = 320;  // bytes behind the queue in which its lock has its name
constexpr char kLockName[] = "HandshakeState";
constexpr uint64_t kNodeOperation = 8;        // FilterQueue::Node::_data, behind _next
constexpr uint64_t kOperationClosure = 8;     // HandshakeOperation::_handshake_cl, behind the vtable
constexpr uint64_t kOperationPending = 16;    // HandshakeOperation::_pending_threads
constexpr uint64_t kOperationTarget = 24;     // HandshakeOperation::_target; null: all threads
constexpr uint64_t kOperationRequester = 32;  // HandshakeOperation::_requester, behind these
constexpr uint64_t kClosureName = 8;          // HandshakeClosure::_name, behind the vtable
constexpr int kTrialLooks = 2;                // a millisecond apart

bool is_readable(uint64_t address) {
  uint8_t byte = 0;
  return load8(address, byte);
}

// The page that a poll reads stands behind the word. There are two of them, side by side: the first cannot be read, and
// stands there while the thread is asked to stop.
bool may_be_poll_word(uint64_t at) {
  const uint64_t word = u64_at(at), page = u64_at(at + 8);
  if ((word != kArmed && word != ~kArmed) || page == 0 || page % kPageBytes != 0) return false;
  const uint64_t first = word == kArmed ? page : page - kPageBytes;
  return !is_readable(first) && is_readable(first + kPageBytes);
}

bool has_lock_name(uint64_t at) {
  char text[sizeof kLockName - 1];
  for (uint32_t offset = 0; offset < kLockScan; offset += 8) {
    const uint64_t name = u64_at(at + offset);
    if (name != 0 && safe_copy(text, reinterpret_cast<const void*>(name), sizeof text) &&
        std::string_view(text, sizeof text) == kLockName)
      return true;
  }
  return false;
}

uint64_t name_of(uint64_t operation) {
  const uint64_t closure = u64_at(operation + kOperationClosure);
  return closure == 0 ? 0 : u64_at(closure + kClosureName);
}

bool may_be_handshakee(uint64_t thread, uint32_t offset) {
  return u64_at(thread + offset) == thread && has_lock_name(thread + offset + 8);
}

}  // namespace

void ThreadWords::open(const Layout& layout, std::span<const uint64_t> threads) {
  layout_ = &layout;
  const auto is_known = [&](VmState state) { return std::ranges::count(layout.states.kinds, state) != 0; };
  knows_rest_ = is_known(VmState::kBlocked) && is_known(VmState::kInNative);
  find_poll_word(threads);
  find_queue(threads);
}

// Two answers are no answer.
void ThreadWords::find_poll_word(std::span<const uint64_t> threads) {
  uint32_t found = kAbsent;
  for (uint32_t offset = 0; offset < kThreadScan; offset += 8) {
    bool all = !threads.empty();
    for (const uint64_t thread : threads) all = all && may_be_poll_word(thread + offset);
    if (!all) continue;
    if (found != kAbsent) return;
    found = offset;
  }
  poll_ = found;
}

// The nearest to the lock, should there be other words like it.
void ThreadWords::find_queue(std::span<const uint64_t> threads) {
  for (uint32_t offset = 0; offset < kThreadScan; offset += 8) {
    bool all = !threads.empty();
    for (const uint64_t thread : threads) all = all && may_be_handshakee(thread, offset);
    if (all) queue_ = offset + 8;
  }
}

// Nothing is locked: a node may be freed meanwhile. What is read of it then is nobody's handshake, and gone at the next
// look.
size_t ThreadWords::handshakes(uint64_t java_thread, std::span<Handshake, kMaxQueued> out) const {
  size_t count = 0;
  uint64_t node = u64_at(java_thread + queue_);
  for (size_t i = 0; node != 0 && i < kMaxQueued; ++i, node = u64_at(node)) {
    const uint64_t operation = u64_at(node + kNodeOperation);
    if (operation == 0 || u64_at(operation + kOperationRequester) == 0) continue;
    Handshake& each = out[count++];
    each = {node, operation, name_of(operation), u32_at(operation + kOperationPending)};
    each.of_all = u64_at(operation + kOperationTarget) == 0;
    each.start = start_of(each);
  }
  return count;
}

bool ThreadWords::is_full(uint64_t java_thread) const {
  uint64_t node = u64_at(java_thread + queue_);
  for (size_t i = 0; node != 0 && i < kMaxQueued; ++i) node = u64_at(node);
  return node != 0;
}

int64_t ThreadWords::start_of(const Handshake& handshake) const {
  const StartWord& word = handshake.of_all ? start_of_all_ : start_;
  return word.known() ? word.read(place_of(handshake)) : 0;
}

uint64_t ThreadWords::place_of(const Handshake& handshake) const {
  return handshake.of_all ? vm_stack_ : handshake.operation;
}

// It asks all threads, one operation after the other, always from the same depth, and sleeps while it waits.
void ThreadWords::note_stack_of_vm_thread() {
  if (vm_thread_ < 0) vm_thread_ = os_thread_named("VM Thread");
  TaskDirectory tasks;
  OsState os;
  read_system_call(tasks, vm_thread_, os);
  vm_stack_ = os.sp & ~7ull;
}

void ThreadWords::learn(uint64_t java_thread, const Handshake& handshake, int64_t absent_ticks, int64_t present_ticks) {
  StartWord& word = handshake.of_all ? start_of_all_ : start_;
  if (!word.wanted() || trial_.java_thread != 0) return;
  if (handshake.of_all && vm_stack_ == 0) note_stack_of_vm_thread();
  if (place_of(handshake) == 0) return;
  trial_ = {java_thread, handshake, &word, 0};
  word.begin(place_of(handshake), absent_ticks, present_ticks);
}

void ThreadWords::learn_more() {
  if (trial_.java_thread == 0) return;
  const bool is_there = has_to_do(trial_.java_thread, trial_.handshake);
  if (is_there) trial_.word->still();
  if (is_there && ++trial_.looks < kTrialLooks) return;
  trial_.word->end();
  trial_ = {};
}

bool ThreadWords::has_to_do(uint64_t java_thread, const Handshake& handshake) const {
  std::array<Handshake, kMaxQueued> queued;
  const size_t count = handshakes(java_thread, queued);
  return std::any_of(queued.begin(), queued.begin() + count,
                     [&](const Handshake& each) { return handshake.is_same(each); });
}

std::string ThreadWords::handshake_name(uint64_t operation) const {
  const uint64_t name = operation == 0 ? 0 : name_of(operation);
  return name == 0 ? "" : vm_text_at(name);
}

uint32_t ThreadWords::state(uint64_t java_thread) const {
  uint32_t state = kNoState;
  return load32(java_thread + layout_->thread.state, state) ? state : kNoState;
}

// What is neither in native code, nor blocked, nor on its way into being. Without those numbers: in Java only.
bool ThreadWords::is_tardy(uint32_t state) const {
  if (state == kNoState || state == 0) return false;
  if (!knows_rest_) return runs_java(*layout_, state);
  if (in_transition(*layout_, state)) return true;
  const VmState kind = vm_state(*layout_, state);
  return kind != VmState::kBlocked && kind != VmState::kInNative && kind != VmState::kNew;
}

bool ThreadWords::armed(uint64_t java_thread) const { return u64_at(java_thread + poll_) == kArmed; }

bool ThreadWords::asked(uint64_t java_thread) const {
  return runs_java(*layout_, state(java_thread)) && armed(java_thread);
}

const char* ThreadWords::state_name(uint32_t state) const {
  if (state == kNoState) return "";
  const VmState kind = vm_state(*layout_, state);
  return in_transition(*layout_, state) || kind == VmState::kUnknown ? "in transition" : vm_state_name(kind);
}

}  // namespace rec::agent
