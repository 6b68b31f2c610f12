// SPDX-License-Identifier: Apache-2.0
// Turns errno into an Error that says what was tried, on which path, and why it failed.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>

#include "base/result.h"

namespace rec {

inline jfr::Error system_error(std::string_view tried, const std::string& path) {
  const int why = errno;
  return jfr::system_error(std::string(tried) + " " + path, why);
}

}  // namespace rec
