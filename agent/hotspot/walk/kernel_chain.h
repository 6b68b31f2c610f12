// SPDX-License-Identifier: Apache-2.0
// KernelChain is where in the kernel a thread was when perf's clock ticked in it. The kernel writes it beside the signal,
// into a page that is mapped read-only here. It writes backwards (perf_event_attr.write_backward, Linux 4.7): the newest
// record begins where data_head points, and nobody has to say what was read.
//
//   page 0   perf_event_mmap_page, with data_head
//   page 1   header | count | addresses, innermost first, among them marks (PERF_CONTEXT_*) | header | count | ...
//
// Such pages count as locked memory: beyond RLIMIT_MEMLOCK and perf_event_mlock_kb there are none for ordinary users.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rec::agent {

// The kernel as one of the libraries. Ordinary threads; allocates.
struct KernelLibrary {
  uint16_t number = 0;    // library_numbers.h; 0: its frames are not shown
  bool is_named = false;  // its symbols can be read
};
KernelLibrary kernel_library();

class KernelChain {
 public:
  static constexpr uint32_t kMostFrames = 48;

  // Ordinary threads. fd: of perf's clock of a thread (task_clock.h), before its first tick. False: there is no memory.
  bool map(int fd);
  // Ordinary threads. A handler may be reading: it finds nothing.
  void unmap();
  bool is_mapped() const { return mapped_.load(std::memory_order_relaxed) != 0; }

  // Signal-safe, in the thread's own handler. The frames of the newest tick, innermost first, each a native_method()
  // (raw_frame.h); none: it was not in the kernel, or has been read already. One that cannot be named stands for all.
  size_t read(KernelLibrary kernel, std::span<uint64_t> methods);

 private:
  size_t read_addresses(std::span<uint64_t> addresses);

  std::atomic<uint64_t> mapped_{0};  // address of page 0
  uint64_t read_to_ = 0;             // data_head when it was read
};

}  // namespace rec::agent
