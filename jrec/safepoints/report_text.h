// SPDX-License-Identifier: Apache-2.0
// What the reports for people share.
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"

namespace jrec {

inline double ms(int64_t ns) { return static_cast<double>(ns) / 1e6; }
// Of a frame, without its line: the same method on another line is the same method.
inline std::string_view method_of(std::string_view frame) { return frame.substr(0, frame.find(':')); }
inline std::string span(int64_t ns) { return ns < 0 ? "not known" : fmt::format("{:.3f} ms", ms(ns)); }
inline std::string or_unknown(const std::string& text) { return text.empty() ? "not known" : plain(text); }

inline constexpr size_t kShownFrames = 20;  // of a stack
inline void add_frames(const std::vector<std::string>& frames, std::string& out) {
  for (size_t i = 0; i < frames.size() && i < kShownFrames; ++i) append_format(out, "        {}\n", plain(frames[i]));
  if (frames.size() > kShownFrames) append_format(out, "        ... {} more\n", frames.size() - kShownFrames);
}

}  // namespace jrec
