// SPDX-License-Identifier: Apache-2.0
// A thread-local variable that a loaded library exports: found by its name in the dynamic symbol tables (type STT_TLS), as
// the loader has them in memory. The first library in the loader's order counts, as it does for who links to the name.
//
// Ordinary threads: the loader's lock is held meanwhile, some microseconds; a library whose name is hashed (DT_GNU_HASH, as
// all linkers make it) costs a few loads. ELF gABI, chapter 5; glibc's elf/dl-lookup.c. Needs no JVM.
#pragma once

#include <cstdint>
#include <string>

namespace rec::agent {

struct ThreadLocalSymbol {
  std::string library;  // a path, as it was loaded; empty: the program itself
  uint64_t module = 0;  // its number in each thread's table of blocks; 0: there is no such variable
  uint64_t offset = 0;  // of the variable in the library's block
  explicit operator bool() const { return module != 0; }
  friend bool operator==(const ThreadLocalSymbol&, const ThreadLocalSymbol&) = default;
};

ThreadLocalSymbol find_thread_local(const char* name);

// Keeps the library loaded while it exists.
class ThreadLocalVariable {
 public:
  ThreadLocalVariable(const ThreadLocalSymbol& symbol, const char* name);
  ~ThreadLocalVariable();
  ThreadLocalVariable(const ThreadLocalVariable&) = delete;
  ThreadLocalVariable& operator=(const ThreadLocalVariable&) = delete;

  // The calling thread's. The loader may allocate it now. 0: the library has gone.
  uint64_t address() const;

 private:
  const char* const name_;
  void* const library_;
};

}  // namespace rec::agent
