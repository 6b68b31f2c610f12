// SPDX-License-Identifier: Apache-2.0
#include "jrec/open/served_report.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "jrec/flame/page.h"
#include "jrec/input/recording.h"
#include "jrec/report/report_page.h"
#include "jrec/view/live_recording.h"

namespace jrec {
namespace {

namespace fs = std::filesystem;

// Of the page's own policy: it may ask this server whether there is another page.
constexpr std::string_view kLoadsNothing = "default-src 'none'",
                           kLoadsFromHere = "default-src 'none'; connect-src 'self'";

std::vector<std::string> recordings_in(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator each(directory, error), end; !error && each != end; each.increment(error))
    if (each->path().extension() == ".jfr" && each->is_regular_file(error)) paths.push_back(each->path().string());
  std::ranges::sort(paths);
  return paths;
}

// What a name on the command line means now.
std::vector<std::string> paths_of(const std::string& target) {
  std::error_code error;
  if (fs::is_regular_file(target, error)) return {target};
  LiveRecording live;
  if (!live.find(target)) return {target};  // a member of an archive, or nothing: who reads it says so
  return fs::is_directory(live.place(), error) ? recordings_in(live.place()) : std::vector{live.place()};
}

}  // namespace

std::vector<ServedReport::Seen> ServedReport::look() const {
  std::vector<Seen> files;
  for (const std::string& target : options_.files) {
    for (std::string& path : paths_of(target)) {
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

std::string ServedReport::data_of(Recording& recording, uint64_t version) const {
  std::string json = report_data(recording, options_.filter);
  if (follow_s_ == 0 || json.empty()) return json;
  json.pop_back();
  return json + fmt::format(",\"follow\":{},\"version\":\"{}\"}}", follow_s_, version);
}

ExitCode ServedReport::make(const std::vector<Seen>& files) {
  std::vector<std::string> paths;
  for (const Seen& file : files) paths.push_back(file.path);
  Recording recording(paths, times_of(options_.filter));
  if (!recording.open()) return recording.finish();
  const std::string json = data_of(recording, page_.version + 1);
  // What grew while it was read has an end that does not fit its head, which is no damage.
  const ExitCode code = !json.empty() && look() != files ? kDone : recording.finish();
  if (code == kNothingReadable || code == kUsageError) return code;
  page_ = {code, page_.version + 1, {}};
  const std::string title = options_.title.empty() ? name_of_path(options_.files.front()) : options_.title;
  append_page(kReportPage, title, json, page_.html);
  if (follow_s_ != 0) page_.html.replace(page_.html.find(kLoadsNothing), kLoadsNothing.size(), kLoadsFromHere);
  return code;
}

ServedReport::Page ServedReport::page() {
  const std::lock_guard<std::mutex> guard(lock_);
  std::vector<Seen> files = look();
  if (!files.empty() && files != seen_) {
    const ExitCode code = make(files);
    if (page_.html.empty()) page_.code = code;
    seen_ = std::move(files);
  }
  return page_;
}

}  // namespace jrec
