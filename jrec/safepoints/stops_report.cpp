// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <vector>

#include "jrec/base/append_format.h"
#include "jrec/safepoints/histogram.h"
#include "jrec/safepoints/report_text.h"
#include "jrec/safepoints/stops.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

void add_kinds(const std::vector<Stop>& stops, size_t rows, std::string& out) {
  const std::vector<StopKind> kinds = by_operation(stops);
  append_format(out, "\n{:>10} {:>12} {:>12}  {}\n", "stops", "total ms", "longest ms", "operation");
  for (size_t i = 0; i < kinds.size() && i < rows; ++i)
    append_format(out, "{:>10} {:>12.1f} {:>12.1f}  {}{}\n", kinds[i].stops, ms(kinds[i].total_ns),
                  ms(kinds[i].longest_ns), or_unknown(kinds[i].operation),
                  kinds[i].cause.empty() ? "" : " (" + plain(kinds[i].cause) + ")");
}

// "", where the JVM does not tell it.
std::string part(const char* name, int64_t ns) { return ns < 0 ? "" : fmt::format(", {} {:.3f}", name, ms(ns)); }

void add_stop(const Stop& stop, std::string& out) {
  append_format(out, "\nStop {}: {:.3f} ms{}{}{}{}, at ", stop.id, ms(stop.length_ns),
                part("reaching", stop.reaching_ns), part("cleanup", stop.cleanup_ns),
                part("at the safepoint", stop.at_ns), part("leaving", stop.leaving_ns));
  append_time_ns(stop.start_ns, 0, out);
  if (stop.uptime_ns >= 0) append_format(out, ", uptime {:.3f} s", ms(stop.uptime_ns) / 1e3);
  append_format(out, "\n    operation {}{}, asked for by {}", or_unknown(stop.operation),
                stop.cause.empty() ? "" : " (" + plain(stop.cause) + ")",
                stop.caller.empty() ? "a thread that is not known" : "\"" + plain(stop.caller) + "\"");
  if (stop.threads >= 0) append_format(out, ", {} of {} threads ran", stop.running, stop.threads);
  out += '\n';
}

}  // namespace

void report_stops(const std::vector<Stop>& stops, size_t rows, std::string& out) {
  if (stops.empty()) return;
  int64_t total_ns = 0;
  for (const Stop& stop : stops) total_ns += stop.length_ns;
  append_format(out, "\n{} stopped the JVM for longer than the threshold, {:.1f} ms in all, the longest {:.1f} ms\n",
                stops.size(), ms(total_ns), ms(stops.front().length_ns));
  add_kinds(stops, rows, out);
  std::vector<int64_t> lengths;
  for (const Stop& stop : stops) lengths.push_back(stop.length_ns);
  add_histogram(lengths, out);
  for (size_t i = 0; i < stops.size() && i < rows; ++i) add_stop(stops[i], out);
  if (stops.size() > rows) append_format(out, "\n{} more (-n shows more)\n", stops.size() - rows);
}

}  // namespace jrec
