// SPDX-License-Identifier: Apache-2.0
// ElfSymbols reads the symbols of a library's file (ELF gABI, chapter 4): all of them, and where the file was stripped
// those for the dynamic linker. Ordinary threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "agent/process/mapped_library.h"

namespace rec::agent {

class ElfSymbols {
 public:
  struct Symbol {
    std::string_view name;  // mangled; good during the visit
    uint64_t value = 0;     // its address, less the library's base
    uint64_t size = 0;      // 0: not known
  };

  explicit ElfSymbols(const char* path) : file_(path) {}  // a file that is no ELF file has no symbols

  // Calls visit(symbol) for each until it says false.
  void each(const std::function<bool(const Symbol&)>& visit) const;

 private:
  template <typename T>
  bool read(uint64_t offset, T& to) const;
  bool each_of(uint32_t section_type, const std::function<bool(const Symbol&)>& visit) const;

  const MappedLibrary file_;
};

}  // namespace rec::agent
