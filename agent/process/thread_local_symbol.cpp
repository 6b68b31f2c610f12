// SPDX-License-Identifier: Apache-2.0
#include "agent/process/thread_local_symbol.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstring>

#include "agent/process/dynamic_section.h"

namespace rec::agent {
namespace {

// DJB's, as the gABI's DT_GNU_HASH has it.
uint32_t gnu_hash(const char* name) {
  uint32_t hash = 5381;
  for (; *name != 0; ++name) hash = hash * 33 + static_cast<uint8_t>(*name);
  return hash;
}

// The exported names of a loaded library.
class ExportedNames {
 public:
  explicit ExportedNames(const dl_phdr_info& info) {
    const DynamicSection section(info);
    section.each([&](auto tag, uintptr_t value) {
      if (tag == DT_SYMTAB) symbols_ = section.at<ElfW(Sym)>(value);
      if (tag == DT_STRTAB) names_ = section.at<char>(value);
      if (tag == DT_GNU_HASH) hashes_ = section.at<uint32_t>(value);
    });
  }

  // header: buckets, the first symbol that is hashed, words of the filter; then filter, buckets, and a chain a bucket,
  // whose last word has its lowest bit set.
  const ElfW(Sym) * find_thread_local(const char* name) const {
    if (symbols_ == nullptr || names_ == nullptr || hashes_ == nullptr || hashes_[0] == 0) return nullptr;
    const uint32_t hash = gnu_hash(name), first = hashes_[1];
    const uint32_t* const buckets = hashes_ + 4 + size_t{hashes_[2]} * sizeof(ElfW(Addr)) / sizeof(uint32_t);
    const uint32_t* const chains = buckets + hashes_[0];
    for (uint32_t i = buckets[hash % hashes_[0]]; i >= first && i != 0; ++i) {
      const uint32_t chained = chains[i - first];
      if ((chained | 1) == (hash | 1) && is_thread_local(symbols_[i], name)) return &symbols_[i];
      if ((chained & 1) != 0) break;
    }
    return nullptr;
  }

 private:
  bool is_thread_local(const ElfW(Sym) & symbol, const char* name) const {
    return ELF64_ST_TYPE(symbol.st_info) == STT_TLS && symbol.st_shndx != SHN_UNDEF &&
           std::strcmp(names_ + symbol.st_name, name) == 0;
  }

  const ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
  const uint32_t* hashes_ = nullptr;
};

}  // namespace

ThreadLocalSymbol find_thread_local(const char* name) {
  struct Search {
    const char* name;
    ThreadLocalSymbol found;
  } search{name, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* search_at) {
        auto& [wanted, found] = *static_cast<Search*>(search_at);
        if (info->dlpi_tls_modid == 0) return 0;
        const ElfW(Sym)* const symbol = ExportedNames(*info).find_thread_local(wanted);
        if (symbol != nullptr) found = {info->dlpi_name, info->dlpi_tls_modid, symbol->st_value};
        return symbol != nullptr ? 1 : 0;
      },
      &search);
  return search.found;
}

ThreadLocalVariable::ThreadLocalVariable(const ThreadLocalSymbol& symbol, const char* name)
    : name_(name),
      library_(dlopen(symbol.library.empty() ? nullptr : symbol.library.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {}

ThreadLocalVariable::~ThreadLocalVariable() {
  if (library_ != nullptr) dlclose(library_);
}

uint64_t ThreadLocalVariable::address() const {
  return library_ == nullptr ? 0 : reinterpret_cast<uint64_t>(dlsym(library_, name_));
}

}  // namespace rec::agent
