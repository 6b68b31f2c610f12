// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/jobs.h"

#include <sched.h>

#include <algorithm>

namespace jrec {
namespace {

size_t told = 0;

size_t processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<size_t>(std::max(1, CPU_COUNT(&set)));
}

}  // namespace

size_t jobs() { return told != 0 ? told : std::min(processors(), kMostJobs); }

void set_jobs(size_t count) { told = count; }

}  // namespace jrec
