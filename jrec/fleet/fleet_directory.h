// SPDX-License-Identifier: Apache-2.0
// FleetDirectory is a data set (fleet_store.h) in a directory:
//
//   DIR/_rec/lock        locked by the one export that adds now
//   DIR/_rec/new/ID/     files that are being made: 0, 1, 2 ...; `moves` is where they belong, and comes last
//
// A file appears under its name when it is whole and on the disk.
//
//   killed before `moves` is there     the next export removes what was made
//   killed behind it                   the next export moves the rest; the row in recordings comes last
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "jrec/fleet/fleet_store.h"

namespace jrec {

class FleetDirectory : public FleetStore {
 public:
  static base::Result<std::unique_ptr<FleetStore>> open(const std::string& path, bool must_be_there);

  base::Result<bool> has_file(const std::string& relative) override;
  base::Result<std::vector<std::string>> files_in(const std::string& relative) override;
  std::string in_the_making(const std::string& id) const override { return path_ + "/_rec/new/" + id; }
  base::Status publish(const std::string& id, const std::vector<std::string>& targets, bool& kept) override;
  const std::set<std::string>& published() const override { return published_; }
  base::Result<std::vector<std::string>> all_names() override;
  base::Result<End> end_of(const std::string& relative, uint64_t from_end) override;
  base::Result<std::optional<std::string>> text_of(const std::string& relative) override;
  base::Status put(const std::string& relative, const std::string& text) override;
  base::Result<bool> put_new(const std::string& relative, const std::string& text) override;

 private:
  FleetDirectory(std::string path, base::Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  base::Status check_schema() const;
  base::Status clear_up() const;

  const std::string path_;
  const base::Descriptor lock_;
  std::set<std::string> published_;
};

}  // namespace jrec
