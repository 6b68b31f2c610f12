// SPDX-License-Identifier: Apache-2.0
// FinishedFiles are the files that this recording has been written to. A recording never takes the place of another by
// accident: of what stands at a name only these, and empty files, are replaced, unless the user wishes otherwise.
//
//   dump to app.jfr, which an earlier run has left  -> app-2.jfr
//   the next dump, and the end, of the same run     -> app-2.jfr again: it is a part of what replaces it
//
// Recorder thread only.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <utility>

#include "recorder/repository/assemble.h"

namespace rec {

// Where a recording is to go.
struct RecordingTarget {
  RecordingTarget() = default;
  RecordingTarget(std::string name, bool over = false) : filename(std::move(name)), overwrite(over) {}
  std::string filename;    // patterns expanded
  bool overwrite = false;  // whatever stands there is replaced
};

class FinishedFiles {
 public:
  struct Place {
    std::string path;
    Replaces replaces;
  };
  Place place_of(const RecordingTarget& target) const;
  // True: another name than wished, for the first time.
  bool add(const RecordingTarget& target, const std::string& path);

 private:
  struct File {
    std::string path;
    dev_t device;
    ino_t inode;
  };
  std::map<std::string, File> files_;  // by the name that was wished
};

}  // namespace rec
