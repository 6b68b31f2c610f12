// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/finding.h"

#include <algorithm>

namespace jrec {

std::string_view severity_word(Severity severity) {
  constexpr std::string_view kWords[] = {"note", "warning", "serious"};
  return kWords[static_cast<size_t>(severity)];
}

bool Findings::any(Severity least) const {
  return std::ranges::any_of(found, [least](const Finding& finding) { return finding.severity >= least; });
}

}  // namespace jrec
