// SPDX-License-Identifier: Apache-2.0
// VmOperation tells what the VM thread is about, where libjvm.so has its symbols: VMThread::_cur_vm_operation leads to
// an object whose vtable has a name (VM_ThreadDump -> "ThreadDump"). Nothing of it is called, only read, by safe loads.
// In a stripped library there is no way to know.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "agent/hotspot/state/vm_library.h"

namespace rec::agent {

class VmOperation {
 public:
  explicit VmOperation(const VmLibrary& library) : library_(library) {}
  void open();
  bool known() const { return word_ != 0; }
  std::string current();  // empty: none, or not known
  // While it is about a handshake of all threads: the HandshakeOperation (VM_HandshakeAllThreads::_op, handshake.cpp). 0: it
  // is not.
  uint64_t handshake_of_all();

 private:
  std::string name_of(uint64_t operation);

  const VmLibrary& library_;
  uint64_t word_ = 0;                      // address of VMThread::_cur_vm_operation; 0: not known
  std::map<uint64_t, std::string> names_;  // of the vtables that were met
};

// "_ZTV13VM_ThreadDump" -> "ThreadDump"; empty: no vtable.
std::string operation_of_symbol(const std::string& symbol);

}  // namespace rec::agent
