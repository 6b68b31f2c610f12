// SPDX-License-Identifier: Apache-2.0
#include "jrec/sql/event_table_names.h"

#include <algorithm>
#include <cctype>

namespace jrec {
namespace {

std::string plain_name(std::string_view type) {
  std::string name = "events_" + std::string(type);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

struct CaseLess {
  bool operator()(const std::string& a, const std::string& b) const {
    return std::ranges::lexicographical_compare(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) < std::tolower(y); });
  }
};

}  // namespace

EventTableNames::EventTableNames(const std::set<std::string>& types) {
  std::set<std::string, CaseLess> taken;
  std::set<std::string> later;  // types
  for (const std::string& type : types) {
    std::string name = plain_name(type);
    if (!taken.insert(name).second)
      later.insert(type);
    else
      names_.emplace(type, std::move(name));
  }
  for (const std::string& type : later) {
    const std::string plain = plain_name(type);
    std::string name = plain;
    for (int number = 2; !taken.insert(name).second; ++number) name = plain + "_" + std::to_string(number);
    names_.emplace(type, std::move(name));
  }
}

std::string EventTableNames::of(std::string_view type) const {
  const auto known = names_.find(type);
  return known == names_.end() ? plain_name(type) : known->second;
}

}  // namespace jrec
