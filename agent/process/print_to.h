// SPDX-License-Identifier: Apache-2.0
// print_to writes behind a string what printf would print. What is longer than 511 bytes is cut.
#pragma once

#include <string>

namespace rec::agent {

__attribute__((format(printf, 2, 3))) void print_to(std::string& out, const char* format, ...);

}  // namespace rec::agent
