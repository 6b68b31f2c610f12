// SPDX-License-Identifier: Apache-2.0
// StubTable knows where each stub begins inside the VM's stub blobs, which hold many back to back, and what it is called.
// JVMTI tells (DynamicCodeGenerated, replayed by GenerateEvents for what exists already). Ordinary threads add, handlers find.
// Signal-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace rec::agent {

class StubTable {
 public:
  static constexpr uint32_t kMaxStubs =
      1024;  // 17 and 25 have about 250, and one for each shape of a virtual call; more are not listed, and count as frameless

  // Any ordinary thread, any number at a time. A stub told twice is kept once. Allocates: a copy of the name, for good.
  void add(uint64_t begin, uint64_t end, const char* name);

  struct Range {
    uint64_t begin = 0, end = 0;
    const char* name = nullptr;  // stays for the life of the process
  };

  // Signal-safe. The stub around pc; empty when none is known.
  Range find(uint64_t pc) const;

 private:
  struct Stub {
    std::atomic<uint64_t> begin{0};  // stored last (release): pairs with find()
    uint64_t end = 0;
    const char* name = nullptr;
  };
  std::array<Stub, kMaxStubs> stubs_;
  std::atomic<uint32_t> count_{0};
};

}  // namespace rec::agent
