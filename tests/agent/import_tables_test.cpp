// SPDX-License-Identifier: Apache-2.0
// Calls between libraries, led to a function of ours and back.
#include "agent/process/import_tables.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

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
