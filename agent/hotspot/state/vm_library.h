// SPDX-License-Identifier: Apache-2.0
// VmLibrary is the libjvm.so of this process, as far as its symbol table tells where things are that the VM does not
// export. A stripped library tells nothing; all who ask have to live with that. Each question is one pass over tens of
// thousands of symbols, some milliseconds. Ordinary threads.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace rec::agent {

class VmLibrary {
 public:
  VmLibrary();

  struct Wanted {
    const char* symbol;  // mangled
    uint64_t& address;   // becomes its address in this process; left alone if the table has no such symbol
  };
  void find(std::initializer_list<Wanted> wanted) const;

  // The symbol of a table of virtual functions that objects point to, "_ZTV13VM_ThreadDump"; empty: none is there.
  std::string vtable_symbol(uint64_t vtable) const;

 private:
  std::string path_;  // empty: not found
  uint64_t base_ = 0;
};

}  // namespace rec::agent
