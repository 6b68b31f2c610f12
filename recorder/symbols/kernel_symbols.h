// SPDX-License-Identifier: Apache-2.0
// KernelSymbols names places in the kernel that runs, by /proc/kallsyms: which shows addresses to those whom
// kernel.kptr_restrict lets see them (Documentation/admin-guide/sysctl/kernel.rst).
//
// A place is an address of the kernel's code less the begin of the last 2 GiB, where it and its modules lie on x86-64
// (Documentation/arch/x86/x86_64/mm.rst); 0 for any other. It does not go into a recording, since it would tell where
// the kernel was put. It means what it means until the next boot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rec {

inline constexpr char kKernelPath[] = "[kernel]";  // among libraries; its build id is boot_id()

// Ordinary threads. Of this boot, by the system; empty: not known.
std::string boot_id();

class KernelSymbols {
 public:
  static constexpr uint64_t kNotNamed = 1;  // a place: the symbols cannot be read

  // Signal-safe.
  static constexpr uint64_t place_of(uint64_t address) { return address > kBegin + kNotNamed ? address - kBegin : 0; }

  // Ordinary threads; these allocate.
  static bool are_readable();
  KernelSymbols() = default;  // none
  // text: of /proc/kallsyms, some 10 MB.
  explicit KernelSymbols(std::string_view text);
  // "vfs_read"; "ext4_readdir"; "[no symbols]" where they cannot be read, "[unknown]" where none is.
  std::string name_of(uint64_t place) const;
  size_t size() const { return functions_.size(); }

 private:
  static constexpr uint64_t kBegin = 0xffffffff80000000;
  struct Function {
    uint32_t begin = 0, name_at = 0;
  };
  std::vector<Function> functions_;  // by begin; each goes on to the next
  std::string names_;                // each ends with 0
};

// Of the kernel that runs, if this is its boot.
KernelSymbols kernel_symbols(std::string_view of_boot);

}  // namespace rec
