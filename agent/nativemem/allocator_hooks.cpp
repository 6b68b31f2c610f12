// SPDX-License-Identifier: Apache-2.0
#include "agent/nativemem/allocator_hooks.h"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>

#include "agent/process/seen_by_all.h"

namespace rec::agent {
namespace {

constinit MallocSampling sampling;

// A function behind a hook; never null once the hook stands anywhere.
template <typename Signature>
struct Behind;
template <typename Result, typename... Arguments>
struct Behind<Result(Arguments...)> {
  std::atomic<Result (*)(Arguments...)> function{nullptr};
  Result operator()(Arguments... arguments) const { return function.load(std::memory_order_relaxed)(arguments...); }
};

constinit Behind<void*(size_t)> the_malloc;
constinit Behind<void*(size_t, size_t)> the_calloc;
constinit Behind<void*(void*, size_t)> the_realloc;
constinit Behind<int(void**, size_t, size_t)> the_posix_memalign;
constinit Behind<void*(size_t, size_t)> the_aligned_alloc;
constinit Behind<void*(size_t, size_t)> the_memalign;
constinit Behind<void(void*)> the_free;
constinit Behind<void*(const char*, int)> the_dlopen;

constinit std::mutex tables;               // of imports
constinit std::atomic<bool> stand{false};  // hooks; written under that
constinit bool has_free = false;           // under that, too

void lead_to_hooks();

void* told(void* at, size_t size) {
  sampling.allocated(at, size);
  return at;
}

void* on_malloc(size_t size) { return told(the_malloc(size), size); }

// Where it succeeds, the product is no more than memory has bytes.
void* on_calloc(size_t count, size_t size) { return told(the_calloc(count, size), count * size); }

// Of no bytes, it frees.
void* on_realloc(void* old, size_t size) {
  if (!sampling.may_follow(old)) return told(the_realloc(old, size), size);
  const MallocSampling::Taken taken = sampling.taken(old);
  void* const at = the_realloc(old, size);
  if (at != nullptr || size == 0)
    sampling.freed(old, taken);
  else
    sampling.kept(old, taken);
  return told(at, size);
}

int on_posix_memalign(void** to, size_t alignment, size_t size) {
  const int error = the_posix_memalign(to, alignment, size);
  if (error == 0) sampling.allocated(*to, size);
  return error;
}

void* on_aligned_alloc(size_t alignment, size_t size) { return told(the_aligned_alloc(alignment, size), size); }
void* on_memalign(size_t alignment, size_t size) { return told(the_memalign(alignment, size), size); }

void on_free(void* at) {
  sampling.freed(at);
  the_free(at);
}

// Of a path, dlopen does not care who calls it.
void* on_dlopen(const char* name, int mode) {
  if (name == nullptr || std::strchr(name, '/') == nullptr || !stand.load(std::memory_order_relaxed))
    return the_dlopen(name, mode);  // by a jump: the caller is who called us
  void* const library = the_dlopen(name, mode);
  if (library != nullptr) {
    sampling.library_came();
    lead_to_hooks();
  }
  return library;
}

uintptr_t vm_address() { return reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs")); }

// What an entry of the VM leads to; where it has none, what a library would find that asks for it.
uintptr_t find_behind(const char* name) {
  if (const uintptr_t vms = import_of(vm_address(), name)) return vms;
  return reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, name));
}

template <typename Signature>
HookedImport hooked(const char* name, Behind<Signature>& behind, Signature* hook) {
  if (behind.function.load(std::memory_order_relaxed) == nullptr)
    behind.function.store(reinterpret_cast<Signature*>(find_behind(name)), std::memory_order_relaxed);
  return {name, reinterpret_cast<uintptr_t>(behind.function.load(std::memory_order_relaxed)),
          reinterpret_cast<uintptr_t>(hook)};
}

// free is the last.
std::array<HookedImport, 8> all_imports() {
  std::array<HookedImport, 8> all = {hooked("dlopen", the_dlopen, on_dlopen),
                                     hooked("malloc", the_malloc, on_malloc),
                                     hooked("calloc", the_calloc, on_calloc),
                                     hooked("realloc", the_realloc, on_realloc),
                                     hooked("posix_memalign", the_posix_memalign, on_posix_memalign),
                                     hooked("aligned_alloc", the_aligned_alloc, on_aligned_alloc),
                                     hooked("memalign", the_memalign, on_memalign),
                                     hooked("free", the_free, on_free)};
  all.front().only_in = vm_address();
  return all;
}

// `tables` is held.
ImportCount lead() {
  const auto imports = all_imports();
  seen_by_all_from_here();  // what the hooks call: who comes through a table finds it
  return lead_imports(std::span(imports).first(imports.size() - (has_free ? 0 : 1)), LeadImports::kToHook);
}

void lead_to_hooks() {
  const std::lock_guard lock(tables);
  if (stand.load(std::memory_order_relaxed)) lead();
}

}  // namespace

MallocSampling& malloc_sampling() { return sampling; }

ImportCount AllocatorHooks::install(bool with_free) {
  const std::lock_guard lock(tables);
  has_free = with_free;
  stand.store(true, std::memory_order_relaxed);
  return lead();
}

ImportCount AllocatorHooks::remove() {
  const std::lock_guard lock(tables);
  stand.store(false, std::memory_order_relaxed);
  return lead_imports(all_imports(), LeadImports::kBack);
}

bool AllocatorHooks::has_vm() { return import_of(vm_address(), "malloc") == reinterpret_cast<uintptr_t>(&on_malloc); }

}  // namespace rec::agent
