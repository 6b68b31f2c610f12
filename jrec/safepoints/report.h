// SPDX-License-Identifier: Apache-2.0
// The report of `jrec safepoints`: worst first, and by method.
//
//   report()      threshold: of WatchSettings.
//                 How many, how long; the worst with their threads and stacks; methods: how many each delayed
//   zing_report() all of them in the order of time, in the layout of the log of Azul's Safepoint Profiler
//
// What is not known is written as "not known", or left out where a field of Azul's layout can be left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jrec/safepoints/stalls.h"

namespace jrec {

// A method that was on top of the telling stack of late threads, who called it, and why it was late.
struct LateMethod {
  std::string method, caller, reason;
  size_t safepoints = 0;
  int64_t total_ns = 0, longest_ns = 0;
};
std::vector<LateMethod> by_method(const std::vector<Stall>& stalls);

void report(const std::vector<Stall>& stalls, std::string_view threshold, size_t rows, std::string& out);
void zing_report(const std::vector<Stall>& stalls, std::string& out);

}  // namespace jrec
