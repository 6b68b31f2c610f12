// SPDX-License-Identifier: Apache-2.0
#include "agent/options/filename.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <optional>

#include "agent/options/one_line.h"
#include "agent/options/options.h"
#include "base/units.h"

namespace rec::agent {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

std::string local_time(time_t now) {
  tm parts{};
  char text[32];
  if (localtime_r(&now, &parts) == nullptr) return "0";
  return std::string(text, strftime(text, sizeof text, "%Y_%m_%d_%H_%M_%S", &parts));
}

// "{abc}..." -> "abc"
std::optional<std::string_view> braced(std::string_view text) {
  const size_t end = text.find('}');
  if (text.empty() || text[0] != '{' || end == std::string_view::npos) return std::nullopt;
  return text.substr(1, end - 1);
}

// "{3}..." -> 3, if that is a ring.
std::optional<int64_t> ring_limit(std::string_view text) {
  const auto max = braced(text);
  const auto count = max ? base::parse_count(*max) : std::nullopt;
  return count && *count >= 1 && *count <= kLongestRing ? count : std::nullopt;
}

struct Piece {
  std::string text;
  size_t taken = 0;  // bytes of the pattern behind the percent sign; 0: no pattern we know
};

// ring: the number for %n; 0: not chosen yet, stands as 1.
Piece expand_one(std::string_view rest, const FilenameFacts& facts, int64_t ring) {
  if (rest.empty()) return {};
  if (rest[0] == '%') return {"%", 1};
  if (rest[0] == 'p') return {std::to_string(facts.pid), 1};
  if (rest[0] == 't') return {local_time(facts.now), 1};
  if (const auto name = braced(rest); name && !name->empty()) {
    const char* value = facts.environment(std::string(*name).c_str());
    return {value == nullptr ? "" : value, name->size() + 2};
  }
  if (rest[0] != 'n') return {};
  if (!ring_limit(rest.substr(1))) return {};
  return {std::to_string(ring > 0 ? ring : 1), rest.find('}') + 1};
}

std::string expand(std::string_view pattern, const FilenameFacts& facts, int64_t ring) {
  std::string out;
  while (!pattern.empty()) {
    const char c = pattern[0];
    pattern.remove_prefix(1);
    const Piece piece = c == '%' ? expand_one(pattern, facts, ring) : Piece{};
    out += piece.taken == 0 ? std::string(1, c) : piece.text;
    pattern.remove_prefix(piece.taken);
  }
  return out;
}

// MAX of the first %n{MAX}; 0: the pattern has none.
int64_t ring_size(std::string_view pattern) {
  for (size_t at = 0; at + 1 < pattern.size(); ++at) {
    if (pattern[at] != '%') continue;
    ++at;  // whatever follows belongs to this percent sign, also another one
    if (pattern[at] != 'n') continue;
    const auto max = ring_limit(pattern.substr(at + 1));
    if (max) return *max;
  }
  return 0;
}

int64_t next_in_ring(std::string_view pattern, const FilenameFacts& facts, int64_t size) {
  int64_t newest = 0;
  int64_t newest_ns = -1;
  for (int64_t i = 1; i <= size; ++i) {
    const int64_t modified = facts.modified_ns(expand(pattern, facts, i));
    if (modified < 0 || modified < newest_ns) continue;
    newest = i;
    newest_ns = modified;
  }
  for (int64_t i = newest; i < newest + size; ++i)
    if (!facts.is_recorded_to || !facts.is_recorded_to(expand(pattern, facts, i % size + 1))) return i % size + 1;
  return newest % size + 1;
}

constexpr std::string_view kTimeShape = "0000_00_00_00_00_00";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_time(std::string_view text) {
  if (text.size() != kTimeShape.size()) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if (kTimeShape[i] == '0' ? !is_digit(text[i]) : text[i] != kTimeShape[i]) return false;
  return true;
}

bool matches(std::string_view pattern, std::string_view name, const FilenameFacts& facts);

bool matches_number(std::string_view pattern, std::string_view name, const FilenameFacts& facts) {
  for (size_t digits = 1; digits <= name.size() && is_digit(name[digits - 1]); ++digits)
    if (matches(pattern, name.substr(digits), facts)) return true;
  return false;
}

bool matches(std::string_view pattern, std::string_view name, const FilenameFacts& facts) {
  if (pattern.empty()) return name.empty();
  const std::string_view rest = pattern.substr(1);
  const Piece piece = pattern[0] == '%' ? expand_one(rest, facts, 0) : Piece{};
  if (piece.taken > 0 && (rest[0] == 'p' || rest[0] == 'n'))
    return matches_number(rest.substr(piece.taken), name, facts);
  if (piece.taken > 0 && rest[0] == 't')
    return is_time(name.substr(0, kTimeShape.size())) && matches(rest.substr(1), name.substr(kTimeShape.size()), facts);
  const std::string text = piece.taken == 0 ? std::string(1, pattern[0]) : piece.text;
  return name.starts_with(text) && matches(rest.substr(piece.taken), name.substr(text.size()), facts);
}

int64_t modified_ns(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) != 0 ? -1 : about.st_mtim.tv_sec * kSecondNs + about.st_mtim.tv_nsec;
}

// Who records holds a lock on the directory of the chunks.
bool is_locked(const std::string& directory) {
  const int fd = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  const bool locked = flock(fd, LOCK_SH | LOCK_NB) != 0;
  close(fd);
  return locked;
}

}  // namespace

FilenameFacts this_process() {
  FilenameFacts facts;
  facts.pid = getpid();
  facts.now = time(nullptr);
  facts.environment = [](const char* name) -> const char* { return getenv(name); };
  facts.modified_ns = [](const std::string& path) {
    return std::max(modified_ns(path), modified_ns(default_repository(path)));
  };
  facts.is_recorded_to = [](const std::string& path) { return is_locked(default_repository(path)); };
  facts.is_directory = [](const std::string& path) {
    struct stat about {};
    return stat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
  };
  return facts;
}

std::vector<std::string> unfilled_in(std::string_view pattern, const FilenameFacts& facts) {
  std::vector<std::string> said;
  for (size_t at = pattern.find('%'); at != std::string_view::npos; at = pattern.find('%', at)) {
    const std::string_view rest = pattern.substr(at + 1);
    const Piece piece = expand_one(rest, facts, 1);
    const std::string name = in_one_line(braced(rest).value_or(std::string_view()));
    if (piece.taken == 0)
      said.push_back("%" + in_one_line(rest.substr(0, 1)) +
                     " in the file's name stands for nothing and stays; %% is a percent sign");
    else if (!name.empty() && facts.environment(name.c_str()) == nullptr)
      said.push_back("%{" + name + "} in the file's name is left out: the environment has no " + name);
    at += 1 + piece.taken;
  }
  return said;
}

std::string expand_filename(std::string_view pattern, const FilenameFacts& facts) {
  const int64_t size = ring_size(pattern);
  std::string path = expand(pattern, facts, size == 0 ? 0 : next_in_ring(pattern, facts, size));
  if (path.empty()) return expand(Options{}.filename, facts, 0);
  if (path.back() != '/' && !facts.is_directory(path)) return path;
  if (path.back() != '/') path += '/';
  return path + expand(Options{}.filename, facts, 0);
}

bool may_come_of(std::string_view pattern, std::string_view name, const FilenameFacts& facts) {
  const std::string_view last = pattern.substr(pattern.rfind('/') + 1);  // npos + 1 is 0
  const bool in_directory = last.empty() || facts.is_directory(expand(pattern, facts, 0));
  return matches(in_directory ? Options{}.filename : std::string(last), name, facts);
}

bool has_ring(std::string_view pattern) { return ring_size(pattern) != 0; }

std::string absolute_path(const std::string& path) {
  char here[PATH_MAX];
  if (path.starts_with('/') || getcwd(here, sizeof here) == nullptr) return path;
  return std::string(here) + '/' + path;
}

std::string default_repository(std::string_view filename) { return std::string(filename) + ".chunks"; }

}  // namespace rec::agent
