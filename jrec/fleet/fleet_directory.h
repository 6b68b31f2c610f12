// SPDX-License-Identifier: Apache-2.0
// FleetDirectory is a data set that grows recording by recording, each all or none.
//
//   DIR/recordings/day=2026-11-22/ID.parquet                             a row: the recording is there
//   DIR/TABLE/service=shop/day=2026-11-22/host=web-1/ID.parquet          its rows of other tables
//   DIR/_rec/schema      the version of the tables
//   DIR/_rec/lock        locked by the one export that adds now
//   DIR/_rec/new/ID/     files that are being made: 0, 1, 2 ...; `moves` is where they belong, and comes last
//
// Engines pass over names with an underscore in front. A file appears under its name when it is whole and on the disk.
//
//   killed before `moves` is there     the next export removes what was made
//   killed behind it                   the next export moves the rest; the row in recordings comes last
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "jrec/parquet/parquet_writer.h"

namespace jrec {

inline constexpr int kFleetSchema = 1;

class FleetDirectory {
 public:
  // Makes it, or finds one that is there. Waits for another export to end, and says so. kUsage: something else is in it.
  static base::Result<FleetDirectory> open(const std::string& path);

  bool has_file(const std::string& relative) const;
  std::vector<std::string> files_in(const std::string& relative) const;  // paths of what ends with .parquet
  const std::string& path() const { return path_; }
  std::string in_the_making(const std::string& id) const { return path_ + "/_rec/new/" + id; }

 private:
  FleetDirectory(std::string path, base::Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  base::Status check_schema() const;
  base::Status clear_up() const;

  std::string path_;
  base::Descriptor lock_;
};

// A file that is being made.
class FleetFile {
 public:
  FleetFile(base::Descriptor fd, const ParquetColumns& columns, ParquetWriter::Facts facts)
      : fd_(std::move(fd)), writer_(fd_.fd(), columns, std::move(facts)) {}
  ParquetWriter& writer() { return writer_; }
  base::Status finish();  // it is on the disk, and closed

 private:
  base::Descriptor fd_;
  ParquetWriter writer_;
};

// The files of one recording. Without a commit() they go with the object.
class FleetAppend {
 public:
  FleetAppend(const FleetDirectory& directory, std::string id);
  ~FleetAppend();
  FleetAppend(const FleetAppend&) = delete;
  FleetAppend& operator=(const FleetAppend&) = delete;

  // TABLE/PARTITION/ID.parquet. Files are moved in the order in which they were begun.
  base::Result<std::unique_ptr<FleetFile>> begin(const std::string& table, const std::string& partition,
                                                 const ParquetColumns& columns);
  base::Status commit();
  const std::string& id() const { return id_; }

 private:
  std::string free_target(const std::string& wanted) const;

  const FleetDirectory& directory_;
  const std::string id_;
  const std::string staging_;
  std::vector<std::string> targets_;  // of 0, 1, 2 ..., in the data set
  bool committed_ = false;            // what is not moved yet will be, by this export or the next
};

}  // namespace jrec
