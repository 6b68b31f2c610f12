// SPDX-License-Identifier: Apache-2.0
// Safe loads read memory that may be gone. Each is a function whose first instruction may fault; the fault handler
// knows these few addresses, sends the thread to "it cannot be read", and passes every other fault on to the handler
// that was installed before ours. A good load costs a call and a load. Signal-safe.
//
// Functions in assembler and not `asm goto` with outputs: GCC 12 loses values on the edge of the fault.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rec::agent {

struct Loaded {
  uint64_t value;
  uint64_t readable;  // 1, or 0 with value 0
};

extern "C" {
Loaded rec_safe_load64(uint64_t address) noexcept __attribute__((visibility("hidden")));
Loaded rec_safe_load32(uint64_t address) noexcept __attribute__((visibility("hidden")));
Loaded rec_safe_load16(uint64_t address) noexcept __attribute__((visibility("hidden")));
Loaded rec_safe_load8(uint64_t address) noexcept __attribute__((visibility("hidden")));
bool rec_safe_copy(void* to, const void* from, size_t size) noexcept __attribute__((visibility("hidden")));
}

// value keeps what it was when the address cannot be read.
template <typename T>
inline bool take_loaded(Loaded loaded, T& value) {
  if (loaded.readable != 0) value = static_cast<T>(loaded.value);
  return loaded.readable != 0;
}
inline bool load64(uint64_t address, uint64_t& value) { return take_loaded(rec_safe_load64(address), value); }
inline bool load32(uint64_t address, uint32_t& value) { return take_loaded(rec_safe_load32(address), value); }
inline bool load16(uint64_t address, uint16_t& value) { return take_loaded(rec_safe_load16(address), value); }
inline bool load8(uint64_t address, uint8_t& value) { return take_loaded(rec_safe_load8(address), value); }

// The same for a reader who treats "cannot be read" as zero.
inline uint64_t word_at(uint64_t address) { return rec_safe_load64(address).value; }
inline uint32_t half_at(uint64_t address) { return static_cast<uint32_t>(rec_safe_load32(address).value); }
inline uint16_t short_at(uint64_t address) { return static_cast<uint16_t>(rec_safe_load16(address).value); }
inline uint8_t byte_at(uint64_t address) { return static_cast<uint8_t>(rec_safe_load8(address).value); }

// Copies size bytes; false when a part of them cannot be read (the rest of `to` is then undefined).
inline bool safe_copy(void* to, const void* from, size_t size) { return rec_safe_copy(to, from, size); }

// Puts our handler in front of SIGSEGV's and SIGBUS's. From an ordinary thread, after the VM has installed its own;
// again when somebody has replaced ours. The handler stays for the life of the process: taking it out could drop
// somebody who installed his own later.
bool install_fault_handler();

// Loads that faulted since the start.
uint64_t faulted_loads();

}  // namespace rec::agent
