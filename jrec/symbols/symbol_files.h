// SPDX-License-Identifier: Apache-2.0
// SymbolFiles finds the symbols of a library by its build id, wherever the recording was made. The first of these files that has all symbols,
// and not those for the dynamic linker alone:
//
//   files that were given                                   of that build
//   DIRECTORY/.build-id/12/345....debug                     of each directory that was given, then of /usr/lib/debug
//   the library's own path, if that build lies there
//
// Each either in its table of symbols or in mini debug info (mini_debug_info.h). A file is opened when its build is first asked for; what is
// wrong with one is said on stderr, with the place, and the next one is taken. Not thread safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "recorder/symbols/function_table.h"

namespace jrec {

// Functions of one build of a library.
struct LibrarySymbols {
  std::string file;
  std::vector<uint8_t> unpacked;  // what the table reads, if that is no file
  rec::FunctionTable table;
};

class SymbolFiles {
 public:
  // kUsage: a file that was given cannot be opened, or has no build id.
  static base::Result<SymbolFiles> of(const std::vector<std::string>& directories,
                                      const std::vector<std::string>& files);

  // Null: there are none.
  const LibrarySymbols* find(const std::string& build_id, const std::string& path);
  bool damaged() const { return damaged_; }  // one of the files that were looked at
  // The files that were given and whose symbols no library has: a line for each, that says why. Damaged ones have been told.
  std::vector<std::string> unused() const;

 private:
  struct Given {
    std::string file, build_id;
    bool is_read = false, is_used = false, is_damaged = false;
  };

  // What a file is believed by: where any file may lie, it is looked at only if it is of that build.
  enum class Place : uint8_t { kByBuildId, kAnywhere };
  std::unique_ptr<LibrarySymbols> search(const std::string& build_id, const std::string& path);
  std::unique_ptr<LibrarySymbols> read(const std::string& file, const std::string& build_id, Place place);
  std::unique_ptr<LibrarySymbols> read_mini(const std::string& file);
  std::unique_ptr<LibrarySymbols> refuse(const std::string& file, const base::Error& error);

  std::vector<std::string> directories_;
  std::vector<Given> given_;
  std::map<std::string, std::unique_ptr<LibrarySymbols>> known_;
  bool damaged_ = false;
};

}  // namespace jrec
