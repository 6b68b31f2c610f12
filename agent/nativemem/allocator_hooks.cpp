// SPDX-License-Identifier: Apache-2.0
#include "agent/nativemem/allocator_hooks.h"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <span>

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
constinit Behind<void*(void*, const char*)> the_dlsym;

constinit std::mutex tables;                  // of imports
constinit std::atomic<bool> stand{false};     // hooks; written under that
constinit std::atomic<bool> has_free{false};  // likewise

void lead_to_hooks();
void* in_front_of(void* function);

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

// By a jump where it matters who calls: the next library is the one behind the caller's.
void* on_dlsym(void* library, const char* name) {
  if (library == RTLD_NEXT || library == RTLD_DEFAULT) return the_dlsym(library, name);
  void* const function = the_dlsym(library, name);
  return function != nullptr && stand.load(std::memory_order_relaxed) ? in_front_of(function) : function;
}

uintptr_t vm_address() {
  static const auto address = reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs"));
  return address;
}

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

// The VM's own come first, free is the last.
using Imports = std::array<HookedImport, 9>;
Imports all_imports() {
  Imports all = {hooked("dlopen", the_dlopen, on_dlopen),
                 hooked("dlsym", the_dlsym, on_dlsym),
                 hooked("malloc", the_malloc, on_malloc),
                 hooked("calloc", the_calloc, on_calloc),
                 hooked("realloc", the_realloc, on_realloc),
                 hooked("posix_memalign", the_posix_memalign, on_posix_memalign),
                 hooked("aligned_alloc", the_aligned_alloc, on_aligned_alloc),
                 hooked("memalign", the_memalign, on_memalign),
                 hooked("free", the_free, on_free)};
  all[0].only_in = all[1].only_in = vm_address();
  return all;
}

std::span<const HookedImport> followed(const Imports& all) {
  return std::span(all).first(all.size() - (has_free.load(std::memory_order_relaxed) ? 0 : 1));
}

void* in_front_of(void* function) {
  const Imports all = all_imports();
  for (const HookedImport& import : followed(all))
    if (import.only_in == 0 && import.behind == reinterpret_cast<uintptr_t>(function))
      return reinterpret_cast<void*>(import.hook);
  return function;
}

// `tables` is held.
ImportCount lead() {
  const Imports all = all_imports();
  seen_by_all_from_here();  // what the hooks call: who comes through a table finds it
  return lead_imports(followed(all), LeadImports::kToHook);
}

void lead_to_hooks() {
  const std::lock_guard lock(tables);
  if (stand.load(std::memory_order_relaxed)) lead();
}

}  // namespace

MallocSampling& malloc_sampling() { return sampling; }

ImportCount AllocatorHooks::install(bool with_free) {
  const std::lock_guard lock(tables);
  has_free.store(with_free, std::memory_order_relaxed);
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
