// SPDX-License-Identifier: Apache-2.0
// The findings (jrec/findings), for a page: it shows them on top, with what they rest on.
//
//   "findings":[{"severity","rule","title","text","command","method","from","to"}...]     method: that of the evidence, or empty
//                                                  from, to: milliseconds since the start; null: all of the time
#pragma once

#include <string>

#include "jrec/findings/finding.h"
#include "jrec/report/axis.h"

namespace jrec {

void append_findings(const Findings& findings, const ReportAxis& axis, std::string& out);

}  // namespace jrec
