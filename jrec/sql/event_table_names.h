// SPDX-License-Identifier: Apache-2.0
// How the table of an event type is called: jdk.GarbageCollection is events_jdk_GarbageCollection. Of types whose names would
// be one to an engine (a.b_c and a_b.c, odd.Case and odd.CASE) the first by its type's name keeps it; the others are NAME_2,
// NAME_3, which no other type is called by. So names depend on which types there are, and not on their order.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace jrec {

class EventTableNames {
 public:
  explicit EventTableNames(const std::set<std::string>& types);

  std::string of(std::string_view type) const;
  const std::map<std::string, std::string, std::less<>>& by_type() const { return names_; }

 private:
  std::map<std::string, std::string, std::less<>> names_;
};

}  // namespace jrec
