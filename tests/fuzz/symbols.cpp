// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: whatever pretends to be a library's file, or the name of a function, must neither crash nor stand still.
//   fuzz_symbols -max_len=20000 CORPUS
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "jrec/symbols/mini_debug_info.h"
#include "recorder/symbols/demangle.h"
#include "recorder/symbols/elf_symbols.h"
#include "recorder/symbols/function_table.h"

namespace {

constexpr size_t kLongestName = 403;  // demangle.cpp

void must(bool holds) {
  if (!holds) std::abort();
}

void read_library(std::span<const uint8_t> file) {
  const rec::ElfSymbols symbols(file);
  (void)symbols.build_id();
  (void)jrec::mini_debug_info(symbols);
  (void)symbols.check();
  const rec::FunctionTable table{rec::ElfSymbols(file)};
  for (uint64_t address = 0; address < 64; ++address) must(table.name_of(address * 4093).size() <= 2048);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  must(rec::readable_name({reinterpret_cast<const char*>(data), size}).size() <= kLongestName);
  read_library({data, size});
  return 0;
}
