// SPDX-License-Identifier: Apache-2.0
// Calls between libraries, led to a function of ours and back.
#include "agent/process/import_tables.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "agent/process/page_access.h"
#include "tests/thin.h"

using namespace rec::agent;

namespace {

std::atomic<void* (*)(size_t)> libc_malloc{nullptr};
std::atomic<int> malloc_calls{0};

void* counting_malloc(size_t size) {
  malloc_calls.fetch_add(1, std::memory_order_relaxed);
  return libc_malloc.load(std::memory_order_relaxed)(size);
}

HookedImport hooked_malloc() {
  return {"malloc", reinterpret_cast<uintptr_t>(libc_malloc.load()), reinterpret_cast<uintptr_t>(&counting_malloc)};
}

// Of a function that no sanitizer has in front of it.
uintptr_t in_libc() { return reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, "gnu_get_libc_version")); }

// Which memory of files may be written: "begin-end path", a line each, neighbours joined.
std::string writable_files() {
  std::ifstream maps("/proc/self/maps");
  std::string text, line, last_path;
  uint64_t from = 0, to = 0;
  const auto flush = [&] {
    if (to != 0) text += std::to_string(from) + '-' + std::to_string(to) + ' ' + last_path + '\n';
  };
  while (std::getline(maps, line)) {
    const size_t path_at = line.find('/'), dash = line.find('-'), space = line.find(' ');
    if (path_at == std::string::npos || line[space + 2] != 'w') continue;
    const uint64_t begin = std::stoull(line, nullptr, 16), end = std::stoull(line.substr(dash + 1), nullptr, 16);
    const std::string path = line.substr(path_at);
    if (begin != to || path != last_path) flush(), from = begin;
    to = end, last_path = path;
  }
  flush();
  return text;
}

}  // namespace

TEST_CASE("an entry leads to the hook until it is led back, and what is not led stays") {
  libc_malloc = reinterpret_cast<void* (*)(size_t)>(dlsym(RTLD_DEFAULT, "malloc"));
  const HookedImport import = hooked_malloc();
  REQUIRE(import_of(in_libc(), "malloc") == import.behind);

  const ImportCount there = lead_imports({&import, 1}, LeadImports::kToHook);
  const uintptr_t led = import_of(in_libc(), "malloc");
  const int before = malloc_calls;
  char* const text = getcwd(nullptr, 0);  // libc's own call of malloc, by its table
  const int after = malloc_calls;
  const ImportCount again = lead_imports({&import, 1}, LeadImports::kToHook);
  const ImportCount back = lead_imports({&import, 1}, LeadImports::kBack);
  std::free(text);

  CHECK(there.led > 0);
  CHECK(there.refused == 0);
  CHECK(led == import.hook);
  CHECK(after > before);
  CHECK(again.led == 0);
  CHECK(back.led == there.led);
  CHECK(import_of(in_libc(), "malloc") == import.behind);
}

TEST_CASE("memory may be written, or not, as before, also where no file can be opened") {
  libc_malloc = reinterpret_cast<void* (*)(size_t)>(dlsym(RTLD_DEFAULT, "malloc"));
  const HookedImport import = hooked_malloc();
  const std::string before = writable_files();
  rlimit files{}, none{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &files) == 0);
  none.rlim_max = files.rlim_max;
  REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  const ImportCount there = lead_imports({&import, 1}, LeadImports::kToHook);
  const ImportCount back = lead_imports({&import, 1}, LeadImports::kBack);
  REQUIRE(setrlimit(RLIMIT_NOFILE, &files) == 0);
  CHECK(there.led > 0);
  CHECK(back.led == there.led);
  CHECK(before.find(".so") != std::string::npos);
  CHECK(writable_files() == before);
}

// glibc's own, which nothing else loads. Each writes to its data when it goes.
TEST_CASE("libraries that come and go while calls are led to us and back keep their data") {
  libc_malloc = reinterpret_cast<void* (*)(size_t)>(dlsym(RTLD_DEFAULT, "malloc"));
  const HookedImport import = hooked_malloc();
  std::atomic<bool> over{false};
  std::atomic<int> loaded{0};
  std::thread loads([&] {
    while (!over)
      for (const char* name : {"libnss_hesiod.so.2", "libnss_compat.so.2", "libthread_db.so.1", "libBrokenLocale.so.1"})
        if (void* library = dlopen(name, RTLD_LAZY)) ++loaded, dlclose(library);
  });
  constexpr int kMany = 200 / ::test::kThin;
  uint32_t refused = 0;
  for (int i = 0; i < 200 || (loaded < kMany && i < 20'000); ++i) {
    refused += lead_imports({&import, 1}, LeadImports::kToHook).refused;
    refused += lead_imports({&import, 1}, LeadImports::kBack).refused;
  }
  over = true;
  loads.join();
  CHECK(refused == 0);
}

TEST_CASE("what a page allows is known at the moment") {
  const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  auto* const page =
      static_cast<uint32_t*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  *page = 12345;
  CHECK(access_of(page) == PageAccess::kWritable);
  CHECK(*page == 12345);
  mprotect(page, size, PROT_READ);
  CHECK(access_of(page) == PageAccess::kReadOnly);
  mprotect(page, size, PROT_NONE);
  CHECK(access_of(page) == PageAccess::kReadOnly);
  munmap(page, size);
  CHECK(access_of(page) == PageAccess::kReadOnly);
  CHECK(access_of(reinterpret_cast<char*>(page) + 1) == PageAccess::kUnknown);
}

TEST_CASE("an entry that leads elsewhere is somebody else's, and one library can be meant alone") {
  // Every library imports it, and no binding of it is put off.
  HookedImport import{"__cxa_finalize", reinterpret_cast<uintptr_t>(&getcwd),
                      reinterpret_cast<uintptr_t>(&counting_malloc)};
  const ImportCount count = lead_imports({&import, 1}, LeadImports::kToHook);
  CHECK(count.led == 0);
  CHECK(count.elsewhere > 0);
  import.only_in = reinterpret_cast<uintptr_t>(&import);  // the stack: no library
  CHECK(lead_imports({&import, 1}, LeadImports::kToHook).elsewhere == 0);
  CHECK(import_of(reinterpret_cast<uintptr_t>(&import), "malloc") == 0);
}
