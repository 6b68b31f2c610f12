// SPDX-License-Identifier: Apache-2.0
#include "jrec/mcp/allowed_paths.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

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

bool AllowedPaths::holds(const std::string& real) const {
  if (std::ranges::count(files_, real) != 0) return true;
  return std::ranges::any_of(directories_, [&](const std::string& directory) {
    return real.starts_with(directory == "/" ? directory : directory + '/');
  });
}

base::Result<std::string> AllowedPaths::resolve(const std::string& asked) const {
  std::vector<std::string> candidates = {asked};
  if (!asked.starts_with('/')) {
    candidates.clear();
    for (const std::string& directory : directories_) candidates.push_back(directory + '/' + asked);
    for (const std::string& file : files_) candidates.push_back(file.substr(0, file.rfind('/')) + '/' + asked);
  }
  for (const std::string& candidate : candidates) {
    if (const auto real = real_path(candidate); real && holds(*real) && is_file(*real)) return *real;
    // ARCHIVE:MEMBER, where the member's name is not a file's.
    const size_t colon = candidate.find(".recz:");
    if (colon == std::string::npos) continue;
    const size_t end = colon + std::string_view(".recz").size();
    if (const auto real = real_path(candidate.substr(0, end)); real && holds(*real) && is_file(*real))
      return *real + candidate.substr(end);
  }
  return base::Error{base::ErrorCode::kUsage, 0,
                     "there is no such recording among those that may be read; the tool recordings lists them"};
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
  std::ranges::stable_sort(found, {}, &File::path);
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace jrec
