// SPDX-License-Identifier: Apache-2.0
// StubNames has the names of the code that the VM makes and that is no method's, as JVMTI tells them
// (DynamicCodeGenerated). Some hundred; inside of one that holds many lie others. Ordinary threads; allocates.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace rec::agent::asgst {

class StubNames {
 public:
  void add(const char* name, uint64_t begin, uint64_t size);
  // The innermost one around pc; empty: none.
  std::string find(uint64_t pc) const;

 private:
  static constexpr size_t kMost = 1 << 14;  // and no more; others have no name
  struct Stub {
    uint64_t end = 0;
    std::string name;
  };
  mutable std::mutex mutex_;
  std::map<uint64_t, Stub> stubs_;  // by where they begin, under mutex_
};

}  // namespace rec::agent::asgst
