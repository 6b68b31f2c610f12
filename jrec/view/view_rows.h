// SPDX-License-Identifier: Apache-2.0
// ViewRows is one view being filled, chunk after chunk, and in the end its rows.
//
//   begin(chunk) -> add(event) ... -> begin(next chunk) -> ... -> finish()
//
// Memory grows with distinct rows. Of rows that are one event each, only those that can still be shown are kept when
// the view has a limit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/values/jvm_numbers.h"
#include "jrec/view/cell_reader.h"
#include "jrec/view/tally.h"
#include "jrec/view/view.h"

namespace jrec {

struct Rows {
  std::vector<Column> columns;  // those that are shown
  std::vector<std::vector<Cell>> rows;
  size_t left_out = 0;  // by the limit
  int32_t utc_offset_s = 0;
};

class ViewRows {
 public:
  explicit ViewRows(const View& view);

  const View& view() const { return view_; }
  bool has_events() const { return events_ != 0; }

  // What each event type of the chunk, by its index, means for this view; then its events.
  // jvm: whose chunk it is (jvm_numbers.h), where that is asked for, and what it says about that itself.
  void begin(const CellReader& cells, const jfr::read::Chunk& chunk, uint32_t jvm = 0,
             const std::optional<WriterProcess>& writer = {});
  bool asks_for_jvm() const { return by_jvm_ || has_growth_; }
  bool wants(uint32_t type) const { return type < plans_.size() && plans_[type] != nullptr; }
  void add(CellReader& cells, const jfr::read::Event& event, uint32_t type);

  Rows finish();

 private:
  struct Condition {
    FieldPath path;
    std::string value;
    bool equal = true;
    bool any = false;  // there is no condition
  };
  struct Bound {
    bool used = false;
    bool has_field = false;
    FieldPath path;
    Condition when;
    std::vector<uint32_t> key_ids;  // of the path's constants; kNoId: not asked yet
  };
  struct Plan {
    std::vector<Bound> columns;
    Condition when;
  };
  struct Row {
    std::vector<Tally> tallies;
    int64_t last_ns = INT64_MIN;
    uint32_t jvm = 0;
  };
  static constexpr uint32_t kNoId = 0xffffffff;

  bool takes(const jfr::read::Type& type) const;
  std::unique_ptr<Plan> plan_for(const CellReader& cells, const jfr::read::Type& type) const;
  static Condition condition(const CellReader& cells, const std::string& words, const jfr::read::Type& type);
  static bool holds(CellReader& cells, const jfr::read::Event& event, const jfr::read::Type& type, Condition& when);
  Row& row_of(CellReader& cells, const jfr::read::Event& event, const jfr::read::Type& type, Plan& plan);
  uint32_t key_id(Bound& bound, const Cell& cell);
  void prune();
  bool before(const Row& a, const Row& b) const;
  void drop_old();
  bool names_jvms() const;
  std::vector<uint32_t> jvms_without_rows() const;
  std::vector<Cell> process_cells(uint32_t jvm) const;
  void fill_shares(std::vector<std::vector<Cell>>& rows) const;

  View view_;
  bool grouped_ = false;     // a row for each combination of keys
  bool per_event_ = false;   // a row for each event
  bool by_jvm_ = false;      // a key means something in one JVM only
  bool has_growth_ = false;  // of what a JVM counts
  uint32_t jvm_ = 0;
  std::map<uint32_t, WriterProcess> processes_;  // by JVM, of those that tell
  std::vector<std::unique_ptr<Plan>> plans_;     // by index of the chunk's types
  std::map<std::string, uint32_t> ids_;          // of key cells, by identity
  std::map<std::vector<uint32_t>, size_t> by_key_;
  std::vector<uint32_t> key_;
  std::vector<std::unique_ptr<Row>> rows_;
  uint64_t events_ = 0;
  size_t pruned_ = 0;
  int64_t newest_ns_ = INT64_MIN;
  std::optional<int32_t> utc_offset_s_;  // of the first chunk, as --from and --to have it
};

}  // namespace jrec
