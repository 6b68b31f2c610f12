// SPDX-License-Identifier: Apache-2.0
#include "agent/elf_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace rec::agent {
namespace {

constexpr size_t kMaxName = 1024;

}  // namespace

ElfSymbols::ElfSymbols(const char* path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  struct stat st {};
  if (fstat(fd, &st) == 0 && st.st_size > 0) {
    void* at = mmap(nullptr, static_cast<size_t>(st.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
    if (at != MAP_FAILED) at_ = static_cast<const uint8_t*>(at), size_ = static_cast<size_t>(st.st_size);
  }
  close(fd);
}

ElfSymbols::~ElfSymbols() {
  if (at_ != nullptr) munmap(const_cast<uint8_t*>(at_), size_);
}

template <typename T>
bool ElfSymbols::read(uint64_t offset, T& to) const {
  if (at_ == nullptr || offset > size_ || sizeof to > size_ - offset) return false;
  std::memcpy(&to, at_ + offset, sizeof to);
  return true;
}

void ElfSymbols::each(const std::function<bool(const Symbol&)>& visit) const {
  if (!each_of(SHT_SYMTAB, visit)) each_of(SHT_DYNSYM, visit);
}

// False: the file has no such table.
bool ElfSymbols::each_of(uint32_t section_type, const std::function<bool(const Symbol&)>& visit) const {
  Elf64_Ehdr header;
  if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr symbols, names;
    if (!read(header.e_shoff + i * sizeof symbols, symbols)) return false;
    if (symbols.sh_type != section_type) continue;
    if (!read(header.e_shoff + symbols.sh_link * sizeof names, names)) return false;
    if (names.sh_offset > size_ || names.sh_size > size_ - names.sh_offset) return false;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      if (!read(symbols.sh_offset + at, symbol)) break;
      if (symbol.st_value == 0 || symbol.st_name >= names.sh_size) continue;
      const char* name = reinterpret_cast<const char*>(at_ + names.sh_offset + symbol.st_name);
      const size_t room = std::min<size_t>(names.sh_size - symbol.st_name, kMaxName);
      if (!visit({std::string_view(name, strnlen(name, room)), symbol.st_value, symbol.st_size})) break;
    }
    return true;
  }
  return false;
}

}  // namespace rec::agent
