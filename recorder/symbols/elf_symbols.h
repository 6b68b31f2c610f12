// SPDX-License-Identifier: Apache-2.0
// ElfSymbols reads the symbols of a library's file (ELF gABI, chapter 4): all of them, and where the file was stripped
// those for the dynamic linker. The file is read and not mapped: whoever cuts a mapped one short ends the process that
// looks. A file is a stranger: what lies outside of it, or does not fit, is no symbol. Ordinary threads; allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/descriptor.h"

namespace rec {

class ElfSymbols {
 public:
  struct Symbol {
    std::string_view name;  // mangled; good during the visit
    uint64_t value = 0;     // its address, less the library's base
    uint64_t size = 0;      // 0: not known,
    uint64_t most = 0;      // but it ends with its section: so much at the most
    uint64_t name_at = 0;   // for name_at()
    bool is_function = false;
  };
  // kLinker: those that stripping leaves.
  enum class Which : uint8_t { kAll, kLinker, kBest };

  explicit ElfSymbols(const char* path);                   // a file that is no ELF file has no symbols
  explicit ElfSymbols(std::span<const uint8_t> in_memory)  // of a library that has no file: the vDSO
      : memory_(in_memory), size_(in_memory.size()) {}

  // Calls visit(symbol) for each until it says false. False: the file has no such table.
  bool each(const std::function<bool(const Symbol&)>& visit, Which which = Which::kBest) const;
  std::string name_at(uint64_t offset) const;

  // NT_GNU_BUILD_ID in hexadecimal; empty: the file has none.
  std::string build_id() const;

 private:
  bool read_bytes(uint64_t offset, void* to, size_t size) const;
  template <typename T>
  bool read(uint64_t offset, T& to) const {
    return read_bytes(offset, &to, sizeof to);
  }
  bool each_of(uint32_t section_type, const std::function<bool(const Symbol&)>& visit) const;
  template <typename Header, typename Visit>
  bool each_header(Visit visit) const;

  base::Descriptor file_;
  std::span<const uint8_t> memory_;
  uint64_t size_ = 0;
};

// Of the bytes of a note segment or section. id: where among them it is.
std::string build_id_in(std::span<const uint8_t> notes, std::span<const uint8_t>* id = nullptr);

}  // namespace rec
