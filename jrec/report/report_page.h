// SPDX-License-Identifier: Apache-2.0
// The template of a page (jrec/flame/page.h), which the build makes of report_page.html and its parts (jrec/CMakeLists.txt).
#pragma once

#include <string_view>

namespace jrec {

extern const std::string_view kReportPage;

}  // namespace jrec
