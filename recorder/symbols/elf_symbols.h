// SPDX-License-Identifier: Apache-2.0
// ElfSymbols reads the symbols of a library's file (ELF gABI, chapter 4): all of them, and where the file was stripped
// those for the dynamic linker. The file is read and not mapped: whoever cuts a mapped one short ends the process that
// looks. A file is a stranger: what lies outside of it, or does not fit, is no symbol; check() tells who wants to know.
// Ordinary threads; allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/mapped_files.h"
#include "base/result.h"

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
  // Of what has no build id: is it that file?
  bool is(const base::FileIdentity& identity) const { return base::is_file(file_.fd(), identity); }
  base::FileStamp stamp() const { return base::stamp_of(file_.fd()); }

  // kCorrupt, with the place: what leads to the symbols cannot be read, or lies outside of the file.
  base::Status check() const;
  // The section of that name; empty: there is none. kCorrupt: it is not all there, or has more bytes than that.
  struct Section {
    uint64_t at = 0;  // in the file
    std::vector<uint8_t> bytes;
  };
  base::Result<Section> section(std::string_view name, uint64_t most_bytes) const;

 private:
  // A table of symbols, in the file.
  struct Table {
    uint64_t at = 0, count = 0;  // none: the file has no such table
    uint64_t names_at = 0, names_size = 0;
    std::vector<uint64_t> section_ends;  // addresses
  };
  bool read_bytes(uint64_t offset, void* to, size_t size) const;
  template <typename T>
  bool read(uint64_t offset, T& to) const {
    return read_bytes(offset, &to, sizeof to);
  }
  bool has(uint64_t offset, uint64_t size) const { return offset <= size_ && size <= size_ - offset; }
  bool each_of(uint32_t section_type, const std::function<bool(const Symbol&)>& visit) const;
  base::Result<Table> table_of(uint32_t section_type) const;
  // Calls visit(header, its place) for each section or segment until it says false.
  template <typename Header, typename Visit>
  base::Status each_header(Visit visit) const;
  std::string build_id_at(uint64_t notes, uint64_t size) const;

  base::Descriptor file_;
  std::span<const uint8_t> memory_;
  uint64_t size_ = 0;
};

// Of the bytes of a note segment or section. id: where among them it is.
std::string build_id_in(std::span<const uint8_t> notes, std::span<const uint8_t>* id = nullptr);

}  // namespace rec
