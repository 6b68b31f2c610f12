// SPDX-License-Identifier: Apache-2.0
// EmptyLoads knows of each JVM the first jdk.CPULoad, where it tells nothing. A load is what was used since the look before; the
// JDK writes one without such a look, too, and 0 for all of it:
//
//   0 %        99 %        98 %
//   |-----------|-----------|         the CPU time of the JVM before its first look is in no load
//   empty
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "jrec/view/cell_reader.h"

namespace jrec {

inline constexpr std::string_view kLoadType = "jdk.CPULoad";

class EmptyLoads {
 public:
  // To be shown each chunk before its events, in the order of the recording. jvm: whose it is (jvm_numbers.h).
  void begin(CellReader& cells, uint32_t jvm);

  bool is_empty(uint32_t jvm, int64_t at_ns) const;         // of a look at that time
  std::optional<int64_t> told_from_ns(uint32_t jvm) const;  // since when loads tell of it, where its first is empty

 private:
  struct First {
    int64_t at_ns = 0;
    bool is_empty = false;
  };
  static std::optional<First> first_in(CellReader& cells);

  std::map<uint32_t, First> by_jvm_;
};

}  // namespace jrec
