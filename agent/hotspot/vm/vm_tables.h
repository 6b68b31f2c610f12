// SPDX-License-Identifier: Apache-2.0
// VmTables reads what HotSpot exports about itself: the vmStructs tables (src/hotspot/share/runtime/vmStructs.hpp),
// made for the serviceability agent and present, as exported symbols, in every libjvm.so, stripped or not.
//
//   offset("Method", "_constMethod")        bytes into the object, or nothing
//   address("CodeCache", "_low_bound")      where the static field lies, or nothing
//   constant("_thread_in_Java")             value of an exported constant, or nothing
//   size("ConstMethod")                     bytes, or nothing
//
// Slow (a linear search), for start-up only. A name that is missing is normal: fields come and go between versions.
#pragma once

#include <cstdint>
#include <optional>

namespace rec::agent {

class VmTables {
 public:
  // Nothing when the process has no HotSpot tables.
  static std::optional<VmTables> open();

  std::optional<uint64_t> offset(const char* type, const char* field) const;
  std::optional<uint64_t> address(const char* type, const char* field) const;
  std::optional<int64_t> constant(const char* name) const;
  std::optional<uint64_t> size(const char* type) const;

 private:
  struct Structs {
    const char* base;
    uint64_t stride, type, field, is_static, offset, address;
  };
  struct Types {
    const char* base;
    uint64_t stride, name, size;
  };
  struct Constants {
    const char* base;
    uint64_t stride, name, value;
  };

  const char* find_field(const char* type, const char* field) const;

  Structs structs_{};
  Types types_{};
  Constants ints_{};
  Constants longs_{};
};

}  // namespace rec::agent
