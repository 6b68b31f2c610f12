// SPDX-License-Identifier: Apache-2.0
// DeltaCommit is the next commit of a table's log (delta_log.h), in the making: lines of JSON, an action each.
//
//   DeltaCommit commit(now_ms);
//   commit.make_table("3f0c...", {"service", "day"}, schema);  // in the first one
//   commit.add({"service=shop/day=2026-11-22/ID.parquet", {{"service", "shop"}, ...}, 4711, facts});
//   commit.text()
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jrec/delta/delta_schema.h"
#include "jrec/parquet/parquet_facts.h"

namespace jrec {

// Who wrote a commit: what follows is the version.
inline constexpr char kDeltaEngine[] = "jrec/";

// Paths are URIs there (RFC 2396): what is no plain letter is %XX, also a percent sign of a name. What deltalake writes as it is stays as
// it is: it compares paths by their text.
std::string delta_uri(std::string_view path);
std::string delta_path(std::string_view uri);

struct DeltaFile {
  std::string path;                                            // from the table's folder
  std::vector<std::pair<std::string, std::string>> partition;  // its columns and their values
  uint64_t bytes = 0;
  ParquetFacts facts;
};

class DeltaCommit {
 public:
  static constexpr size_t kMostBytes = size_t{2} << 20;  // begin another one behind it

  explicit DeltaCommit(int64_t now_ms);

  // id: a UUID, of the table for ever.
  void make_table(std::string_view id, const std::vector<std::string>& partition_columns, const DeltaSchema& schema);
  void change_table(const std::string& metadata);  // DeltaLog::metadata()
  void add(const DeltaFile& file);
  void remove(std::string_view path);

  bool is_empty() const { return actions_ == 0; }
  bool is_full() const { return text_.size() >= kMostBytes; }
  const std::string& text() const { return text_; }

 private:
  int64_t now_ms_;
  size_t actions_ = 0;
  std::string text_;
};

}  // namespace jrec
