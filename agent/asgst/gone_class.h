// SPDX-License-Identifier: Apache-2.0
// GoneClass is what an unload handler is given in place of a class that is not there any more: what was noted of it
// while it was. One is shown at a time, by unload_watch.cpp; gone_class() tells such a stand-in from a Klass*.
// Signal-safe.
#pragma once

#include <cstdint>

#include "recorder/spool/facts.h"

namespace rec::agent::asgst {

struct GoneClass {
  uint64_t id = 0;
  TextView name;
  int32_t modifiers = -1;
};

// nullptr: it is none.
const GoneClass* gone_class(const void* klass);

}  // namespace rec::agent::asgst
