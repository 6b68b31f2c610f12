// SPDX-License-Identifier: Apache-2.0
#include "agent/context/virtual_contexts.h"

#include "recorder/spool/reserved.h"

namespace rec::agent {

// Zeros are free places. Never given back: a handler may look at any time.
bool VirtualContexts::reserve() {
  Reserved memory;
  if (!memory.reserve(kBuckets * sizeof(Bucket))) return false;
  Bucket* none = nullptr;
  // release: pairs with the acquires in used() and bucket_of(). Who was faster has made the same.
  if (buckets_.compare_exchange_strong(none, static_cast<Bucket*>(memory.get()), std::memory_order_release))
    memory.leak();
  return true;
}

}  // namespace rec::agent
