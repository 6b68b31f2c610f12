// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/vm_operation.h"

#include "agent/hotspot/processor/safe_load.h"

namespace rec::agent {

namespace {

constexpr uint64_t kHandshakeAt = 16;  // VM_HandshakeAllThreads::_op, behind vtable and _calling_thread

}  // namespace

std::string operation_of_symbol(const std::string& symbol) {
  constexpr char kVtable[] = "_ZTV";
  if (symbol.rfind(kVtable, 0) != 0) return {};
  size_t at = sizeof kVtable - 1, size = 0;
  for (; at < symbol.size() && symbol[at] >= '0' && symbol[at] <= '9'; ++at)
    size = size * 10 + static_cast<size_t>(symbol[at] - '0');
  if (size == 0 || at + size > symbol.size()) return {};
  const std::string name = symbol.substr(at, size);
  return name.rfind("VM_", 0) == 0 ? name.substr(3) : name;
}

void VmOperation::open() { library_.find({{"_ZN8VMThread17_cur_vm_operationE", word_}}); }

uint64_t VmOperation::handshake_of_all() {
  const uint64_t operation = word_ == 0 ? 0 : u64_at(word_);
  return operation != 0 && name_of(operation) == "HandshakeAllThreads" ? u64_at(operation + kHandshakeAt) : 0;
}

std::string VmOperation::current() { return name_of(word_ == 0 ? 0 : u64_at(word_)); }

std::string VmOperation::name_of(uint64_t operation) {
  const uint64_t vtable = operation == 0 ? 0 : u64_at(operation);
  if (vtable == 0) return {};
  if (const auto known = names_.find(vtable); known != names_.end()) return known->second;
  const std::string found = operation_of_symbol(library_.vtable_symbol(vtable));
  if (!found.empty()) names_[vtable] = found;
  return found;
}

}  // namespace rec::agent
