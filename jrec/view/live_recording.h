// SPDX-License-Identifier: Apache-2.0
// LiveRecording follows a recording that is being written, and hands out each event once.
//
//   a pid          the directory of the .jfr file that the process has open
//   a directory    its *.jfr files, and those of its newest subdirectory when it has none: a repository of rec or a JDK
//   a file         its chunks' directory while rec records into it (FILE.chunks), else the file as it grows
//
//   poll()   chunk:  [header ... read before | new events ][ rec.Filler, or not written yet ]
//                                            ^ goes on here the next time
//
// A chunk that rec closes is copied without its filler, under the same name: places in it stay what they were. Files
// that are replaced or removed between two polls lose what was not read; nothing else is lost. The first poll reads the
// newest file as far as it is.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "format/reader/chunk.h"

namespace jrec {

class LiveRecording {
 public:
  using Visit = std::function<void(jfr::read::Chunk&, const std::vector<jfr::read::Event>&)>;

  // False when there is nothing of that name.
  bool find(const std::string& target);
  const std::string& place() const { return place_; }  // the directory or file
  std::vector<std::string> files() const;              // what is there of it, in the order of its names

  // The new events, by chunk. False when the recording is gone: its process has ended, or its directory is not there.
  bool poll(const Visit& visit);

 private:
  struct Progress {
    uint64_t chunk_at = 0;  // of the chunk, in the file
    uint64_t event_at = 0;  // of the next event, in the chunk; 0: the first
  };

  void read_new(const std::string& path, const Visit& visit);
  // From that place in the chunk, 0: the first; to the end, the filler included.
  static std::vector<jfr::read::Event> events_from(std::span<const uint8_t> chunk, uint64_t from);
  // False when the chunk cannot be read now; nothing is lost then.
  static bool visit_events(const std::string& path, std::vector<jfr::read::Event> events, Progress& progress,
                           const Visit& visit);

  std::string place_;
  std::string target_;
  int64_t pid_ = 0;  // 0: none
  bool directory_ = false;
  bool started_ = false;
  std::map<std::string, Progress> progress_;  // by path; those that are there
};

}  // namespace jrec
