// SPDX-License-Identifier: Apache-2.0
#include "agent/process/print_to.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace rec::agent {

void print_to(std::string& out, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  const int size = std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  out.append(text, std::min(static_cast<size_t>(std::max(size, 0)), sizeof text - 1));
}

}  // namespace rec::agent
