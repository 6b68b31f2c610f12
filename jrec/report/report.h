// SPDX-License-Identifier: Apache-2.0
// `jrec report`: one HTML page, offline, that answers of a recording: what the process did over time, where its time, memory and waits went, what
// its collections and safepoints cost, and what was recorded and lost. All panels follow one chosen range of time.
//
// The page is the template report_page.html (jrec/flame/page.h) with this data:
//
//   {"start","seconds","bucket_ms","buckets","files":[...],"facts":[[caption, text]...],"lost":[[cause, count]...],
//    findings (findings.h), lanes and marks (lanes.h), stalls (late.h), tables (tables.h), names, states, threads and clocks (clocks.h)}
//
// The recording is read three times: all events for the tables and lanes, the samples, and what rules ask for; a fourth time for facts that a filter
// would leave out.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "jrec/base/command_list.h"
#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/input/recording.h"
#include "jrec/select/filter.h"

namespace jrec {

struct ReportOptions {
  std::vector<std::string> files;
  std::string out;    // path; empty or -: standard output
  std::string title;  // empty: the file's name
  FilterOptions filter;
};

// The data of the page. The recording is open; what is wrong with the filter, or with what it reads, is told by its finish().
// early: gets the data without findings and samples, with "unfinished":true, as soon as it is there.
using EarlyData = std::function<void(const std::string& json)>;
std::string report_data(Recording& recording, const FilterOptions& filter, const EarlyData& early = {});

// What is damaged of what was read, for the page to say: it goes from hand to hand without what stood on standard error.
void append_damage(const jfr::read::Problems& problems, std::string& data);

ExitCode run_report(const ReportOptions& options, Output& out);
void declare_report(CommandList& commands);

}  // namespace jrec
