// SPDX-License-Identifier: Apache-2.0
// The template of a page (page.h), which the build makes of flame_page.html and its parts (jrec/CMakeLists.txt).
#pragma once

#include <string_view>

namespace jrec {

extern const std::string_view kFlamePage;

}  // namespace jrec
