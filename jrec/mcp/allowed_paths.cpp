// SPDX-License-Identifier: Apache-2.0
#include "jrec/mcp/allowed_paths.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include "jrec/base/append_format.h"

namespace jrec {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> real_path(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) return std::nullopt;
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), std::free);
  if (real == nullptr) return std::nullopt;
  return std::string(real.get());
}

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// Not a pipe, at which the server would wait for ever.
bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_recording(const std::string& name) {
  std::string stem = name;
  for (const char* wrapping : {".gz", ".zst", ".lz4"})
    if (stem.ends_with(wrapping)) stem.resize(stem.size() - std::string_view(wrapping).size());
  return stem.ends_with(".jfr") || stem.ends_with(".recz");
}

}  // namespace

base::Status AllowedPaths::allow(const std::string& path) {
  const std::optional<std::string> real = real_path(path);
  if (!real) return base::system_error("cannot read", path);
  (is_directory(*real) ? directories_ : files_).push_back(*real);
  return base::Done();
}

bool AllowedPaths::was_named(const std::string& real) const { return std::ranges::count(files_, real) != 0; }

bool AllowedPaths::holds(const std::string& real) const {
  return was_named(real) || std::ranges::any_of(directories_, [&](const std::string& directory) {
           return real.starts_with(directory == "/" ? directory : directory + '/');
         });
}

// The same without links, if that is a file, and may be read.
std::optional<std::string> AllowedPaths::readable(const std::string& path) const {
  std::optional<std::string> real = real_path(path);
  return real && holds(*real) && is_file(*real) ? real : std::nullopt;
}

// Each once; those that were named, if any of them is meant.
std::vector<std::string> AllowedPaths::meant_by(const std::string& asked) const {
  std::vector<std::string> candidates = {asked};
  if (!asked.starts_with('/')) {
    candidates.clear();
    for (const std::string& file : files_) candidates.push_back(file.substr(0, file.rfind('/')) + '/' + asked);
    for (const std::string& directory : directories_) candidates.push_back(directory + '/' + asked);
  }
  std::vector<std::string> named, others;
  for (const std::string& candidate : candidates)
    if (const auto real = readable(candidate)) {
      std::vector<std::string>& list = was_named(*real) ? named : others;
      if (std::ranges::count(list, *real) == 0) list.push_back(*real);
    }
  return named.empty() ? others : named;
}

base::Result<std::string> AllowedPaths::resolve(const std::string& asked) const {
  std::vector<std::string> meant = meant_by(asked);
  std::string member;  // of ARCHIVE:MEMBER, where that is not a file's name
  if (const size_t colon = asked.find(".recz:"); meant.empty() && colon != std::string::npos) {
    const size_t end = colon + std::string_view(".recz").size();
    meant = meant_by(asked.substr(0, end));
    member = asked.substr(end);
  }
  if (meant.size() == 1) return meant.front() + member;
  if (meant.empty())
    return base::Error{base::ErrorCode::kUsage, 0,
                       "there is no such recording among those that may be read; the tool recordings lists them"};
  for (std::string& path : meant) path += member;
  return base::Error{base::ErrorCode::kUsage, 0, "there are several of that name: " + joined(meant, ", ")};
}

std::vector<AllowedPaths::File> AllowedPaths::recordings(size_t most) const {
  std::vector<File> found;
  const auto add = [&](const std::string& path) {
    std::error_code wrong;
    const uint64_t size = fs::file_size(path, wrong);
    if (!wrong) found.push_back({path, size});
  };
  for (const std::string& file : files_) add(file);
  for (const std::string& directory : directories_) {
    constexpr size_t kMostEntries = 100'000;  // that are looked at
    std::error_code wrong;
    size_t entries = 0;
    for (fs::recursive_directory_iterator at(directory, fs::directory_options::skip_permission_denied, wrong), end;
         !wrong && at != end && entries < kMostEntries; at.increment(wrong), ++entries) {
      std::error_code unknown;
      if (at->is_regular_file(unknown) && !at->is_symlink(unknown) && is_recording(at->path().filename().string()))
        add(at->path().string());
    }
  }
  // What was named may lie in a directory that was named, too.
  std::ranges::stable_sort(found, {}, &File::path);
  const auto is_same = [](const File& one, const File& other) { return one.path == other.path; };
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace jrec
