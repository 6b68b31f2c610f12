// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_period.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "format/reader/values.h"
#include "jrec/profile/plain_field.h"
#include "jrec/profile/sample_kind.h"

namespace jrec {
namespace {

using jfr::read::Cursor;
using jfr::read::Field;
using jfr::read::Type;

constexpr uint64_t kLargestNs = 24ull * 3600 * 1'000'000'000;

// What async-profiler calls 0 (src/arguments.h, wallClock.cpp).
constexpr uint64_t kDefaultNs = 10'000'000, kDefaultWallNs = 50'000'000;

constexpr size_t kMostHeld = 4096;  // of a chunk; more are not taken

struct Unit {
  std::string_view name;
  uint64_t ns;
};
constexpr Unit kUnits[] = {
    {"", 1}, {"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"m", 60'000'000'000}};

uint64_t id_of(const Type* type) { return type == nullptr ? ~uint64_t{0} : type->id; }

}  // namespace

uint64_t parse_period_ns(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const Unit& known : kUnits)
    if (known.name == unit) return number <= kLargestNs / known.ns ? number * known.ns : 0;
  return 0;
}

void SamplePeriod::enter(const jfr::read::Chunk& chunk, std::string_view event_type) {
  const auto& metadata = chunk.metadata();
  setting_ = metadata.find("jdk.ActiveSetting");
  if (setting_ != nullptr && !setting_->decodable()) setting_ = nullptr;
  type_id_ = id_of(metadata.find(event_type));
  is_wall_ = event_type == kWallType;
  told_ = Told::kOfOther;
  held_.clear();
  changes_ = false;
  other_id_ = is_wall_ ? id_of(metadata.find("jdk.ExecutionSample")) : type_id_;
}

void SamplePeriod::read(jfr::read::Chunk& chunk, const jfr::read::Event& event) {
  Cursor in = chunk.body(event);
  uint64_t id = 0;
  int64_t ticks = chunk.header().start_ticks;
  std::string name, value;
  for (const Field& field : setting_->fields) {
    if (!in.ok()) return;
    if (field.name == "id" && is_plain_integer(field))
      id = static_cast<uint64_t>(read_integer(in, field.kind));
    else if (field.name == "startTime" && is_plain_integer(field))
      ticks = read_integer(in, field.kind);
    else if (field.name == "name")
      chunk.append_text(in, field, name);
    else if (field.name == "value")
      chunk.append_text(in, field, value);
    else
      skip_field(in, chunk.metadata(), field);
  }
  if (id != type_id_ && id != other_id_) return;
  const bool is_of_wall = is_wall_ && name == "wall";
  if (!is_of_wall && name != "period" && name != "interval") return;
  const Told told = is_of_wall ? Told::kOfWall : id == type_id_ ? Told::kOfType : Told::kOfOther;
  if (told < told_) return;
  const bool is_default = value == "0" && name != "period";
  const uint64_t ns = is_default ? (is_wall_ ? kDefaultWallNs : kDefaultNs) : parse_period_ns(value);
  if (ns == 0) return;
  if (told > told_) held_.clear(), changes_ = false;
  told_ = told;
  note({chunk.clock().unix_ns(ticks), ns});
}

void SamplePeriod::note(const Held& held) {
  if (held_.size() == kMostHeld) return;
  const auto behind = std::ranges::upper_bound(held_, held.from_ns, {}, &Held::from_ns);
  changes_ = changes_ || (!held_.empty() && held.ns != ns_);
  held_.insert(behind, held);
  ns_ = held_.back().ns;
}

uint64_t SamplePeriod::ns_at(int64_t time_ns) const {
  const auto behind = std::ranges::upper_bound(held_, time_ns, {}, &Held::from_ns);
  if (behind != held_.begin()) return std::prev(behind)->ns;
  return held_.empty() ? ns_ : held_.front().ns;
}

}  // namespace jrec
