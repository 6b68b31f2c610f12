// SPDX-License-Identifier: Apache-2.0
#include "agent/hooks/own_native.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "agent/process/loaded_libraries.h"

namespace rec::agent {
namespace {

constexpr int kNextLibrary = 0;
constexpr std::string_view kOwnLibraries[] = {"libjvm.so", "libjava.so"};

bool is_own_library(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::find(std::begin(kOwnLibraries), std::end(kOwnLibraries), name) != std::end(kOwnLibraries);
}

struct Wanted {
  const char *name, *descriptor;
  uint64_t found = 0;
};

// Inside of dl_iterate_phdr(): it stays meanwhile.
class Library {
 public:
  explicit Library(const dl_phdr_info& info) : info_(info) {}

  uint64_t in_tables(const Wanted& wanted) const {
    for (int i = 0; i < info_.dlpi_phnum; ++i)
      if (const ElfW(Phdr)& segment = info_.dlpi_phdr[i]; segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0)
        if (const uint64_t function = in_data(segment, wanted); function != 0) return function;
    return 0;
  }

 private:
  uint64_t in_data(const ElfW(Phdr) & segment, const Wanted& wanted) const {
    const auto words = reinterpret_cast<const uint64_t*>(info_.dlpi_addr + segment.p_vaddr);
    for (size_t i = 0; (i + 3) * sizeof *words <= segment.p_filesz; ++i)
      if (is_text(words[i], wanted.name) && is_text(words[i + 1], wanted.descriptor)) return words[i + 2];
    return 0;
  }

  bool is_text(uint64_t address, const char* text) const {
    const size_t size = std::strlen(text) + 1;
    return is_readable(address, size) && std::memcmp(reinterpret_cast<const void*>(address), text, size) == 0;
  }

  bool is_readable(uint64_t address, size_t size) const {
    const auto has = [&](const ElfW(Phdr) & segment) {
      const uint64_t begin = info_.dlpi_addr + segment.p_vaddr;
      return segment.p_type == PT_LOAD && (segment.p_flags & PF_R) != 0 && address >= begin &&
             address - begin < segment.p_filesz && size <= segment.p_filesz - (address - begin);
    };
    return std::any_of(info_.dlpi_phdr, info_.dlpi_phdr + info_.dlpi_phnum, has);
  }

  const dl_phdr_info& info_;
};

uint64_t by_name(const char* klass, const char* name) {
  std::string symbol = std::string("Java_") + klass + "_" + name;
  std::replace(symbol.begin(), symbol.end(), '/', '_');
  uint64_t found = 0;
  for (const LoadedLibrary& each : loaded_libraries()) {
    if (found != 0 || !is_own_library(each.name)) continue;
    void* const library = dlopen(each.name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    found = reinterpret_cast<uint64_t>(dlsym(library, symbol.c_str()));
    dlclose(library);
  }
  return found;
}

uint64_t by_table(const char* name, const char* descriptor) {
  Wanted wanted{name, descriptor};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* wanted_at) {
        auto& one = *static_cast<Wanted*>(wanted_at);
        if (one.found == 0 && is_own_library(info->dlpi_name)) one.found = Library(*info).in_tables(one);
        return kNextLibrary;
      },
      &wanted);
  return wanted.found;
}

}  // namespace

bool is_own_native(uint64_t function) {
  Dl_info here{};
  return function != 0 && dladdr(reinterpret_cast<const void*>(function), &here) != 0 && here.dli_fname != nullptr &&
         is_own_library(here.dli_fname);
}

uint64_t own_native(const char* klass, const char* name, const char* descriptor) {
  const uint64_t function = by_name(klass, name);
  return function != 0 ? function : by_table(name, descriptor);
}

}  // namespace rec::agent
