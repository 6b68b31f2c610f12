// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/tables.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "jrec/flame/page_json.h"

namespace jrec {
namespace {

struct Placed {
  std::string_view view, panel;
};

// In the order of the page. What tells secrets most often, properties and the environment, is left out: pages are passed on.
constexpr Placed kPlaced[] = {
    {"jvm-information", "run"},
    {"system-information", "run"},
    {"gc-configuration", "run"},
    {"heap-configuration", "run"},
    {"container-configuration", "run"},
    {"losses", "run"},
    {"recording", "run"},
    {"active-settings", "run"},
    {"jvm-flags", "run"},
    {"events-by-count", "run"},
    {"gc", "collections"},
    {"gc-pauses", "collections"},
    {"gc-pause-phases", "collections"},
    {"gc-cpu-time", "collections"},
    {"time-to-safepoint", "safepoints"},
    {"late-to-safepoint", "safepoints"},
    {"gc-locker", "safepoints"},
    {"vm-operations", "safepoints"},
    {"safepoints", "safepoints"},
    {"contention-by-class", "locks"},
    {"contention-by-address", "locks"},
    {"latencies-by-type", "locks"},
    {"thread-allocation", "threads"},
    {"thread-cpu-load", "threads"},
    {"memory-leaks-by-class", "allocation"},
    {"tlabs", "allocation"},
    {"exception-by-message", "exceptions"},
    {"file-reads-by-path", "io"},
    {"file-writes-by-path", "io"},
    {"socket-reads-by-host", "io"},
    {"socket-writes-by-host", "io"},
};

// Views that are not on the page lead to what tells of the same there, by how their names begin.
constexpr Placed kAlike[] = {
    {"gc", "collections"}, {"contention", "locks"},     {"allocation", "allocation"},
    {"thread", "threads"}, {"exception", "exceptions"}, {"file", "io"},
    {"socket", "io"},
};

size_t place_of(const ViewRows& rows) {
  return static_cast<size_t>(std::ranges::find(kPlaced, std::string_view(rows.view().name), &Placed::view) - kPlaced);
}

std::string_view content_name(Content content) {
  switch (content) {
    case Content::kPlain: return "plain";
    case Content::kFlag: return "flag";
    case Content::kTime: return "time";
    case Content::kSpan: return "span";
    case Content::kBytes: return "bytes";
    case Content::kBytesPerSecond: return "bytes/s";
    case Content::kBits: return "bits";
    case Content::kBitsPerSecond: return "bits/s";
    case Content::kShare: return "share";
    case Content::kAddress: return "address";
    case Content::kHertz: return "hertz";
    case Content::kCode: return "code";
  }
  return "plain";
}

// What the cells of a column are; the first that is not null tells.
Content content_of_column(const Rows& rows, size_t column) {
  for (const auto& row : rows.rows)
    if (!row[column].null()) return row[column].content;
  return Content::kPlain;
}

// A time outside of the recording, as that of the VM's start, is told as people read it.
void append_cell(const Cell& cell, const ReportAxis& axis, int32_t utc_offset_s, std::string& out) {
  if (cell.kind == Cell::Kind::kText)
    append_shown(cell.text, out);
  else if (cell.kind == Cell::Kind::kInteger && cell.content == Content::kTime &&
           axis.holds(held_in_long(cell.integer)))
    append_format(out, "{:.3f}", axis.since_ms(held_in_long(cell.integer)));
  else if (cell.kind == Cell::Kind::kInteger && (cell.content == Content::kTime || cell.content == Content::kAddress))
    append_shown(show(cell, 0), out);  // beyond the axis, and like it in UTC
  else
    show_json(cell, utc_offset_s, out);
}

void append_report_table(const View& view, const Rows& rows, const ReportAxis& axis, std::string& out) {
  append_format(out, "{{\"panel\":\"{}\",\"view\":\"{}\",\"title\":", panel_of(view.name), view.name);
  append_shown(view.title, out);
  append_format(out, ",\"form\":{},\"left_out\":{},\"columns\":[", view.form && rows.rows.size() == 1, rows.left_out);
  for (size_t i = 0; i < rows.columns.size(); ++i) {
    out += i == 0 ? "[" : ",[";
    append_shown(rows.columns[i].caption, out);
    append_format(out, ",\"{}\"]", content_name(content_of_column(rows, i)));
  }
  out += ']';
  append_list("rows", rows.rows, out, [&](const std::vector<Cell>& row) {
    append_array(row, out, [&](const Cell& cell) { append_cell(cell, axis, rows.utc_offset_s, out); });
  });
  out += '}';
}

}  // namespace

std::string_view panel_of(const std::string& view) {
  const auto found = std::ranges::find(kPlaced, std::string_view(view), &Placed::view);
  if (found != std::end(kPlaced)) return found->panel;
  const auto alike = std::ranges::find_if(kAlike, [&](const Placed& each) { return view.starts_with(each.view); });
  return alike == std::end(kAlike) ? "run" : alike->panel;
}

std::vector<std::string> report_views() {
  std::vector<std::string> names;
  for (const Placed& placed : kPlaced) names.emplace_back(placed.view);
  return names;
}

AskedViews asked_report_views() {
  return {report_views(), [](View& view) {
            if (!view.form) view.limit = kMostTableRows;
          }};
}

void append_tables(std::vector<std::unique_ptr<ViewRows>> views, Rows jvms, const ReportAxis& axis, std::string& out) {
  std::ranges::stable_sort(views, {}, [](const auto& view) { return place_of(*view); });
  struct Filled {
    View view;
    Rows rows;
  };
  std::vector<Filled> filled;
  if (!jvms.rows.empty()) filled.push_back({{.name = "jvms", .title = "JVMs"}, std::move(jvms)});
  for (const auto& view : views)
    if (Rows rows = view->finish(); !rows.rows.empty()) filled.push_back({view->view(), std::move(rows)});
  append_list("tables", filled, out, [&](const Filled& each) { append_report_table(each.view, each.rows, axis, out); });
}

}  // namespace jrec
