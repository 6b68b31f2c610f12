// SPDX-License-Identifier: Apache-2.0
// Where in a data set rows are: as Hive writes it, and all engines read it, a column is in the name of a directory.
//
//   samples/service=shop/day=2026-11-22/host=web-1/3f0c...d2.parquet
//
// Days are of UTC, counted from 1970.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jrec {

struct Partition {
  std::string service, host;
  int64_t day = 0;

  std::string path() const;  // service=shop/day=2026-11-22/host=web-1
};

int64_t micros_of(int64_t ns);  // both since the Unix epoch, rounded down
int64_t day_of(int64_t ns);
std::string day_text(int64_t day);  // 2026-11-22

// A value as part of a directory's name: what is not a letter, a digit or one of - _ . @ + is %XX, and what is longer than
// kLongestValue ends with a hash of all of it.
inline constexpr size_t kLongestValue = 120;
std::string hive_value(std::string_view value);

// The days that a recording may be in. A hostile one would name a thousand: what lies outside goes to the nearest.
class FleetDays {
 public:
  static constexpr int64_t kMost = 366;

  FleetDays(int64_t start_ns, int64_t end_ns);
  int64_t first() const { return first_; }
  int64_t of(int64_t time_ns) const;

 private:
  int64_t first_, last_;
};

}  // namespace jrec
