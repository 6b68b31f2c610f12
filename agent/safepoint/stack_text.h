// SPDX-License-Identifier: Apache-2.0
// A stack of the current epoch in words, for the log. What a function of native code is called is asked when the log is
// written: to read the symbols of a library takes as long as many a safepoint is late. Ordinary threads; the epoch is pinned.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recorder/epoch/epoch.h"

namespace rec::agent {

struct TextFrame {
  std::string text;  // of native code: its library
  struct Native {    // a place in it, as NativeNames knows places
    uint64_t library = 0, address = 0;
    std::string path, build_id;
    base::FileIdentity file{};
  };
  std::optional<Native> native{};
};
using StackText = std::vector<TextFrame>;  // from the innermost frame

StackText stack_text(Epoch& epoch, Ref<StackFact> stack);

}  // namespace rec::agent
