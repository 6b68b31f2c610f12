// SPDX-License-Identifier: Apache-2.0
#include "jrec/delta/delta_commit.h"

#include <fmt/core.h>

#include <chrono>

#include "jrec/base/escape.h"

namespace jrec {
namespace {

using Times = ParquetFacts::Times;

bool is_plain_in_uri(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         std::string_view("-_.~/=@+").find(c) != std::string_view::npos;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

// 2026-11-22T10:15:00.250Z. Times of a log have milliseconds.
std::string time_text(int64_t ms) {
  using std::chrono::milliseconds;
  const std::chrono::sys_time<milliseconds> time{milliseconds(ms)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss<milliseconds> clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

int64_t rounded_down_to_ms(int64_t micros) { return micros / 1000 - (micros % 1000 < 0 ? 1 : 0); }
int64_t rounded_up_to_ms(int64_t micros) { return micros / 1000 + (micros % 1000 > 0 ? 1 : 0); }

// Four digits of a year are all that engines read.
bool can_be_said(const Times& times) {
  constexpr int64_t kYear9999 = 253'370'764'800'000'000;  // micros
  return times.first >= 0 && times.last < kYear9999;
}

// Engines pass over files of other times by this, and some count rows by it alone.
std::string statistics(const ParquetFacts& facts) {
  std::string text = fmt::format("{{\"numRecords\":{}", facts.rows);
  if (facts.times && can_be_said(*facts.times)) {
    const std::string column = quoted(facts.times->column);
    text += fmt::format(",\"minValues\":{{{}:\"{}\"}},\"maxValues\":{{{}:\"{}\"}}", column,
                        time_text(rounded_down_to_ms(facts.times->first)), column,
                        time_text(rounded_up_to_ms(facts.times->last)));
  }
  return text + '}';
}

}  // namespace

std::string delta_uri(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    if (is_plain_in_uri(c))
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

std::string delta_path(std::string_view uri) {
  std::string path;
  for (size_t i = 0; i < uri.size(); ++i) {
    const int high = uri[i] == '%' && i + 2 < uri.size() ? hex_digit(uri[i + 1]) : -1;
    const int low = high < 0 ? -1 : hex_digit(uri[i + 2]);
    if (low < 0) {
      path += uri[i];
      continue;
    }
    path += static_cast<char>(high << 4 | low);
    i += 2;
  }
  return path;
}

DeltaCommit::DeltaCommit(int64_t now_ms) : now_ms_(now_ms) {
  text_ = fmt::format(
      R"({{"commitInfo":{{"timestamp":{},"operation":"WRITE","operationParameters":{{"mode":"Append"}},"engineInfo":"{}{}"}}}})"
      "\n",
      now_ms, kDeltaEngine, JREC_VERSION);
}

void DeltaCommit::make_table(std::string_view id, const std::vector<std::string>& partition_columns,
                             const DeltaSchema& schema) {
  std::string columns;
  for (const std::string& column : partition_columns) columns += (columns.empty() ? "" : ",") + quoted(column);
  text_ += R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}})"
           "\n";
  change_table(fmt::format(
      R"({{"id":{},"format":{{"provider":"parquet","options":{{}}}},"schemaString":{},"partitionColumns":[{}],"configuration":{{}},"createdTime":{}}})",
      quoted(id), quoted(schema.json()), columns, now_ms_));
}

void DeltaCommit::change_table(const std::string& metadata) {
  text_ += "{\"metaData\":" + metadata + "}\n";
  ++actions_;
}

void DeltaCommit::add(const DeltaFile& file) {
  std::string values;
  for (const auto& [column, value] : file.partition)
    values += (values.empty() ? "" : ",") + quoted(column) + ':' + quoted(value);
  text_ += fmt::format(
      R"({{"add":{{"path":{},"partitionValues":{{{}}},"size":{},"modificationTime":{},"dataChange":true,"stats":{}}}}})"
      "\n",
      quoted(delta_uri(file.path)), values, file.bytes, now_ms_, quoted(statistics(file.facts)));
  ++actions_;
}

void DeltaCommit::remove(std::string_view path) {
  text_ += fmt::format(R"({{"remove":{{"path":{},"deletionTimestamp":{},"dataChange":true}}}})"
                       "\n",
                       quoted(delta_uri(path)), now_ms_);
  ++actions_;
}

}  // namespace jrec
