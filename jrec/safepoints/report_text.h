// SPDX-License-Identifier: Apache-2.0
// What the reports for people share.
#pragma once

#include <cstdint>
#include <string>

#include "jrec/base/escape.h"

namespace jrec {

inline double ms(int64_t ns) { return static_cast<double>(ns) / 1e6; }
inline std::string or_unknown(const std::string& text) { return text.empty() ? "not known" : plain(text); }

}  // namespace jrec
