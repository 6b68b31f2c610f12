// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/thread_words.h"

#include "agent/hotspot/vm/vm_tables.h"
#include "agent/hotspot/x86_64/safe_load.h"

namespace rec::agent {
namespace {

constexpr uint32_t kThreadScan = 3072;  // bytes of a JavaThread that are searched
constexpr uint64_t kArmed = 1;
constexpr uint64_t kPage = 4096;

uint32_t constant_or(const VmTables& tables, const char* name, uint32_t otherwise) {
  const auto value = tables.constant(name);
  return value ? static_cast<uint32_t>(*value) : otherwise;
}

bool is_readable(uint64_t address) {
  uint8_t byte = 0;
  return load8(address, byte);
}

// The page that a poll reads stands behind the word. There are two of them, side by side: the first cannot be read, and
// stands there while the thread is asked to stop.
bool may_be_poll_word(uint64_t at) {
  const uint64_t word = u64_at(at), page = u64_at(at + 8);
  if ((word != kArmed && word != ~kArmed) || page == 0 || page % kPage != 0) return false;
  const uint64_t first = word == kArmed ? page : page - kPage;
  return !is_readable(first) && is_readable(first + kPage);
}

}  // namespace

void ThreadWords::open(const Layout& layout, std::span<const uint64_t> threads) {
  state_offset_ = layout.thread_state;
  states_.in_java = layout.state_in_java;
  const auto tables = VmTables::open();
  if (!tables) return;
  states_.in_vm = constant_or(*tables, "_thread_in_vm", kNoState);
  states_.in_native = constant_or(*tables, "_thread_in_native", kNoState);
  states_.blocked = constant_or(*tables, "_thread_blocked", kNoState);
  states_.fresh = constant_or(*tables, "_thread_new", kNoState);
  find_poll_word(threads);
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

uint32_t ThreadWords::state(uint64_t java_thread) const {
  uint32_t state = kNoState;
  return load32(java_thread + state_offset_, state) ? state : kNoState;
}

// What is neither in native code, nor blocked, nor on its way into being. Without those constants: in Java only.
bool ThreadWords::is_tardy(uint32_t state) const {
  if (state == kNoState || state == 0) return false;
  if (states_.blocked == kNoState || states_.in_native == kNoState) return state == states_.in_java;
  return state != states_.blocked && state != states_.in_native && state != states_.fresh;
}

bool ThreadWords::armed(uint64_t java_thread) const { return u64_at(java_thread + poll_) == kArmed; }

bool ThreadWords::asked(uint64_t java_thread) const {
  return state(java_thread) == states_.in_java && armed(java_thread);
}

const char* ThreadWords::state_name(uint32_t state) const {
  if (state == kNoState) return "";
  if (state == states_.in_java) return "in Java";
  if (state == states_.in_vm) return "in VM";
  if (state == states_.in_native) return "in native";
  if (state == states_.blocked) return "blocked";
  if (state == states_.fresh) return "new";
  return "in transition";
}

}  // namespace rec::agent
