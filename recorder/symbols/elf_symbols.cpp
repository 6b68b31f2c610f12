// SPDX-License-Identifier: Apache-2.0
#include "recorder/symbols/elf_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/file_io.h"
#include "base/hexadecimal.h"
#include "base/mapped_vector.h"

namespace rec {
namespace {

constexpr size_t kMaxSymbolName = 2048;
constexpr uint64_t kMaxNames = 256u << 20;  // bytes of a table of names
constexpr uint64_t kMaxNotes = 4096;
constexpr uint64_t kSymbolsAtOnce = 4096;

}  // namespace

ElfSymbols::ElfSymbols(const char* path) : file_(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat st {};
  if (file_ && fstat(file_.fd(), &st) == 0 && S_ISREG(st.st_mode)) size_ = static_cast<uint64_t>(st.st_size);
}

bool ElfSymbols::read_bytes(uint64_t offset, void* to, size_t size) const {
  if (!has(offset, size)) return false;
  if (size == 0) return true;
  if (!file_) return std::memcpy(to, memory_.data() + offset, size), true;
  return base::read_all_at(file_.fd(), to, size, offset);
}

template <typename Header, typename Visit>
base::Status ElfSymbols::each_header(Visit visit) const {
  constexpr bool kSections = sizeof(Header) == sizeof(Elf64_Shdr);
  Elf64_Ehdr file;
  if (!read(0, file) || std::memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 || file.e_ident[EI_CLASS] != ELFCLASS64)
    return base::corrupt(0, "is no ELF file of 64 bits");
  const uint64_t count = kSections ? file.e_shnum : file.e_phnum, begin = kSections ? file.e_shoff : file.e_phoff;
  for (uint64_t i = 0; i < count; ++i) {
    Header header;
    const uint64_t at = begin + i * sizeof header;
    if (!read(at, header))
      return base::corrupt(at, kSections ? "a section's header lies outside of the file"
                                         : "a segment's header lies outside of the file");
    if (!visit(header, at)) break;
  }
  return base::Done{};
}

bool ElfSymbols::each(const std::function<bool(const Symbol&)>& visit, Which which) const {
  if (which != Which::kLinker && each_of(SHT_SYMTAB, visit)) return true;
  return which != Which::kAll && each_of(SHT_DYNSYM, visit);
}

base::Result<ElfSymbols::Table> ElfSymbols::table_of(uint32_t section_type) const {
  Table table;
  uint64_t header_at = 0;
  Elf64_Shdr symbols{}, names{};
  const base::Status read_all = each_header<Elf64_Shdr>([&](const Elf64_Shdr& section, uint64_t at) {
    if (section.sh_type == section_type && header_at == 0) symbols = section, header_at = at;
    table.section_ends.push_back(section.sh_addr + section.sh_size);
    return true;
  });
  if (!read_all) return read_all.error();
  if (header_at == 0) return table;
  if (!has(symbols.sh_offset, symbols.sh_size)) return base::corrupt(header_at, "symbols lie outside of the file");
  Elf64_Ehdr file;
  if (symbols.sh_link >= table.section_ends.size() || !read(0, file) ||
      !read(file.e_shoff + symbols.sh_link * sizeof names, names) || !has(names.sh_offset, names.sh_size) ||
      names.sh_size > kMaxNames)
    return base::corrupt(header_at, "the names of the symbols lie outside of the file");
  table.at = symbols.sh_offset;
  table.count = symbols.sh_size / sizeof(Elf64_Sym);
  table.names_at = names.sh_offset;
  table.names_size = names.sh_size;
  return table;
}

namespace {

ElfSymbols::Symbol symbol_of(const Elf64_Sym& from, const base::MappedVector<char>& names, uint64_t names_at,
                             const std::vector<uint64_t>& section_ends) {
  ElfSymbols::Symbol symbol;
  const char* name = names.data() + from.st_name;
  symbol.name = {name, strnlen(name, std::min(names.size() - from.st_name, kMaxSymbolName))};
  symbol.value = from.st_value;
  symbol.size = from.st_size;
  const uint64_t end = from.st_shndx < section_ends.size() ? section_ends[from.st_shndx] : 0;
  symbol.most = end > from.st_value ? end - from.st_value : 0;
  symbol.name_at = names_at + from.st_name;
  const unsigned type = ELF64_ST_TYPE(from.st_info);
  symbol.is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
  return symbol;
}

}  // namespace

bool ElfSymbols::each_of(uint32_t section_type, const std::function<bool(const Symbol&)>& visit) const {
  const base::Result<Table> table = table_of(section_type);
  if (!table || table->count == 0) return false;
  base::MappedVector<char> names(table->names_size);
  if (!read_bytes(table->names_at, names.data(), names.size())) return false;
  std::vector<Elf64_Sym> some(kSymbolsAtOnce);
  for (uint64_t begin = 0; begin < table->count; begin += kSymbolsAtOnce) {
    some.resize(std::min(table->count - begin, kSymbolsAtOnce));
    if (!read_bytes(table->at + begin * sizeof(Elf64_Sym), some.data(), some.size() * sizeof(Elf64_Sym))) break;
    for (const Elf64_Sym& each : some) {
      if (each.st_value == 0 || each.st_shndx == SHN_UNDEF || each.st_name >= names.size()) continue;
      if (!visit(symbol_of(each, names, table->names_at, table->section_ends))) return true;
    }
  }
  return true;
}

base::Status ElfSymbols::check() const {
  for (const uint32_t type : {SHT_SYMTAB, SHT_DYNSYM})
    if (const base::Result<Table> table = table_of(type); !table) return table.error();
  return base::Done{};
}

base::Result<ElfSymbols::Section> ElfSymbols::section(std::string_view name, uint64_t most_bytes) const {
  Elf64_Ehdr file;
  Elf64_Shdr names{}, found{};
  uint64_t header_at = 0;
  if (!read(0, file) || !read(file.e_shoff + uint64_t{file.e_shstrndx} * sizeof names, names)) return Section{};
  const base::Status read_all = each_header<Elf64_Shdr>([&](const Elf64_Shdr& section, uint64_t at) {
    if (name_at(names.sh_offset + section.sh_name) != name) return true;
    found = section, header_at = at;
    return false;
  });
  if (!read_all) return read_all.error();
  if (header_at == 0) return Section{};
  const bool fits = has(found.sh_offset, found.sh_size) && found.sh_size <= most_bytes;
  if (!fits) return base::corrupt(header_at, std::string(name) + " lies outside of the file, or is too large");
  Section section{found.sh_offset, std::vector<uint8_t>(found.sh_size)};
  if (!read_bytes(section.at, section.bytes.data(), section.bytes.size())) return base::system_error("cannot read");
  return section;
}

std::string ElfSymbols::name_at(uint64_t offset) const {
  if (offset >= size_) return {};
  std::string name(std::min<uint64_t>(kMaxSymbolName, size_ - offset), '\0');
  if (!read_bytes(offset, name.data(), name.size())) return {};
  name.resize(strnlen(name.data(), name.size()));
  return name;
}

std::string ElfSymbols::build_id_at(uint64_t at, uint64_t size) const {
  std::vector<uint8_t> notes(std::min(size, kMaxNotes));
  return read_bytes(at, notes.data(), notes.size()) ? build_id_in(notes) : std::string();
}

// By the segments, as of what runs. Those of a debug file may lead nowhere: then by its sections.
std::string ElfSymbols::build_id() const {
  std::string found;
  (void)each_header<Elf64_Phdr>([&](const Elf64_Phdr& segment, uint64_t) {
    if (segment.p_type == PT_NOTE) found = build_id_at(segment.p_offset, segment.p_filesz);
    return found.empty();
  });
  if (!found.empty()) return found;
  (void)each_header<Elf64_Shdr>([&](const Elf64_Shdr& section, uint64_t) {
    if (section.sh_type == SHT_NOTE) found = build_id_at(section.sh_offset, section.sh_size);
    return found.empty();
  });
  return found;
}

std::string build_id_in(std::span<const uint8_t> notes, std::span<const uint8_t>* id) {
  const auto padded = [](uint64_t size) { return (size + 3) & ~uint64_t{3}; };
  for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data() + at, sizeof note);
    const uint64_t name = at + sizeof note, data = name + padded(note.n_namesz), end = data + padded(note.n_descsz);
    if (end > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes.data() + name, "GNU", 4) == 0) {
      const std::span<const uint8_t> found = notes.subspan(data, note.n_descsz);
      if (id != nullptr) *id = found;
      return base::hexadecimal(found);
    }
    at = end;
  }
  return {};
}

}  // namespace rec
