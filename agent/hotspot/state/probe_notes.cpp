// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/state/probe_notes.h"

#include <elf.h>

#include <cstdlib>
#include <cstring>

namespace rec::agent {
namespace {

constexpr uint32_t kProbeNote = 3;
constexpr char kOwner[] = "stapsdt";
using Bytes = std::span<const std::byte>;

// Reads a T at an offset that may lie anywhere.
template <typename T>
bool read(Bytes from, uint64_t at, T& to) {
  if (at > from.size() || from.size() - at < sizeof to) return false;
  std::memcpy(&to, from.data() + at, sizeof to);
  return true;
}

Bytes part(Bytes from, uint64_t at, uint64_t size) {
  if (at > from.size() || from.size() - at < size) return {};
  return from.subspan(at, size);
}

// The text at an offset, and the offset behind its 0 byte; false: it does not end.
bool read_text(Bytes from, size_t& at, std::string& text) {
  const size_t begin = at;
  while (at < from.size() && from[at] != std::byte{0}) ++at;
  if (at >= from.size()) return false;
  text.assign(reinterpret_cast<const char*>(from.data()) + begin, at - begin);
  ++at;
  return true;
}

std::string section_name(Bytes elf, const Elf64_Shdr& names, const Elf64_Shdr& section) {
  const Bytes table = part(elf, names.sh_offset, names.sh_size);
  size_t at = section.sh_name;
  std::string name;
  return read_text(table, at, name) ? name : std::string();
}

struct Sections {
  Bytes notes;
  uint64_t base = 0;  // where .stapsdt.base is now: a note says where it was when the note was made
};

Sections find_sections(Bytes elf) {
  Elf64_Ehdr header;
  Sections found;
  if (!read(elf, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return found;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr)) return found;
  Elf64_Shdr names, section;
  if (!read(elf, header.e_shoff + uint64_t{header.e_shstrndx} * sizeof names, names)) return found;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    if (!read(elf, header.e_shoff + i * sizeof section, section)) return {};
    const std::string name = section_name(elf, names, section);
    if (name == ".note.stapsdt") found.notes = part(elf, section.sh_offset, section.sh_size);
    if (name == ".stapsdt.base") found.base = section.sh_addr;
  }
  return found;
}

// pc, base, semaphore, then three texts: provider, name, arguments.
void read_note(Bytes note, uint64_t base, const char* provider, const char* name, std::vector<ProbePlace>& places) {
  uint64_t pc = 0, old_base = 0;
  std::string note_provider, note_name, arguments;
  size_t at = 24;
  if (!read(note, 0, pc) || !read(note, 8, old_base) || !read_text(note, at, note_provider) ||
      !read_text(note, at, note_name) || !read_text(note, at, arguments))
    return;
  if (note_provider != provider || note_name != name) return;
  places.push_back({base == 0 ? pc : pc + (base - old_base), arguments});
}

uint64_t padded(uint64_t size) { return (size + 3) & ~uint64_t{3}; }

}  // namespace

std::vector<ProbePlace> find_probes(Bytes elf, const char* provider, const char* name) {
  std::vector<ProbePlace> places;
  const Sections sections = find_sections(elf);
  Elf64_Nhdr head;
  for (uint64_t at = 0; read(sections.notes, at, head);) {
    const uint64_t owner = at + sizeof head, text = owner + padded(head.n_namesz);
    const Bytes owner_name = part(sections.notes, owner, head.n_namesz);
    if (head.n_type == kProbeNote && owner_name.size() == sizeof kOwner &&
        std::memcmp(owner_name.data(), kOwner, sizeof kOwner) == 0)
      read_note(part(sections.notes, text, head.n_descsz), sections.base, provider, name, places);
    at = text + padded(head.n_descsz);
  }
  return places;
}

MemoryOperand memory_operand(const std::string& arguments, size_t index) {
  size_t begin = 0;
  for (; index > 0; --index) {
    begin = arguments.find(' ', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  const std::string argument = arguments.substr(begin, arguments.find(' ', begin) - begin);
  const size_t at = argument.find('@'), open = argument.find("(%");
  if (at == std::string::npos || open == std::string::npos || argument.back() != ')') return {};
  const std::string displacement = argument.substr(at + 1, open - at - 1);
  char* end = nullptr;
  MemoryOperand operand;
  operand.displacement = std::strtoll(displacement.c_str(), &end, 10);
  if (*end != 0) return {};
  operand.register_name = argument.substr(open + 2, argument.size() - open - 3);
  return operand;
}

}  // namespace rec::agent
