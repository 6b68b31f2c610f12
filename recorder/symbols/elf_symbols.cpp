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
  if (offset > size_ || size > size_ - offset) return false;
  if (!file_) return std::memcpy(to, memory_.data() + offset, size), true;
  return base::read_all_at(file_.fd(), to, size, offset);
}

// Calls visit(header) for each section or segment until it says false.
template <typename Header, typename Visit>
bool ElfSymbols::each_header(Visit visit) const {
  constexpr bool kSections = sizeof(Header) == sizeof(Elf64_Shdr);
  Elf64_Ehdr file;
  if (!read(0, file) || std::memcmp(file.e_ident, ELFMAG, SELFMAG) != 0) return false;
  const uint64_t count = kSections ? file.e_shnum : file.e_phnum, begin = kSections ? file.e_shoff : file.e_phoff;
  for (uint64_t i = 0; i < count; ++i) {
    Header header;
    if (!read(begin + i * sizeof header, header)) return false;
    if (!visit(header)) return true;
  }
  return true;
}

bool ElfSymbols::each(const std::function<bool(const Symbol&)>& visit, Which which) const {
  if (which != Which::kLinker && each_of(SHT_SYMTAB, visit)) return true;
  return which != Which::kAll && each_of(SHT_DYNSYM, visit);
}

bool ElfSymbols::each_of(uint32_t section_type, const std::function<bool(const Symbol&)>& visit) const {
  Elf64_Ehdr file;
  Elf64_Shdr table{}, texts{};
  std::vector<uint64_t> ends;  // of the sections
  if (!read(0, file)) return false;
  each_header<Elf64_Shdr>([&](const Elf64_Shdr& section) {
    if (section.sh_type == section_type && table.sh_type == 0) table = section;
    ends.push_back(section.sh_addr + section.sh_size);
    return true;
  });
  if (table.sh_type == 0 || !read(file.e_shoff + table.sh_link * sizeof texts, texts)) return false;
  if (texts.sh_size > kMaxNames || texts.sh_offset > size_ || texts.sh_size > size_ - texts.sh_offset) return false;
  std::vector<char> names(texts.sh_size);
  if (!read_bytes(texts.sh_offset, names.data(), names.size())) return false;
  std::vector<Elf64_Sym> some(kSymbolsAtOnce);
  for (uint64_t left = table.sh_size / sizeof(Elf64_Sym), at = table.sh_offset; left > 0;) {
    const uint64_t count = std::min(left, kSymbolsAtOnce);
    if (!read_bytes(at, some.data(), count * sizeof(Elf64_Sym))) break;
    for (uint64_t i = 0; i < count; ++i) {
      const Elf64_Sym& symbol = some[i];
      if (symbol.st_value == 0 || symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names.size()) continue;
      const char* name = names.data() + symbol.st_name;
      const std::string_view text(name, strnlen(name, std::min(names.size() - symbol.st_name, kMaxSymbolName)));
      const unsigned type = ELF64_ST_TYPE(symbol.st_info);
      const bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
      const uint64_t end = symbol.st_shndx < ends.size() ? ends[symbol.st_shndx] : 0;
      const uint64_t most = end > symbol.st_value ? end - symbol.st_value : 0;
      if (!visit({text, symbol.st_value, symbol.st_size, most, texts.sh_offset + symbol.st_name, is_function}))
        return true;
    }
    left -= count;
    at += count * sizeof(Elf64_Sym);
  }
  return true;
}

std::string ElfSymbols::name_at(uint64_t offset) const {
  if (offset >= size_) return {};
  std::string name(std::min<uint64_t>(kMaxSymbolName, size_ - offset), '\0');
  if (!read_bytes(offset, name.data(), name.size())) return {};
  name.resize(strnlen(name.data(), name.size()));
  return name;
}

std::string ElfSymbols::build_id() const {
  std::string found;
  each_header<Elf64_Phdr>([&](const Elf64_Phdr& segment) {
    if (segment.p_type != PT_NOTE) return true;
    std::vector<uint8_t> notes(std::min<uint64_t>(segment.p_filesz, kMaxNotes));
    if (read_bytes(segment.p_offset, notes.data(), notes.size())) found = build_id_in(notes);
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
