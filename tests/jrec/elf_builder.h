// SPDX-License-Identifier: Apache-2.0
// ElfBuilder writes tiny ELF files: a build id, and functions by name, in .symtab, in .dynsym, or in both.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/format/reader_builder.h"

namespace test {

class ElfBuilder {
 public:
  struct Function {
    std::string name;
    uint64_t address = 0, size = 0;
  };

  ElfBuilder& build_id(const Bytes& id) {
    Bytes note;
    const Elf64_Nhdr head{4, static_cast<Elf64_Word>(id.size()), NT_GNU_BUILD_ID};
    put(note, head);
    note.insert(note.end(), {'G', 'N', 'U', 0});
    note.insert(note.end(), id.begin(), id.end());
    return section(".note.gnu.build-id", SHT_NOTE, note);
  }
  ElfBuilder& symbols(uint32_t type, const std::vector<Function>& functions) {
    Bytes table(sizeof(Elf64_Sym)), names(1);
    for (const Function& each : functions) {
      Elf64_Sym symbol{};
      symbol.st_name = static_cast<Elf64_Word>(names.size());
      symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
      symbol.st_shndx = 1;
      symbol.st_value = each.address;
      symbol.st_size = each.size;
      put(table, symbol);
      names.insert(names.end(), each.name.c_str(), each.name.c_str() + each.name.size() + 1);
    }
    section(type == SHT_SYMTAB ? ".symtab" : ".dynsym", type, table);
    sections_.back().sh_link = static_cast<Elf64_Word>(sections_.size()) + 1;  // the next one, behind the null section
    return section(".strtab", SHT_STRTAB, names);
  }
  ElfBuilder& section(const std::string& name, uint32_t type, const Bytes& bytes) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<Elf64_Word>(names_.size());
    header.sh_type = type;
    header.sh_offset = sizeof(Elf64_Ehdr) + body_.size();
    header.sh_size = bytes.size();
    names_.insert(names_.end(), name.c_str(), name.c_str() + name.size() + 1);
    body_.insert(body_.end(), bytes.begin(), bytes.end());
    sections_.push_back(header);
    return *this;
  }
  Bytes bytes() const {
    ElfBuilder whole = *this;
    whole.section(".shstrtab", SHT_STRTAB, {});
    whole.sections_.back().sh_size = whole.names_.size();
    whole.body_.insert(whole.body_.end(), whole.names_.begin(), whole.names_.end());
    Elf64_Ehdr head{};
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_shoff = sizeof head + whole.body_.size();
    head.e_shnum = static_cast<Elf64_Half>(whole.sections_.size() + 1);
    head.e_shstrndx = static_cast<Elf64_Half>(whole.sections_.size());
    Bytes file;
    put(file, head);
    file.insert(file.end(), whole.body_.begin(), whole.body_.end());
    put(file, Elf64_Shdr{});
    for (const Elf64_Shdr& each : whole.sections_) put(file, each);
    return file;
  }

 private:
  template <typename T>
  static void put(Bytes& to, const T& what) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&what);
    to.insert(to.end(), bytes, bytes + sizeof what);
  }

  Bytes body_, names_ = Bytes(1);
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace test
