// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/partition.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <chrono>

namespace jrec {
namespace {

constexpr int64_t kDayNs = 86'400'000'000'000;

bool is_plain_in_a_path(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.@+").find(c) != std::string_view::npos;
}

int64_t floor_of(int64_t number, int64_t by) { return number / by - (number % by < 0); }

}  // namespace

int64_t micros_of(int64_t ns) { return floor_of(ns, 1000); }

int64_t day_of(int64_t ns) { return floor_of(ns, kDayNs); }

std::string day_text(int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

// Whether what is cut off begins with a byte that goes on with a character of UTF-8.
bool splits_a_character(std::string_view cut, std::string_view name) {
  const std::string_view next = name.substr(cut.size(), 2);
  return next.size() == 2 && next[0] == '%' && (next[1] == '8' || next[1] == '9' || next[1] == 'A' || next[1] == 'B') &&
         cut.size() >= 3 && cut[cut.size() - 3] == '%';
}

// "." and ".." are directories of their own.
bool is_all_dots(std::string_view value) { return value.find_first_not_of('.') == std::string_view::npos; }

std::string hive_value(std::string_view value) {
  std::string name;
  if (is_all_dots(value)) {
    for (size_t i = 0; i < value.size(); ++i) name += "%2E";
    return name;
  }
  for (const char c : value) {
    if (is_plain_in_a_path(c))
      name += c;
    else
      name += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  if (name.size() <= kLongestValue) return name;
  const std::string hash = fmt::format("-{:016x}", XXH3_64bits(value.data(), value.size()));
  std::string cut = name.substr(0, kLongestValue - hash.size());
  const size_t escape = cut.find_last_of('%');
  if (escape != std::string::npos && escape + 3 > cut.size()) cut.resize(escape);  // no half of a %XX
  while (splits_a_character(cut, name)) cut.resize(cut.size() - 3);
  return cut + hash;
}

std::string Partition::path() const {
  return fmt::format("service={}/day={}/host={}", hive_value(service), day_text(day), hive_value(host));
}

FleetDays::FleetDays(int64_t start_ns, int64_t end_ns)
    : first_(day_of(start_ns)), last_(std::clamp(day_of(end_ns), first_, first_ + kMost - 1)) {}

int64_t FleetDays::of(int64_t time_ns) const { return std::clamp(day_of(time_ns), first_, last_); }

}  // namespace jrec
