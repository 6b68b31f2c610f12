// SPDX-License-Identifier: Apache-2.0
#include "recorder/symbols/kernel_symbols.h"

#include <doctest/doctest.h>

using rec::KernelSymbols;

namespace {

constexpr std::string_view kSymbols =
    "0000000000000000 A fixed_percpu_data\n"
    "ffffffff81000000 T _stext\n"
    "ffffffff81000100 t do_one_initcall\n"
    "ffffffff81000180 D a_table\n"
    "ffffffffc0200000 t ext4_readdir\t[ext4]\n";

uint64_t place(uint64_t address) { return KernelSymbols::place_of(address); }

}  // namespace

TEST_CASE("golden: a place in the kernel is named by the symbol below it, of code alone") {
  const KernelSymbols symbols(kSymbols);
  CHECK(symbols.size() == 3);
  CHECK(symbols.name_of(place(0xffffffff81000000)) == "_stext");
  CHECK(symbols.name_of(place(0xffffffff810000ff)) == "_stext");
  CHECK(symbols.name_of(place(0xffffffff81000190)) == "do_one_initcall");
  CHECK(symbols.name_of(place(0xffffffffc0200010)) == "ext4_readdir");
}

TEST_CASE("damage: what lies elsewhere, or has no symbols to be read, is not given a name") {
  const KernelSymbols symbols(kSymbols);
  CHECK(place(0x7fff00001000) == 0);
  CHECK(symbols.name_of(place(0x7fff00001000)) == "[unknown]");
  CHECK(symbols.name_of(place(0xffffffff80000010)) == "[unknown]");
  CHECK(symbols.name_of(KernelSymbols::kNotNamed) == "[no symbols]");
  CHECK(KernelSymbols().name_of(place(0xffffffff81000000)) == "[no symbols]");
}

TEST_CASE("damage: symbols that are hidden, cut or not symbols at all are none") {
  for (const std::string_view text :
       {"", "\n\n", "0000000000000000 T _stext\n", "ffffffff81000000", "ffffffff81000000 ", "ffffffff81000000 T",
        "ffffffff81000000 T ", "zzz T _stext\n", "\t[ext4]\n"})
    CHECK(KernelSymbols(text).size() == 0);
}

TEST_CASE("golden: of another boot nothing is known") {
  CHECK(rec::kernel_symbols("another boot").size() == 0);
  CHECK(rec::boot_id().size() == 32);
}
