// SPDX-License-Identifier: Apache-2.0
#include "agent/process/elf_symbols.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace rec::agent {
namespace {

constexpr size_t kMaxSymbolName = 1024;

}  // namespace

template <typename T>
bool ElfSymbols::read(uint64_t offset, T& to) const {
  const std::span<const uint8_t> file = file_.bytes();
  if (offset > file.size() || sizeof to > file.size() - offset) return false;
  std::memcpy(&to, file.data() + offset, sizeof to);
  return true;
}

void ElfSymbols::each(const std::function<bool(const Symbol&)>& visit) const {
  if (!each_of(SHT_SYMTAB, visit)) each_of(SHT_DYNSYM, visit);
}

// False: the file has no such table.
bool ElfSymbols::each_of(uint32_t section_type, const std::function<bool(const Symbol&)>& visit) const {
  const std::span<const uint8_t> file = file_.bytes();
  Elf64_Ehdr header;
  if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr symbols, names;
    if (!read(header.e_shoff + i * sizeof symbols, symbols)) return false;
    if (symbols.sh_type != section_type) continue;
    if (!read(header.e_shoff + symbols.sh_link * sizeof names, names)) return false;
    if (names.sh_offset > file.size() || names.sh_size > file.size() - names.sh_offset) return false;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      if (!read(symbols.sh_offset + at, symbol)) break;
      if (symbol.st_value == 0 || symbol.st_name >= names.sh_size) continue;
      const char* name = reinterpret_cast<const char*>(file.data() + names.sh_offset + symbol.st_name);
      const size_t room = std::min<size_t>(names.sh_size - symbol.st_name, kMaxSymbolName);
      if (!visit({std::string_view(name, strnlen(name, room)), symbol.st_value, symbol.st_size})) break;
    }
    return true;
  }
  return false;
}

}  // namespace rec::agent
