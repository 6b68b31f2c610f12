// SPDX-License-Identifier: Apache-2.0
// The views that jrec has, by section and name. Where `jfr view` shows the same, they are called the same.
//
// Several views may have one name: alternatives for recordings that have other events. The first of them that has
// events is the one that is shown.
#pragma once

#include <string>
#include <vector>

#include "jrec/view/view.h"

namespace jrec {

std::vector<View> jvm_views();
std::vector<View> gc_views();
std::vector<View> environment_views();
std::vector<View> application_views();
std::vector<View> waiting_views();  // contention, files, sockets, latencies
std::vector<View> rec_views();

const std::vector<View>& all_views();  // of all sections, ordered as in the list
std::string title_of(Section section);

}  // namespace jrec
