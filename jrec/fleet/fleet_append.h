// SPDX-License-Identifier: Apache-2.0
// The files of one recording on their way into a data set: made apart, on this machine, and published together (fleet_store.h).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "jrec/fleet/fleet_store.h"
#include "jrec/parquet/parquet_writer.h"

namespace jrec {

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
  FleetAppend(FleetStore& store, std::string id);
  ~FleetAppend();
  FleetAppend(const FleetAppend&) = delete;
  FleetAppend& operator=(const FleetAppend&) = delete;

  // TABLE/PARTITION/ID.parquet. Files are published in the order in which they were begun.
  base::Result<std::unique_ptr<FleetFile>> begin(const std::string& table, const std::string& partition,
                                                 const ParquetColumns& columns);
  base::Status commit();
  const std::string& id() const { return id_; }

 private:
  std::string free_target(const std::string& wanted) const;

  FleetStore& store_;
  const std::string id_;
  const std::string staging_;
  std::vector<std::string> targets_;  // of 0, 1, 2 ..., in the data set
  bool kept_ = false;                 // what is not published yet will be
};

}  // namespace jrec
