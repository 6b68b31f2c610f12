// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/live_recording.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "format/reader/chunk_scanner.h"
#include "format/reader/mapped_file.h"

namespace jrec {

namespace fs = std::filesystem;
using jfr::read::Chunk;
using jfr::read::Event;

namespace {

constexpr uint8_t kHeaderInFlux = 255;  // the state of a header that is being replaced
constexpr size_t kMaxFiles = 100'000;   // of a directory that is looked at

int64_t pid_of(const std::string& text) {
  int64_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  return error == std::errc() && end == text.data() + text.size() && pid > 0 && pid <= INT32_MAX ? pid : 0;
}

// Others may write there: links, pipes and devices are left alone, and files that no chunk can fill.
bool may_be_recording(const std::string& path) {
  struct stat st {};
  return lstat(path.c_str(), &st) == 0 && S_ISREG(st.st_mode) &&
         static_cast<uint64_t>(st.st_size) <= jfr::read::ChunkScanner::kMaxChunkSize;
}

std::vector<std::string> recordings_in(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end && paths.size() < kMaxFiles;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    const bool named = name.ends_with(".jfr") && name[0] != '.';
    if (named && may_be_recording(at->path().string())) paths.push_back(at->path().string());
  }
  std::sort(paths.begin(), paths.end());  // names are times, or count up
  return paths;
}

// The subdirectory that was changed last: a JDK's repository has one for each process.
std::string newest_below(const std::string& directory) {
  std::string newest;
  fs::file_time_type when = fs::file_time_type::min();
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    std::error_code unreadable;
    if (!at->is_directory(unreadable) || recordings_in(at->path().string()).empty()) continue;
    const auto changed = at->last_write_time(unreadable);
    if (!unreadable && changed >= when) newest = at->path().string(), when = changed;
  }
  return newest;
}

// Where the .jfr file is that the process has open: seen from here, also when it lives in a container.
std::string open_recording_of(int64_t pid) {
  const std::string proc = "/proc/" + std::to_string(pid);
  std::error_code error;
  for (fs::directory_iterator at(proc + "/fd", error), end; !error && at != end; at.increment(error)) {
    std::error_code unreadable;
    const std::string path = fs::read_symlink(at->path(), unreadable).string();
    if (unreadable || !path.ends_with(".jfr")) continue;
    const std::string inside = proc + "/root" + path;
    for (const std::string& seen : {path, inside})
      if (fs::equivalent(seen, at->path(), unreadable)) return fs::path(seen).parent_path().string();
  }
  return {};
}

bool is_gone(int64_t pid) {
  std::error_code error;
  return !fs::exists("/proc/" + std::to_string(pid), error);
}

}  // namespace

bool LiveRecording::find(const std::string& target) {
  target_ = target;
  std::error_code error;
  if (fs::is_directory(target, error)) {
    directory_ = true;
    place_ = target;
  } else if (fs::is_directory(target + ".chunks", error)) {
    directory_ = true;
    place_ = target + ".chunks";
  } else if (fs::exists(target, error)) {
    place_ = target;
  } else if ((pid_ = pid_of(target)) != 0) {
    directory_ = true;
    place_ = open_recording_of(pid_);
  }
  return !place_.empty();
}

std::vector<std::string> LiveRecording::files() const {
  if (!directory_) return {place_};
  std::vector<std::string> paths = recordings_in(place_);
  if (paths.empty()) {
    const std::string below = newest_below(place_);
    if (!below.empty()) paths = recordings_in(below);
  }
  return paths;
}

bool LiveRecording::poll(const Visit& visit) {
  const bool gone = pid_ != 0 && is_gone(pid_);  // asked first: what it wrote before is still read
  std::vector<std::string> paths = files();
  std::erase_if(progress_,
                [&](const auto& known) { return !std::binary_search(paths.begin(), paths.end(), known.first); });
  for (size_t i = 0; i < paths.size(); ++i) {
    const bool newest = i + 1 == paths.size();
    if (!started_ && !newest) {
      progress_[paths[i]].event_at = UINT64_MAX;  // was there before us
      continue;
    }
    if (progress_[paths[i]].event_at != UINT64_MAX) read_new(paths[i], visit);
    // What is not the newest is not written any more, once the next one has been seen.
    if (!newest) progress_[paths[i]].event_at = UINT64_MAX;
  }
  started_ |= !paths.empty();
  std::error_code error;
  return !gone && fs::exists(place_, error);
}

// The events are found in one look at the file and read in a second one: whatever is committed in between brings its
// constants with it, and a header that was read before the events may not lead to theirs.
void LiveRecording::read_new(const std::string& path, const Visit& visit) {
  auto file = jfr::read::MappedFile::open(path);
  if (!file) return;  // it has just been removed
  Progress& progress = progress_[path];
  jfr::read::Problems unsaid;  // a file in the making is not damaged
  jfr::read::ChunkScanner scanner(file->bytes(), unsaid);
  while (const auto extent = scanner.next()) {
    if (extent->offset < progress.chunk_at) continue;
    if (extent->offset > progress.chunk_at) progress = {extent->offset, 0};
    if (extent->header.state == kHeaderInFlux) return;  // the next time
    const auto chunk = file->bytes().subspan(extent->offset, extent->size);
    if (!visit_events(path, events_from(chunk, progress.event_at), progress, visit)) return;
  }
}

std::vector<Event> LiveRecording::events_from(std::span<const uint8_t> chunk, uint64_t from) {
  std::vector<Event> events;
  jfr::read::EventWalk walk(chunk, from != 0 ? from : jfr::kHeaderSize,
                            {0, nullptr, false, [] { return std::vector<uint64_t>(); }});
  for (Event event; walk.next(event);) events.push_back(event);
  return events;
}

bool LiveRecording::visit_events(const std::string& path, std::vector<Event> events, Progress& progress,
                                 const Visit& visit) {
  if (events.empty()) return true;
  auto file = jfr::read::MappedFile::open(path);
  if (!file) return false;
  jfr::read::Problems unsaid;
  jfr::read::ChunkScanner scanner(file->bytes(), unsaid);
  auto extent = scanner.next();
  while (extent && extent->offset < progress.chunk_at) extent = scanner.next();
  if (!extent || extent->offset != progress.chunk_at || extent->header.state == kHeaderInFlux) return false;
  Chunk chunk(file->bytes(), *extent, unsaid);
  // The filler at the end is no event yet; a chunk that was closed in between has none any more.
  const jfr::read::Type* last = chunk.type_of(events.back());
  if (last != nullptr && last->name == "rec.Filler") events.pop_back();
  while (!events.empty() && events.back().at + events.back().size > chunk.bytes().size()) events.pop_back();
  if (events.empty()) return true;
  progress.event_at = events.back().at + events.back().size;
  visit(chunk, events);
  return true;
}

}  // namespace jrec
