// SPDX-License-Identifier: Apache-2.0
// The tables of a report: views of jrec (jrec/view), in panels, all filled in one pass.
//
//   "tables":[{"panel","view","title","form","left_out","columns":[[caption, content]...],"rows":[[cell...]...]}...]
//
//   content   as cell.h has it: plain flag time span bytes bytes/s bits bits/s share address hertz code
//   a cell    null; a number in base units: a time is milliseconds since the start of the report; or a text
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jrec/report/axis.h"
#include "jrec/view/asked_views.h"
#include "jrec/view/view_rows.h"

namespace jrec {

inline constexpr size_t kMostTableRows = 500;

// The views that are asked for, each to be given to AskedViews.
std::vector<std::string> report_views();
AskedViews asked_report_views();

// Where the page has a view: "locks"; those that it does not know are of the run.
std::string_view panel_of(const std::string& view);

// Those that have rows. In front of them `jvms`, which is no view: which JVM is which (jvms.h).
void append_tables(std::vector<std::unique_ptr<ViewRows>> views, Rows jvms, const ReportAxis& axis, std::string& out);

}  // namespace jrec
