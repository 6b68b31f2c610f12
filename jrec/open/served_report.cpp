// SPDX-License-Identifier: Apache-2.0
#include "jrec/open/served_report.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>

#include "jrec/flame/page.h"
#include "jrec/input/recording.h"
#include "jrec/report/report_page.h"
#include "jrec/select/unmatched_words.h"

namespace jrec {
namespace {

namespace fs = std::filesystem;

// Who asks for the first page is shown what there is by then.
constexpr std::chrono::milliseconds kPatience{300};

constexpr std::string_view kChunks = ".chunks";  // behind the name of a file that rec writes

// It asks again until there is a page.
constexpr std::string_view kReading =
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0.5\">"
    "<meta name=\"color-scheme\" content=\"light dark\"><title>jrec</title></head>"
    "<body style=\"font:14px system-ui,sans-serif;margin:2em\"><p role=\"status\">The recording is being "
    "read.</p></body></html>\n";

// Of the page's own policy: it may ask this server whether there is another page.
constexpr std::string_view kLoadsNothing = "default-src 'none'",
                           kLoadsFromHere = "default-src 'none'; connect-src 'self'";

base::Result<TimeRange> range_in(const TimeChoice& times, const RecordingSpan& recording) {
  return times.chooses() ? times.choose(recording) : TimeRange();
}

// What lies in both; nothing where they do not meet.
TimeChoice part_of(TimeChoice times, const PagePart& part) {
  const auto ns_of = [](uint64_t ms) { return static_cast<int64_t>(ms) * 1'000'000; };
  const TimeRange wanted{ns_of(part.from_ms), ns_of(part.to_ms)};
  TimeChoice both = times;
  both.choose = [times = std::move(times), wanted](const RecordingSpan& recording) -> base::Result<TimeRange> {
    const base::Result<TimeRange> all = range_in(times, recording);
    if (!all) return all.error();
    const int64_t from_ns = std::max(all->from_ns, wanted.from_ns);
    return TimeRange{from_ns, std::max(from_ns, std::min(all->to_ns, wanted.to_ns))};
  };
  return both;
}

// When what these times choose of it begins.
int64_t beginning_of(const Recording& recording, const TimeChoice& times) {
  const base::Result<TimeRange> range = range_in(times, recording.span());
  return std::max(recording.span().start_ns, range ? range->from_ns : INT64_MIN);
}

}  // namespace

// A process that has ended has no recording open any more: what it wrote is where it was, or under its own name by now.
std::vector<std::string> ServedReport::files_of(const std::string& target) {
  std::error_code error;
  if (fs::is_regular_file(target, error)) return {target};
  const std::lock_guard<std::mutex> guard(places_lock_);
  if (LiveRecording live; live.find(target)) places_.insert_or_assign(target, live);
  const auto known = places_.find(target);
  if (known == places_.end()) return {target};  // a member of an archive, or nothing: who reads it says so
  std::vector<std::string> files = known->second.files();
  const std::string& place = known->second.place();
  if (files.empty() && place.ends_with(kChunks)) files = {place.substr(0, place.size() - kChunks.size())};
  return files;
}

std::vector<ServedReport::Seen> ServedReport::look() {
  std::vector<Seen> files;
  for (const std::string& target : options_.files) {
    for (std::string& path : files_of(target)) {
      struct stat about {};
      Seen seen{std::move(path)};
      if (::stat(seen.path.c_str(), &about) == 0) {
        if (!S_ISREG(about.st_mode)) continue;  // a pipe: who reads it waits
        seen.size = static_cast<uint64_t>(about.st_size);
        seen.changed_ns = about.st_mtim.tv_sec * 1'000'000'000 + about.st_mtim.tv_nsec;
      }
      files.push_back(std::move(seen));
    }
  }
  return files;
}

std::vector<std::string> ServedReport::paths_of(const std::vector<Seen>& files) {
  std::vector<std::string> paths;
  for (const Seen& file : files) paths.push_back(file.path);
  return paths;
}

std::string ServedReport::html_of(std::string json, const std::string& more) const {
  json.pop_back();
  json += ",\"parts\":true" + more + "}";
  std::string html;
  append_page(kReportPage, options_.title.empty() ? name_of_path(Recording::name_of(options_.files)) : options_.title,
              json, html);
  html.replace(html.find(kLoadsNothing), kLoadsNothing.size(), kLoadsFromHere);
  return html;
}

void ServedReport::publish(ExitCode code, const std::string& json, bool whole) {
  const uint64_t version = page_.version + 1;  // nobody else writes it
  std::string more = fmt::format(",\"version\":\"{}\"", version);
  if (follow_s_ != 0) more += fmt::format(",\"follow\":{}", follow_s_);
  Page page{code, version, html_of(json, more)};
  const std::lock_guard<std::mutex> guard(lock_);
  page_ = std::move(page);
  whole_ = whole;
  changed_.notify_all();
}

ExitCode ServedReport::make(const std::vector<Seen>& files) {
  Recording recording(paths_of(files), times_of(options_.filter));
  if (!recording.open()) return recording.finish();
  const bool is_first = page_.html.empty();
  std::string json = report_data(recording, options_.filter, [&](const std::string& early) {
    if (is_first) publish(kDone, early, false);
  });
  if (is_first) tell_unmatched_words(recording, options_.filter);
  // What grew while it was read has an end that does not fit its head, which is no damage.
  const bool has_grown = !json.empty() && look() != files;
  if (!has_grown) append_damage(recording.problems(), json);
  const ExitCode code = has_grown ? kDone : recording.finish();
  if (code != kNothingReadable && code != kUsageError) publish(code, json, true);
  return code;
}

void ServedReport::run(const std::vector<Seen>& files) {
  const ExitCode code = make(files);
  const std::lock_guard<std::mutex> guard(lock_);
  if (page_.html.empty()) page_.code = code;
  making_ = false;
  changed_.notify_all();
}

void ServedReport::begin_if_changed() {
  if (making_) return;
  std::vector<Seen> files = look();
  if (files.empty() || files == seen_) return;
  if (maker_.joinable()) maker_.join();  // it has nothing more to do
  seen_ = std::move(files);
  making_ = true;
  maker_ = std::thread([this, files = seen_] { run(files); });
}

ServedReport::Page ServedReport::page() {
  std::unique_lock<std::mutex> guard(lock_);
  begin_if_changed();
  if (whole_)
    changed_.wait(guard, [this] { return !making_; });
  else
    changed_.wait_for(guard, kPatience, [this] { return !making_ || !page_.html.empty(); });
  if (page_.html.empty() && making_) return {kDone, 0, std::string(kReading)};
  return page_;
}

ServedReport::Page ServedReport::first() {
  std::unique_lock<std::mutex> guard(lock_);
  begin_if_changed();
  changed_.wait(guard, [this] { return !making_ || !page_.html.empty(); });
  return page_;
}

ServedReport::Page ServedReport::made_part(const PagePart& part, const std::vector<Seen>& files) const {
  if (files.empty()) return {};  // they are gone, or no files any more
  const TimeChoice times = times_of(options_.filter);
  Recording recording(paths_of(files), part_of(times, part));
  if (!recording.open()) return {.code = recording.finish()};
  std::string json = report_data(recording, options_.filter);
  if (json.empty()) return {.code = recording.finish()};
  const int64_t whole_ms = beginning_of(recording, times) / 1'000'000;
  return {kDone, 0, html_of(std::move(json), fmt::format(",\"whole_ms\":{}", whole_ms))};
}

ServedReport::Page ServedReport::part(const PagePart& part) {
  const std::lock_guard<std::mutex> guard(part_lock_);
  std::vector<Seen> files = look();
  if (part_ == part && part_files_ == files) return part_page_;
  part_page_ = made_part(part, files);
  part_ = part, part_files_ = std::move(files);
  return part_page_;
}

ServedReport::~ServedReport() {
  if (maker_.joinable()) maker_.join();
}

}  // namespace jrec
