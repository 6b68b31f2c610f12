// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_stacks.h"

#include <algorithm>

#include "jrec/parquet/parquet_longs.h"

namespace jrec {
namespace {

using base::Result;
using base::Status;
using Shape = ParquetColumn::Shape;

const ParquetColumns kStackColumns = {
    {"stack", ParquetType::kLong, false, Shape::kOne, "", true},
    {"depth", ParquetType::kInt},
    {"truncated", ParquetType::kFlag},
    {"top", ParquetType::kText, true},
    {"method", ParquetType::kText, false, Shape::kList, "frames"},
    {"class", ParquetType::kText, false, Shape::kList, "frames"},
    {"line", ParquetType::kInt, false, Shape::kList, "frames"},
    {"bci", ParquetType::kInt, false, Shape::kList, "frames"},
    {"kind", ParquetType::kText, false, Shape::kList, "frames"},
};
enum StackColumn : size_t {
  kNumber,
  kDepth,
  kTruncated,
  kTopMethod,
  kMethod,
  kClass,
  kLine,
  kBci,
  kKind,
};

std::string_view class_of(std::string_view method) {
  const size_t dot = method.rfind('.');
  return dot == method.npos ? std::string_view() : method.substr(0, dot);
}

int64_t held_in_int(int64_t value) { return std::clamp<int64_t>(value, INT32_MIN, INT32_MAX); }

void put_frames(const StackStore& store, const StoredStack& stack, ParquetWriter& out) {
  for (const StackColumn column : {kMethod, kClass, kLine, kBci, kKind})
    out.column(column).begin_list(stack.frames.size());
  for (const uint32_t place : stack.frames) {
    const StoredFrame& frame = store.frame(place);
    out.column(kMethod).add_text(frame.method);
    out.column(kClass).add_text(class_of(frame.method));
    out.column(kLine).add(held_in_int(frame.line));
    out.column(kBci).add(held_in_int(frame.bci));
    out.column(kKind).add_text(frame.kind);
  }
}

void put_stack(const StackStore& store, int64_t number, ParquetWriter& out) {
  const StoredStack& stack = *store.find(number);
  out.column(kNumber).add(number);
  out.column(kDepth).add(static_cast<int64_t>(stack.frames.size()));
  out.column(kTruncated).add(stack.truncated);
  if (stack.frames.empty())
    out.column(kTopMethod).add_null();
  else
    out.column(kTopMethod).add_text(store.frame(stack.frames[0]).method);
  put_frames(store, stack, out);
  out.end_row();
}

}  // namespace

Result<StacksThere::Numbers*> StacksThere::of(const std::string& partition) {
  if (const auto known = known_.find(partition); known != known_.end()) return &known->second;
  Numbers numbers;
  const auto files = store_.files_in("stacks/" + partition);
  if (!files) return files.error();
  for (const std::string& file : *files) {
    const auto longs = read_first_longs(file);
    if (!longs) return base::Error{longs.error().code, longs.error().offset, file + ": " + longs.error().what};
    numbers.insert(longs->begin(), longs->end());
  }
  kept_ += numbers.size();
  return &(known_[partition] = std::move(numbers));
}

void StacksThere::forget_many() {
  if (kept_ <= kMostKept) return;
  known_.clear();
  kept_ = 0;
}

void StacksUsed::add(int64_t day, int64_t number, const StackStore& store) {
  OfDay& of_day = days_[day];
  if (!of_day.met.insert(number).second) return;
  of_day.order.push_back(number);
  store_.copy(store, number);
}

Result<uint64_t> StacksUsed::write(FleetAppend& append, StacksThere& there, Partition partition,
                                   std::vector<Added>& added) const {
  uint64_t count = 0;
  for (const auto& [day, used] : days_) {
    partition.day = day;
    const std::string path = partition.path();
    const auto known = there.of(path);
    if (!known) return known.error();
    Added fresh{*known, {}};
    std::ranges::copy_if(used.order, std::back_inserter(fresh.numbers),
                         [&](int64_t number) { return !(*known)->contains(number); });
    count += fresh.numbers.size();
    if (fresh.numbers.empty()) continue;
    if (const Status written = write_rows(append, path, fresh.numbers); !written) return written.error();
    added.push_back(std::move(fresh));
  }
  return count;
}

Status StacksUsed::write_rows(FleetAppend& append, const std::string& partition,
                              const std::vector<int64_t>& numbers) const {
  auto file = append.begin("stacks", partition, kStackColumns);
  if (!file) return file.error();
  for (const int64_t number : numbers) put_stack(store_, number, (*file)->writer());
  return (*file)->finish();
}

}  // namespace jrec
