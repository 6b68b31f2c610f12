// SPDX-License-Identifier: Apache-2.0
// What the C++ library calls to throw, catch and unwind, for a librec.so for every libc. This library is compiled without
// exceptions: what the C++ library would throw (a vector of a giant length) ends the process, as it does without this file.
// With it no unwinder and no thread-locals of the C++ library are linked, and so nothing of the loader's is called, which
// musl's does not give by the name of glibc's (ld-linux-x86-64.so.2).
//
// Itanium C++ ABI: Exception Handling. Nothing else has these names here: they are hidden by agent/exports.map.
#include <cstdlib>
#include <exception>

extern "C" {

void* __cxa_allocate_exception(size_t) noexcept { std::abort(); }
void __cxa_free_exception(void*) noexcept { std::abort(); }
void* __cxa_init_primary_exception(void*, void*, void (*)(void*)) noexcept { std::abort(); }
void __cxa_throw(void*, void*, void (*)(void*)) { std::abort(); }
void __cxa_rethrow() { std::abort(); }
void* __cxa_begin_catch(void*) noexcept { std::abort(); }
void __cxa_end_catch() { std::abort(); }
void* __cxa_current_primary_exception() noexcept { return nullptr; }
void __cxa_increment_exception_refcount(void*) noexcept {}
void __cxa_decrement_exception_refcount(void*) noexcept {}
void __cxa_rethrow_primary_exception(void*) { std::abort(); }
unsigned __cxa_uncaught_exceptions() noexcept { return 0; }
int __gxx_personality_v0(...) { std::abort(); }
void _Unwind_Resume(void*) { std::abort(); }

}  // extern "C"

namespace std {
void terminate() noexcept { abort(); }
}  // namespace std
