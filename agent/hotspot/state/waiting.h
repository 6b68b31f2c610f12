// SPDX-License-Identifier: Apache-2.0
// Waiting is what a thread waits for, as wait_reader.h finds it: plain data.
#pragma once

#include <cstdint>
#include <string>

namespace rec::agent {

enum class WaitKind : uint8_t { kNone, kEnter, kWait, kPark, kClassInit };

struct Waiting {
  WaitKind kind = WaitKind::kNone;
  uint64_t monitor = 0;   // address of the VM's ObjectMonitor; not kPark
  uint64_t object = 0;    // where the object lay; the collector may move it any time
  std::string klass;      // of the object, empty: the VM does not tell; kClassInit: the class that another thread makes
  std::string mirror_of;  // of an object that is a class: which
};

// Who holds it, as the VM says; owners.h makes a thread of it.
struct OwnerWord {
  uint64_t word = 0;         // ObjectMonitor::_owner
  uint64_t java_thread = 0;  // or JavaThread* of a synchronizer's owner
};

}  // namespace rec::agent
