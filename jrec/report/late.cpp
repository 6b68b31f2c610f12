// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/late.h"

#include <algorithm>
#include <span>

#include "jrec/flame/page_json.h"
#include "jrec/safepoints/reason.h"

namespace jrec {
namespace {

template <typename Rows>
auto first_of(const Rows& rows, size_t most) {
  return std::span(rows).first(std::min(most, rows.size()));
}

void append_late_thread(const LateThreadRow& row, std::string& out) {
  out += "{\"name\":";
  append_shown(row.name, out);
  append_format(out, ",\"ms\":{:.3f},\"reason\":", static_cast<double>(row.late_ns) / 1e6);
  append_shown(reason_of(row), out);
  append_list("frames", first_of(row.telling(), kMostLateFrames), out,
              [&](const std::string& frame) { append_shown(frame, out); });
  out += '}';
}

}  // namespace

void append_stalls(const std::vector<Stall>& worst_first, const ReportAxis& axis, std::string& out) {
  append_list("stalls", first_of(worst_first, kMostStalls), out, [&](const Stall& stall) {
    append_format(out, "{{\"at\":{:.3f},\"ms\":{:.3f},\"kind\":\"{}\",\"operation\":", axis.since_ms(stall.start_ns),
                  static_cast<double>(stall.length_ns) / 1e6, stall.handshake ? "handshake" : "safepoint");
    append_shown(stall.operation, out);
    out += ",\"cause\":";
    append_shown(stall.cause, out);
    append_list("threads", first_of(stall.rows, kMostLateThreads), out,
                [&](const LateThreadRow& row) { append_late_thread(row, out); });
    out += '}';
  });
}

}  // namespace jrec
