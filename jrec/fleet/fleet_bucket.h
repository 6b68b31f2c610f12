// SPDX-License-Identifier: Apache-2.0
// FleetBucket is a data set (fleet_store.h) in an object store, under s3://BUCKET/PREFIX. Nothing can be renamed there, so a recording
// is written down before it comes:
//
//   _rec/lock        the one export that adds now (bucket_lock.h)
//   _rec/new/ID      names of what will be written, a line each, the row in recordings last
//
//   put _rec/new/ID --> put the files of all tables --> put the row in recordings --> remove _rec/new/ID
//
//   killed before the row is there     the next export removes what was written
//   killed behind it                   the next export removes _rec/new/ID
//
// So who goes by the rows in recordings never sees half of one, and who does not sees it from the first file on. Names are made of the
// recording's id: two exports of one recording write the same.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "jrec/fleet/bucket_lock.h"
#include "jrec/fleet/fleet_store.h"
#include "jrec/http/object_store.h"

namespace jrec {

class FleetBucket : public FleetStore {
 public:
  static base::Result<std::unique_ptr<FleetStore>> open(const std::string& place, bool must_be_there);
  ~FleetBucket() override;

  base::Result<bool> has_file(const std::string& relative) override { return store_.has(relative); }
  // Fetched; they go with the next call.
  base::Result<std::vector<std::string>> files_in(const std::string& relative) override;
  std::string in_the_making(const std::string& id) const override { return scratch_ + "/" + id; }
  base::Status publish(const std::string& id, const std::vector<std::string>& targets, bool& kept) override;
  const std::set<std::string>& published() const override { return published_; }
  base::Result<std::vector<std::string>> all_names() override;
  base::Result<End> end_of(const std::string& relative, uint64_t from_end) override;
  base::Result<std::optional<std::string>> text_of(const std::string& relative) override;
  base::Status put(const std::string& relative, const std::string& text) override;
  base::Result<bool> put_new(const std::string& relative, const std::string& text) override;

 private:
  FleetBucket(ObjectStore store, std::string scratch) : store_(std::move(store)), scratch_(std::move(scratch)) {}
  base::Status check_schema(bool must_be_there);
  base::Status clear_up();
  base::Status undo(const std::string& journal, const std::string& names);
  base::Status put_file(const std::string& path, const std::string& target);
  base::Result<std::vector<std::string>> list(const std::string& prefix, size_t most = SIZE_MAX);
  base::Status fetch(const std::string& key, const std::string& path);

  ObjectStore store_;
  const std::string scratch_;  // a directory of this process
  std::unique_ptr<BucketLock> lock_;
  std::set<std::string> published_;
};

}  // namespace jrec
