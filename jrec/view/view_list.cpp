// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/view_list.h"

#include <algorithm>
#include <iterator>

namespace jrec {

const std::vector<View>& all_views() {
  static const std::vector<View> views = [] {
    std::vector<View> all;
    for (const auto part : {application_views, waiting_views, gc_views, jvm_views, environment_views, rec_views})
      std::ranges::move(part(), std::back_inserter(all));
    std::ranges::stable_sort(all, [](const View& a, const View& b) {
      return a.section != b.section ? a.section < b.section : a.name < b.name;
    });
    return all;
  }();
  return views;
}

std::string title_of(Section section) {
  switch (section) {
    case Section::kApplication: return "Application";
    case Section::kJvm: return "Java virtual machine";
    case Section::kEnvironment: return "Environment";
    case Section::kRec: return "rec";
    case Section::kEventType: return "Event types";
  }
  return "";
}

}  // namespace jrec
