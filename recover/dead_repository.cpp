// SPDX-License-Identifier: Apache-2.0
#include "recover/dead_repository.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>

#include "base/file_io.h"
#include "format/header_layout.h"
#include "recorder/spool/identity.h"
#include "recover/chunk_look.h"
#include "recover/done_mark.h"
#include "recover/header_patch.h"

namespace rec {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::string_view kEnding = ".jfr";
constexpr std::string_view kRecovered = "recovered-";
constexpr std::string_view kTimeShape = "0000_00_00_00_00_00";

bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() != shape.size()) return false;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != shape[i]) return false;
  return true;
}

// Takes the number behind the last dash off the end of `text`.
template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  const size_t dash = text.find_last_of('-');
  if (dash == std::string_view::npos) return false;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + dash + 1, end, number);
  if (error != std::errc() || stop != end) return false;
  text = text.substr(0, dash);
  return true;
}

bool parse_recovered(std::string_view text, ChunkName& name) {
  text.remove_prefix(kRecovered.size());
  if (!take_number(text, name.number) || !take_number(text, name.serial)) return false;
  const std::string_view pid = text.substr(0, text.find('-'));
  const auto [stop, error] = std::from_chars(pid.data(), pid.data() + pid.size(), name.pid);
  name.recovered = true;
  return error == std::errc() && stop == pid.data() + pid.size();
}

// When a chunk says that it begins, by the clock that nobody sets. 0: it cannot be read.
int64_t start_ticks(const std::string& path) {
  const Descriptor file = open_to_read(path);
  HeaderBytes header{};
  if (!file || !base::read_all_at(file.fd(), header.data(), header.size(), 0)) return 0;
  return static_cast<int64_t>(big_endian(header, jfr::kStartTicksOffset));
}

// What recovery made goes in front of what begins later: of a chunk that was opened just before the end, and has nothing of
// its epoch yet.
std::vector<std::string> by_time(const std::vector<std::string>& kept, const std::vector<std::string>& recovered) {
  if (recovered.empty()) return kept;
  std::vector<int64_t> starts;  // of those recovered
  std::ranges::transform(recovered, std::back_inserter(starts), start_ticks);
  std::vector<std::string> all;
  size_t next = 0;
  for (const std::string& chunk : kept) {
    for (const int64_t start = start_ticks(chunk); next < starts.size() && starts[next] < start; ++next)
      all.push_back(recovered[next]);
    all.push_back(chunk);
  }
  all.insert(all.end(), recovered.begin() + static_cast<ptrdiff_t>(next), recovered.end());
  return all;
}

// Takes the lock that the owner of a directory of chunks holds on it; it lasts as long as the descriptor.
Result<Descriptor> lock_dead_directory(const std::string& path) {
  Descriptor directory = open_directory(path);
  if (!directory) return base::system_error("cannot open the directory", path);
  if (flock(directory.fd(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return Error{ErrorCode::kUsage, 0,
                   path + " is locked: the process that records to it lives, or another recovery is at work on it"};
    return base::system_error("cannot lock the directory", path);
  }
  struct stat ours {
  }, there{};
  const bool still_there = fstat(directory.fd(), &ours) == 0 && lstat(path.c_str(), &there) == 0 &&
                           ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
  if (still_there) return directory;
  errno = ENOENT;
  return base::system_error("cannot open the directory", path);
}

Error of_file(const std::string& path, Error error) {
  error.what = path + ": " + error.what;
  return error;
}

}  // namespace

ChunkName parse_chunk_name(const std::string& name) {
  ChunkName parsed;
  std::string_view text = name;
  if (!text.ends_with(kEnding)) return parsed;
  text.remove_suffix(kEnding.size());
  if (text.starts_with(kRecovered)) {
    parsed.ours = parse_recovered(text, parsed);
  } else if (take_number(text, parsed.number) && take_number(text, parsed.pid) && has_shape(text, kTimeShape)) {
    parsed.time = text;
    parsed.ours = true;
  }
  return parsed;
}

Result<DeadRepository> DeadRepository::open(const std::string& directory) {
  Result<Descriptor> lock = lock_dead_directory(directory);
  if (!lock) return lock.error();
  if (names_in(directory).size() >= kMostNames)
    return Error{ErrorCode::kLimit, 0,
                 directory + " holds more files than are looked at (" + std::to_string(kMostNames) + ")"};
  return DeadRepository(directory, std::move(*lock));
}

std::vector<DeadProcess> DeadRepository::processes(const std::string& also_in) const {
  using Place = std::tuple<bool, uint64_t, uint64_t, std::string>;  // the last one: its name
  struct Chunk {
    std::string time, path;
  };
  std::map<uint32_t, std::map<Place, Chunk>> by_process;
  for (const std::string& directory : {directory_, also_in})
    for (const std::string& name : directory.empty() ? std::vector<std::string>() : names_in(directory))
      if (const ChunkName chunk = parse_chunk_name(name); chunk.ours)
        by_process[chunk.pid][{chunk.recovered, chunk.serial, chunk.number, name}] = {chunk.time,
                                                                                      directory + "/" + name};
  std::vector<DeadProcess> processes;
  for (const auto& [pid, chunks] : by_process) {
    DeadProcess& process = processes.emplace_back();
    process.pid = pid;
    process.time = chunks.begin()->second.time;
    std::vector<std::string> kept, recovered;
    for (const auto& [place, chunk] : chunks) (std::get<0>(place) ? recovered : kept).push_back(chunk.path);
    process.chunks = by_time(kept, recovered);
  }
  return processes;
}

uint64_t untold_samples(const std::string& directory, uint32_t pid) {
  std::map<uint64_t, std::string> chunks;  // by number
  for (const std::string& name : names_in(directory))
    if (const ChunkName chunk = parse_chunk_name(name); chunk.ours && !chunk.recovered && chunk.pid == pid)
      chunks[chunk.number] = directory + "/" + name;
  uint64_t samples = 0;
  for (auto chunk = chunks.rbegin(); chunk != chunks.rend(); ++chunk) {
    const Result<ChunkLook> look = look_at_chunk(chunk->second);
    if (!look) continue;
    if (look->counted) break;
    samples += look->samples;
  }
  return samples;
}

bool DeadRepository::is_finished() const {
  const std::vector<std::string> names = names_in(directory_);
  const auto is_left = [](const std::string& name) { return name == kIdentityFile || name.starts_with(kDoneMark); };
  return !names.empty() && std::ranges::all_of(names, is_left);
}

void DeadRepository::remove(const std::vector<std::string>& chunks) {
  for (const std::string& chunk : chunks) unlink(chunk.c_str());
  for (const std::string& name : names_in(directory_))
    if (name.starts_with('.') && name.ends_with(".jfr.tmp")) unlink((directory_ + "/" + name).c_str());
  clear_done_marks(directory_);
  const std::vector<std::string> left = names_in(directory_);
  if (left.size() > 1 || (left.size() == 1 && left.front() != kIdentityFile)) return;
  unlinkat(lock_.fd(), kIdentityFile, 0);
  rmdir(directory_.c_str());
}

Result<RecordingMade> make_recording(const std::vector<std::string>& chunks, const std::string& target) {
  Result<RecoveredFile> file = RecoveredFile::create(target);
  if (!file) return file.error();
  RecordingMade made;
  for (const std::string& path : chunks) {
    Result<ChunkLook> chunk = look_at_chunk(path);
    if (!chunk) return of_file(path, chunk.error());
    if (!chunk->ruined.empty()) return of_file(path, chunk->ruined.front());
    if (Status added = add_chunk(*file, *chunk, &path == &chunks.back()); !added) return added.error();
    made.samples += chunk->samples;
    ++made.chunks;
  }
  made.bytes = file->size();
  Result<std::string> path = file->commit_beside();
  if (!path) return path.error();
  made.path = std::move(*path);
  return made;
}

}  // namespace rec
