// SPDX-License-Identifier: Apache-2.0
// FleetStore is where a data set is: a directory (fleet_directory.h), or a prefix of an object store (fleet_bucket.h). It grows recording
// by recording, each all or none:
//
//   files of a recording, in the making --publish--> under their names, in their order
//
//   recordings/day=2026-11-22/ID.parquet                             a row, which comes last: the recording is there
//   TABLE/service=shop/day=2026-11-22/host=web-1/ID.parquet          its rows of other tables
//   _rec/schema                                                      the version of the tables
//   _rec/delta, _rec/logs/TABLE                                      if it keeps logs of Delta Lake (fleet_delta.h)
//
// Engines pass over names with an underscore in front.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace jrec {

inline constexpr int kFleetSchema = 1;

class FleetStore {
 public:
  // Makes it, or finds one that is there. Waits for another export to end, and says so. What a killed one has left is undone, or
  // brought to its end. kUsage: something else is in it.
  // must_be_there: none is made, kUsage.
  static base::Result<std::unique_ptr<FleetStore>> open(const std::string& place, bool must_be_there);
  virtual ~FleetStore() = default;

  virtual base::Result<bool> has_file(const std::string& relative) = 0;
  // Paths of what ends with .parquet in there, on this machine: good until the next call.
  virtual base::Result<std::vector<std::string>> files_in(const std::string& relative) = 0;
  // A directory on this machine, not made yet, for the files of that recording: 0, 1, 2 ...
  virtual std::string in_the_making(const std::string& id) const = 0;
  // Puts these files under their names, targets[i] for file i, and removes the directory. kept: it will be done, by this export or
  // the next, whatever comes.
  virtual base::Status publish(const std::string& id, const std::vector<std::string>& targets, bool& kept) = 0;

  // Names of all that was published since it was opened.
  virtual const std::set<std::string>& published() const = 0;
  // Of all files but those in _rec, sorted.
  virtual base::Result<std::vector<std::string>> all_names() = 0;
  // A file's bytes from some point at or before `from_end` bytes from its end to there; and how many it has.
  struct End {
    std::vector<uint8_t> bytes;
    uint64_t file_size = 0;
  };
  virtual base::Result<End> end_of(const std::string& relative, uint64_t from_end) = 0;
  // A text, for which there is memory. Nothing: there is no such file.
  virtual base::Result<std::optional<std::string>> text_of(const std::string& relative) = 0;
  // As a whole, over what is there.
  virtual base::Status put(const std::string& relative, const std::string& text) = 0;
  // As a whole and only where there is none, whoever else writes there: false else.
  virtual base::Result<bool> put_new(const std::string& relative, const std::string& text) = 0;
};

// What to do where `said` is in _rec/schema.
base::Status check_fleet_schema(const std::string& said);
// A name within a data set. Never out of it, whoever wrote that.
bool stays_inside(const std::string& relative);

}  // namespace jrec
