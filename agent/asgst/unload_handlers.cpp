// SPDX-License-Identifier: Apache-2.0
#include "agent/asgst/unload_handlers.h"

#include <time.h>

#include <cassert>

namespace rec::agent::asgst {
namespace {

constexpr long kLookInsideNs = 20'000;  // between two looks whether all have left

void wait_until_empty(const std::atomic<uint32_t>& inside) {
  const timespec pause{0, kLookInsideNs};
  // seq_cst: pairs with both counts in call().
  while (inside.load(std::memory_order_seq_cst) != 0) nanosleep(&pause, nullptr);
}

}  // namespace

bool UnloadHandlers::add(ASGST_ClassUnloadHandler handler, void* arg) {
  assert(handler != nullptr && "null marks a free slot; asgst.h refuses it");
  for (Slot& slot : slots_) {
    if (slot.handler.load(std::memory_order_relaxed) != nullptr) continue;
    slot.arg.store(arg, std::memory_order_relaxed);
    // seq_cst: pairs with the load in call(), which then finds the argument too.
    slot.handler.store(handler, std::memory_order_seq_cst);
    return true;
  }
  return false;
}

bool UnloadHandlers::remove(ASGST_ClassUnloadHandler handler, const void* arg) {
  for (Slot& slot : slots_) {
    if (slot.handler.load(std::memory_order_relaxed) != handler || slot.arg.load(std::memory_order_relaxed) != arg)
      continue;
    // seq_cst: pairs with the load in call(): whoever counts itself in after our look at the count finds null.
    slot.handler.store(nullptr, std::memory_order_seq_cst);
    wait_until_empty(slot.inside);
    return true;
  }
  return false;
}

// seq_cst, all three: pairs with remove(), its store and its wait. Either it sees us inside, or we see that the handler
// is gone.
void UnloadHandlers::call(ASGST_Class klass, ASGST_Method* methods, int count, bool redefined) {
  for (Slot& slot : slots_) {
    slot.inside.fetch_add(1, std::memory_order_seq_cst);
    if (const ASGST_ClassUnloadHandler handler = slot.handler.load(std::memory_order_seq_cst))
      handler(klass, methods, count, redefined, slot.arg.load(std::memory_order_relaxed));
    slot.inside.fetch_sub(1, std::memory_order_seq_cst);
  }
}

}  // namespace rec::agent::asgst
