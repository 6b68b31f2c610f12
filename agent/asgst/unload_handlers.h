// SPDX-License-Identifier: Apache-2.0
// The registered unload handlers. Any number of threads call them at a time, also from signal handlers; ordinary
// threads add and remove, one at a time.
//
// A slot is free when its handler is null. remove() clears the handler and then waits until inside is 0: whoever comes
// in later finds none, since a caller counts itself in before it looks.
#pragma once

#include <asgst.h>

#include <array>
#include <atomic>
#include <cstdint>

namespace rec::agent::asgst {

class UnloadHandlers {
 public:
  static constexpr size_t kMax = 16;  // promised in asgst.h

  bool add(ASGST_ClassUnloadHandler handler, void* arg);  // false: full
  // One registration of the pair; false: there is none. Waits for its calls to end.
  bool remove(ASGST_ClassUnloadHandler handler, const void* arg);

  // Signal-safe.
  void call(ASGST_Class klass, ASGST_Method* methods, int count, bool redefined);

 private:
  struct Slot {
    std::atomic<ASGST_ClassUnloadHandler> handler{nullptr};
    std::atomic<void*> arg{nullptr};
    std::atomic<uint32_t> inside{0};
  };
  std::array<Slot, kMax> slots_;
};

}  // namespace rec::agent::asgst
