// SPDX-License-Identifier: Apache-2.0
// Turns the filename a user gave into the path of one recording.
//
//   %p        process id                         %{NAME}   variable of the environment; nothing if it is not set
//   %t        local time, yyyy_MM_dd_HH_mm_ss    %n{MAX}   a ring of MAX files, see below
//   %%        a percent sign                     others    stay as they are
//
// The ring: the number goes round from 1 to MAX and is the one after that of the newest file there is (1 if there is
// none), so MAX recordings are kept over restarts. The newest is told by its time of modification; chunks of a
// recording that was never finished (default_repository) count like the file. Numbers that another process records to
// are passed over, unless all are. The rest of the name has to stay the same.
#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rec::agent {

// What the patterns are filled with; a test brings its own.
struct FilenameFacts {
  int64_t pid = 0;
  time_t now = 0;
  std::function<const char*(const char* name)> environment;     // as getenv
  std::function<int64_t(const std::string& path)> modified_ns;  // of the file or its chunks; -1: there are none
  std::function<bool(const std::string& path)> is_recorded_to;  // now, by another process
  std::function<bool(const std::string& path)> is_directory;
};

// Those of this process, now.
FilenameFacts this_process();

// Largest MAX of %n{MAX}; beyond it the pattern stays as it is.
inline constexpr int64_t kLongestRing = 10'000;

// A pattern that ends in `/` or names a directory gets a file of the default name in it.
std::string expand_filename(std::string_view pattern, const FilenameFacts& facts);

// What of the pattern is not filled, a sentence each: variables that are not set, and percent signs of no pattern.
std::vector<std::string> unfilled_in(std::string_view pattern, const FilenameFacts& facts);

// Whether another run may have given its recording this name, for the same pattern in the same directory: any number for
// %p and %n{MAX}, any time for %t.
bool may_come_of(std::string_view pattern, std::string_view name, const FilenameFacts& facts);

// A ring is there to let the newest take the oldest one's place.
bool has_ring(std::string_view pattern);

// As seen from the process' working directory now, since the process may change it later.
std::string absolute_path(const std::string& path);

// Where the chunks of a recording lie while it is open, if the user names no repository.
std::string default_repository(std::string_view filename);

}  // namespace rec::agent
