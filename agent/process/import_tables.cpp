// SPDX-License-Identifier: Apache-2.0
#include "agent/process/import_tables.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>

#include "agent/process/dynamic_section.h"
#include "agent/process/page_access.h"
#include "agent/process/page_size.h"

namespace rec::agent {
namespace {

// The relocations that bind a name: a call's entry, an address's entry, an address anywhere in the data.
#if defined(__aarch64__)
constexpr unsigned kJumpSlot = R_AARCH64_JUMP_SLOT, kAddress = R_AARCH64_GLOB_DAT, kAbsolute = R_AARCH64_ABS64;
#else
constexpr unsigned kJumpSlot = R_X86_64_JUMP_SLOT, kAddress = R_X86_64_GLOB_DAT, kAbsolute = R_X86_64_64;
#endif

constexpr int kNextLibrary = 0;

// The parts of a loaded library that tell its imports, as its dynamic section has them.
class Library {
 public:
  explicit Library(const dl_phdr_info& info) : base_(info.dlpi_addr), segments_(info.dlpi_phdr, info.dlpi_phnum) {
    for (const ElfW(Phdr) & segment : segments_) {
      const uintptr_t begin = base_ + segment.p_vaddr;
      if (segment.p_type == PT_GNU_RELRO) relro_begin_ = begin, relro_end_ = begin + segment.p_memsz;
      if (segment.p_type != PT_LOAD) continue;
      begin_ = std::min(begin_, begin);
      end_ = std::max(end_, begin + segment.p_memsz);
    }
    read_dynamic(DynamicSection(info));
  }

  bool has(uintptr_t address) const { return address >= begin_ && address < end_; }
  // In a segment that is written while the library is loaded.
  bool is_data(const void* at) const {
    const uintptr_t offset = reinterpret_cast<uintptr_t>(at) - base_;
    return std::ranges::any_of(segments_, [=](const ElfW(Phdr) & segment) {
      return segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0 && offset - segment.p_vaddr < segment.p_memsz;
    });
  }
  bool becomes_read_only(const void* at) const {
    const auto address = reinterpret_cast<uintptr_t>(at);
    return address >= relro_begin_ && address < relro_end_;
  }

  // Calls visit(name, entry, is_bound) for each imported function's entry.
  template <typename Visit>
  void each_import(Visit visit) const {
    if (symbols_ == nullptr || names_ == nullptr) return;
    // What is relative to the library's base has no name, and comes first.
    for (size_t i = std::min(relative_, relocation_count_); i < relocation_count_; ++i) import(relocations_[i], visit);
    for (size_t i = 0; i < jump_slot_count_; ++i) import(jump_slots_[i], visit);
  }

 private:
  void read_dynamic(const DynamicSection& section) {
    section.each([&](auto tag, uintptr_t value) {
      switch (tag) {
        case DT_SYMTAB: symbols_ = section.at<ElfW(Sym)>(value); break;
        case DT_STRTAB: names_ = section.at<char>(value); break;
        case DT_RELA: relocations_ = section.at<ElfW(Rela)>(value); break;
        case DT_RELASZ: relocation_count_ = value / sizeof(ElfW(Rela)); break;
        case DT_RELACOUNT: relative_ = value; break;
        case DT_JMPREL: jump_slots_ = section.at<ElfW(Rela)>(value); break;
        case DT_PLTRELSZ: jump_slot_count_ = value / sizeof(ElfW(Rela)); break;
        default: break;
      }
    });
    if (relocations_ == nullptr) relocation_count_ = 0;
    if (jump_slots_ == nullptr) jump_slot_count_ = 0;
  }

  template <typename Visit>
  void import(const ElfW(Rela) & relocation, Visit visit) const {
    const auto type = ELF64_R_TYPE(relocation.r_info);
    const bool is_function = type == kJumpSlot;
    if (!is_function && type != kAddress && type != kAbsolute) return;
    if (type == kAbsolute && relocation.r_addend != 0) return;
    const ElfW(Sym)& symbol = symbols_[ELF64_R_SYM(relocation.r_info)];
    const auto entry = reinterpret_cast<uintptr_t*>(base_ + relocation.r_offset);
    // Bound lazily: to the library's own code that binds it.
    const bool is_bound = !(is_function && symbol.st_shndx == SHN_UNDEF && has(*entry));
    visit(names_ + symbol.st_name, entry, is_bound);
  }

  const uintptr_t base_;
  const std::span<const ElfW(Phdr)> segments_;
  uintptr_t begin_ = UINTPTR_MAX, end_ = 0, relro_begin_ = 0, relro_end_ = 0;
  const ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
  const ElfW(Rela) * relocations_ = nullptr, *jump_slots_ = nullptr;
  size_t relocation_count_ = 0, jump_slot_count_ = 0, relative_ = 0;
};

template <typename Visit>
void each_library(Visit visit) {
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* visit_at) {
        (*static_cast<Visit*>(visit_at))(Library(*info));
        return kNextLibrary;
      },
      &visit);
}

// A function that is libc's whoever stands in front of malloc.
uintptr_t inside_libc() { return reinterpret_cast<uintptr_t>(&getauxval); }

class Leader {
 public:
  Leader(std::span<const HookedImport> imports, LeadImports where) : imports_(imports), where_(where) {}

  void lead(const Library& library) {
    if (is_left_alone(library)) return;
    library.each_import([&](const char* name, uintptr_t* entry, bool is_bound) {
      for (const HookedImport& import : imports_)
        if ((import.only_in == 0 || library.has(import.only_in)) && std::strcmp(name, import.name) == 0)
          return lead(import, library, entry, is_bound);
    });
  }

  ImportCount count;

 private:
  bool is_left_alone(const Library& library) const {
    if (library.has(getauxval(AT_BASE))) return true;
    const auto has_one = [&](const HookedImport& import) {
      return library.has(import.hook) || (library.has(import.behind) && !library.has(inside_libc()));
    };
    return std::ranges::any_of(imports_, has_one);
  }

  void lead(const HookedImport& import, const Library& library, uintptr_t* entry, bool is_bound) {
    const bool to_hook = where_ == LeadImports::kToHook;
    const uintptr_t from = to_hook ? import.behind : import.hook, to = to_hook ? import.hook : import.behind;
    const uintptr_t seen = *entry;
    if (seen == to || (!to_hook && !is_bound)) return;
    if (seen != from && is_bound) return void(++count.elsewhere);
    if (write(library, entry, seen, to))
      ++count.led;
    else
      ++count.refused;
  }

  // release: pairs with the calls that come through the entry: what the hook needs was there before.
  static void exchange(uintptr_t* entry, uintptr_t seen, uintptr_t to) {
    std::atomic_ref(*entry).compare_exchange_strong(seen, to, std::memory_order_release, std::memory_order_relaxed);
  }

  // What the page allows is asked now, while the list of libraries is locked and this one stays. The loader may just be about
  // to make it read-only: so it is made writable in any case. What was writable, or may have been, is not made read-only.
  static bool write(const Library& library, uintptr_t* entry, uintptr_t seen, uintptr_t to) {
    const PageAccess access = access_of(entry);
    if (access == PageAccess::kWritable && !library.becomes_read_only(entry)) return exchange(entry, seen, to), true;
    if (access == PageAccess::kUnknown || !library.is_data(entry)) return false;
    const auto page_size = static_cast<uintptr_t>(kPageBytes);
    const auto page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(entry) / page_size * page_size);
    if (mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return false;
    exchange(entry, seen, to);
    if (access == PageAccess::kReadOnly) mprotect(page, page_size, PROT_READ);
    return true;
  }

  const std::span<const HookedImport> imports_;
  const LeadImports where_;
};

}  // namespace

ImportCount lead_imports(std::span<const HookedImport> imports, LeadImports where) {
  Leader leader(imports, where);
  each_library([&](const Library& library) { leader.lead(library); });
  return leader.count;
}

uintptr_t import_of(uintptr_t inside, const char* name) {
  uintptr_t found = 0;
  each_library([&](const Library& library) {
    if (found != 0 || !library.has(inside)) return;
    library.each_import([&](const char* each, uintptr_t* entry, bool is_bound) {
      if (found == 0 && is_bound && std::strcmp(each, name) == 0) found = *entry;
    });
  });
  return found;
}

}  // namespace rec::agent
