// SPDX-License-Identifier: Apache-2.0
// Mini debug info: distributions put the symbols that stripping would take into a section .gnu_debugdata, as an ELF file
// that is compressed by xz. It has functions alone, without those for the dynamic linker.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "recorder/symbols/elf_symbols.h"

namespace jrec {

// The file in the section, unpacked; empty: there is no such section. kCorrupt, with the place in the file: it is damaged, or
// larger than any real one.
base::Result<std::vector<uint8_t>> mini_debug_info(const rec::ElfSymbols& of);

}  // namespace jrec
