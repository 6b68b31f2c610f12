// SPDX-License-Identifier: Apache-2.0
// Copies a text of the VM into a buffer of the caller's, as asgst.h promises for its texts. Signal-safe.
#pragma once

#include <cstdint>

#include "recorder/spool/facts.h"

namespace rec::agent::asgst {

enum class Copied : uint8_t { kWhole, kCut, kUnreadable };

// length: the buffer's before, the text's afterwards. text without an address: there is none; to becomes nullptr.
Copied copy_to_caller(const TextView& text, char*& to, int32_t& length);

}  // namespace rec::agent::asgst
