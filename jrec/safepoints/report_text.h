// SPDX-License-Identifier: Apache-2.0
// What the reports for people share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jrec/base/escape.h"

namespace jrec {

inline double ms(int64_t ns) { return static_cast<double>(ns) / 1e6; }
// Of a frame, without its line: the same method on another line is the same method.
inline std::string_view method_of(std::string_view frame) { return frame.substr(0, frame.find(':')); }
inline std::string or_unknown(const std::string& text) { return text.empty() ? "not known" : plain(text); }

}  // namespace jrec
