// SPDX-License-Identifier: Apache-2.0
// A page's data as a script element that does not run. Up to kPlainBytes it is JSON as it is; what is larger is compressed,
// to a third, and unpacked by the browser (DecompressionStream, in all of them since 2023):
//
//   <script type="application/json" id="data">{"event":...}</script>
//   <script type="application/zlib" id="data">eJzt...</script>                  RFC 1950, in base64
#pragma once

#include <string>
#include <string_view>

namespace jrec {

inline constexpr size_t kPlainBytes = 1 << 20;

void append_page_data(std::string_view json, std::string& out);

}  // namespace jrec
