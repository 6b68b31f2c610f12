// SPDX-License-Identifier: Apache-2.0
// NativeNames says what a place in a library is called. Tables of functions are made when the first place of a library is
// asked for; what was found is remembered. Of the recorder thread, or of recovery: never of a thread of the application.
//
//   "deflate"         the function there, as its symbol says
//   "+0x1a40"         no symbol is there: the place, as nm and addr2line have addresses
//   "vfs_read"        likewise, of the kernel (kernel_symbols.h)
//   "[unknown]"       of what has no path: code that is in no library; or, at any other address than 0,
//   "[not unwound]"   that frames are missing
//
// A library is known by a number that is no other's (recorder/spool/ids.h). Allocates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "recorder/symbols/function_table.h"
#include "recorder/symbols/kernel_symbols.h"

namespace rec {

struct NativeLibrary {
  uint64_t id = 0;
  std::string_view path, build_id;
  uint64_t begin = 0, end = 0;  // where its code is mapped in this process, whole pages; 0: not known
  base::FileIdentity file{};    // of one without a build id

  bool has_places() const { return !path.empty() && path != kKernelPath; }  // that mean something elsewhere
};

class NativeNames {
 public:
  // Good until the next call.
  const std::string& name_of(const NativeLibrary& library, uint64_t address);
  // Whether its names are those of all its symbols. Else what has one now may have another one later.
  bool has_all(const NativeLibrary& library) const {
    const auto table = tables_.find(library.id);
    return !library.has_places() || (table != tables_.end() && table->second.has_all());
  }

 private:
  static constexpr size_t kMostNames = 1u << 16;      // remembered; then all are forgotten
  static constexpr size_t kMostFunctions = 4u << 20;  // of all tables: 48 MB. Libraries beyond have no names
  struct Place {
    uint64_t library, address;
    bool operator==(const Place&) const = default;
  };
  struct Hash {
    size_t operator()(const Place& place) const {
      return (place.address ^ place.library << 40) * 0x9E3779B97F4A7C15u >> 16;
    }
  };
  std::string find(const NativeLibrary& library, uint64_t address);
  std::string find_in_kernel(const NativeLibrary& kernel, uint64_t place);

  std::unordered_map<uint64_t, FunctionTable> tables_;
  std::unordered_map<Place, std::string, Hash> names_;
  size_t functions_ = 0;  // of all tables
  std::optional<KernelSymbols> kernel_;
};

}  // namespace rec
