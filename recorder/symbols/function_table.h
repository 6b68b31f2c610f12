// SPDX-License-Identifier: Apache-2.0
// FunctionTable finds the function at an address of one library, by the symbols of its file: 12 bytes a function, sorted by
// address, and names are read from the file when they are asked for.
//
//   the file's own symbols, if they are all there         else those of its debug file (/usr/lib/debug/.build-id/12/34....debug)
//   else those that the dynamic linker needs              else those of a file that is gone, where it is still mapped
//
// A symbol tells where its function ends, and what lies behind that has no name: the nearest symbol below it would be a
// guess. One without a size, as in assembly, goes on to the next one, or to the end of its section. Ordinary threads; allocates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/mapped_vector.h"
#include "recorder/symbols/elf_symbols.h"

namespace rec {

class FunctionTable {
 public:
  // path: "[vdso]" is what this process has. build_id: the file must have it; another one has come to its place since.
  // mapped: another name of the file, good when its path's is gone or another one (/proc/self/map_files/...); empty: none.
  // identity: of the file, if it has no build id; nothing: whatever lies at the path is it.
  FunctionTable(const std::string& path, std::string_view build_id, const std::string& mapped = {},
                const base::FileIdentity& identity = {});
  // Of a file that is kept open: all symbols it has, if they are not those for the dynamic linker alone.
  explicit FunctionTable(ElfSymbols symbols);

  // Mangled; empty: no symbol is there. address: as the file has it, less where it was loaded.
  std::string name_of(uint64_t address) const;
  size_t size() const { return functions_.size(); }
  bool has_all() const { return has_all_; }  // of the functions, and not those for the dynamic linker alone

 private:
  struct Function {
    uint32_t begin = 0, size = 0;
    uint32_t name_at = 0;
  };
  struct Build {  // which the file must be of
    std::string_view id;
    base::FileIdentity identity;
  };
  bool take(const std::string& path, const Build& build, ElfSymbols::Which which);
  bool take(const ElfSymbols& symbols, ElfSymbols::Which which);

  std::optional<ElfSymbols> kept_;
  std::string file_;       // that the names are in,
  base::FileStamp stamp_;  // as it was when the table was made: another one's bytes would be no names
  bool has_all_ = false;
  base::MappedVector<Function> functions_;
};

// "/usr/lib/debug", "12345..." -> "/usr/lib/debug/.build-id/12/345....debug", where debuggers look for it. Empty: that is no build id.
std::string debug_file(std::string_view directory, std::string_view build_id);

}  // namespace rec
