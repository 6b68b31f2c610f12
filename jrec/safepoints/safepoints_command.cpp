// SPDX-License-Identifier: Apache-2.0
#include "jrec/safepoints/safepoints_command.h"

#include <memory>

#include "jrec/base/row_count.h"
#include "jrec/input/recording.h"
#include "jrec/safepoints/locker_stalls.h"
#include "jrec/safepoints/report.h"
#include "jrec/safepoints/stalls.h"
#include "jrec/safepoints/stops.h"
#include "jrec/safepoints/watch_settings.h"

namespace jrec {

ExitCode run_safepoints(const SafepointsOptions& options, Output& out) {
  Recording recording(options.files);
  if (!recording.open()) return recording.finish();
  Stalls stalls;
  Stops stops;
  LockerStalls locker_stalls;
  WatchSettings settings;
  recording.each_chunk([&](jfr::read::Chunk& chunk) {
    stalls.begin(chunk);
    locker_stalls.begin(chunk);
    each_rec_event(chunk, [&](std::string_view name, EventFields& fields) {
      stalls.take(name, fields);
      stops.take(name, fields);
      locker_stalls.take(name, fields);
      settings.take(chunk, name, fields);
    });
  });
  if (options.zing) {
    zing_report(stalls.worst_first(), out.text());
  } else {
    const size_t rows = most_rows(options.rows);
    report(stalls.worst_first(), settings.threshold(), rows, out.text());
    report_stops(stops.longest_first(), rows, out.text());
    report_locker_stalls(locker_stalls.longest_first(), rows, out.text());
  }
  return recording.finish();
}

void declare_safepoints(CommandList& commands) {
  const auto options = std::make_shared<SafepointsOptions>();
  Command command = commands.add("safepoints", "Which safepoints were long, late or held up, and by which threads",
                                 [options](Output& out) { return run_safepoints(*options, out); });
  command
      .add_option("FILE", options->files,
                  "recordings (.jfr) made with safepoint=TIME, treated as one; - for standard input")
      .required();
  command.add_option("-n,--rows", options->rows, "safepoints and methods to show; 0: all").default_str("20");
  command.add_flag("--zing", options->zing, "all of them, in the layout of the log of Azul's Safepoint Profiler");
}

}  // namespace jrec
