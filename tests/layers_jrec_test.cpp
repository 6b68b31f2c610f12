// SPDX-License-Identifier: Apache-2.0
// The order of jrec's folders.
#include <doctest/doctest.h>

#include "tests/house.h"

namespace {

using namespace test;

// Which folders of jrec's a folder of jrec's may include; what lies in jrec/ itself is for all.
const std::map<std::string, Names>& allowed_in_jrec() {
  static const Names kEvents = {"input", "select", "values"};
  static const std::map<std::string, Names> kAllowed = {
      {"values", {}},
      {"input", {"values"}},
      {"select", {"input", "values"}},
      {"archive", {"input", "select", "values"}},
      {"sql", {"archive", "input", "profile", "select", "values", "view"}},
      {"control", {"input"}},
      {"recover", {"input"}},
      {"safepoints", {"input", "values"}},
      {"print", kEvents},
      {"files", kEvents},
      {"view", kEvents},
      {"profile", kEvents},
      {"flame", {"input", "profile", "values"}},
      {"convert", {"flame", "input", "profile", "values"}},
      {"push", {"convert", "input", "profile", "select", "values"}},
  };
  return kAllowed;
}

// "view" of jrec/view/table.h; empty for jrec/output.h.
std::string folder_in_jrec(const std::string& path) {
  const size_t begin = std::string("jrec/").size(), end = path.find('/', begin);
  return !starts(path, "jrec/") || end == std::string::npos ? "" : path.substr(begin, end - begin);
}

Faults check_jrec_directions(const Sources& sources) {
  Faults faults;
  for (const auto& [path, text] : sources) {
    const std::string from = folder_in_jrec(path);
    if (!is_cpp(path) || from.empty()) continue;
    const auto allowed = allowed_in_jrec().find(from);
    if (allowed == allowed_in_jrec().end()) faults.push_back(path + " lies in a folder without a place in the order");
    for (const std::string& target : includes_of(text).ours) {
      const std::string to = folder_in_jrec(target);
      if (to.empty() || to == from || allowed == allowed_in_jrec().end()) continue;
      if (allowed->second.count(to) == 0) faults.push_back(path + " must not include " + target);
    }
  }
  return faults;
}

}  // namespace

TEST_CASE("house: the folders of jrec include each other one way") {
  CHECK_RULE(check_jrec_directions);
  CHECK(check_jrec_directions({{"jrec/values/a.h", "#include \"jrec/view/b.h\"\n"}}).size() == 1);
  CHECK(check_jrec_directions({{"jrec/new/a.h", ""}}).size() == 1);
  CHECK(
      check_jrec_directions({{"jrec/view/a.h", "#include \"jrec/output.h\"\n#include \"jrec/values/b.h\"\n"}}).empty());
}
