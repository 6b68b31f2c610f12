// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/jvms.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "base/redact.h"
#include "jrec/base/append_format.h"
#include "jrec/flame/page.h"
#include "jrec/values/time_text.h"
#include "jrec/view/cell.h"

namespace jrec {
namespace {

constexpr size_t kMostFilesTold = 3;  // of a JVM
constexpr std::string_view kNotToldByChunks = "not told";

std::string time_of_start(const WriterProcess& jvm) {
  std::string text;
  append_time(floor_div(jvm.start_ms, 1000), 0, 0, text);
  return text;
}

}  // namespace

void ReportJvms::meet(const WriterProcess& jvm, const std::string& path) {
  const auto [place, is_new] = places_.try_emplace(jvm, in_order_.size());
  if (is_new) in_order_.push_back({jvm, {}});
  std::vector<std::string>& paths = in_order_[place->second].paths;
  if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
}

std::string ReportJvms::name_of(const WriterProcess& jvm) const {
  const auto found = places_.find(jvm);
  return fmt::format("JVM {}", (found == places_.end() ? count() : found->second) + 1);
}

std::vector<std::string> ReportJvms::recorded_twice() const {
  std::vector<std::string> told;
  for (const Met& one : in_order_)
    for (const Met& other : in_order_)
      if (one.jvm.recorder < other.jvm.recorder && are_of_one_jvm(one.jvm, other.jvm))
        told.push_back(fmt::format(
            "{}, as {} has recorded it, and {}, as {} has, are one: what both tell of the same time counts twice",
            name_of(one.jvm), recorder_words(one.jvm.recorder), name_of(other.jvm),
            recorder_words(other.jvm.recorder)));
  return told;
}

Rows ReportJvms::rows() const {
  Rows table;
  if (count() < 2) return table;
  table.columns = {{"JVM"}, {"PID"}, {"Started"}, {"Files"}};
  for (const Met& met : in_order_) {
    const bool is_told = met.jvm != WriterProcess();
    const std::string pid = is_told ? std::to_string(met.jvm.pid) : std::string(kNotToldByChunks);
    table.rows.push_back({Cell::of_text(name_of(met.jvm)), Cell::of_text(pid),
                          is_told ? Cell::of_text(time_of_start(met.jvm)) : Cell(), Cell::of_text(files_of(met))});
  }
  return table;
}

// By their names, as pages are passed on; where two have the same name, by their paths.
std::string ReportJvms::files_of(const Met& met) const {
  std::vector<std::string> told;
  for (const std::string& path : std::span(met.paths).first(std::min(met.paths.size(), kMostFilesTold)))
    told.push_back(base::redact_userinfo(is_only_of_its_name(path) ? name_of_path(path) : path));
  if (met.paths.size() > kMostFilesTold) told.push_back(fmt::format("and {} more", met.paths.size() - kMostFilesTold));
  return joined(told, "; ");
}

bool ReportJvms::is_only_of_its_name(const std::string& path) const {
  return std::ranges::none_of(in_order_, [&](const Met& met) {
    return std::ranges::any_of(met.paths, [&](const std::string& other) {
      return other != path && name_of_path(other) == name_of_path(path);
    });
  });
}

}  // namespace jrec
