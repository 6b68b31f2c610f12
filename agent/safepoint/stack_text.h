// SPDX-License-Identifier: Apache-2.0
// A stack of the current epoch in words, for the log. Ordinary threads; the epoch is pinned.
#pragma once

#include <string>
#include <vector>

#include "recorder/epoch/epoch.h"

namespace rec::agent {

std::vector<std::string> stack_text(Epoch& epoch, Ref<StackFact> stack);

}  // namespace rec::agent
