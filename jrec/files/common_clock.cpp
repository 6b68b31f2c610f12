// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/common_clock.h"

#include <algorithm>
#include <limits>

#include "format/reader/values.h"
#include "jrec/files/clipped_header.h"

namespace jrec {
namespace {

using jfr::read::Cursor;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Meaning;
using jfr::read::Type;

constexpr int64_t kDay_ns = 86'400'000'000'000;
constexpr int64_t kTicksPerSecond = 1'000'000'000;

int64_t wrapping_minus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

bool is_never(int64_t ticks) {
  return ticks == std::numeric_limits<int64_t>::min() || ticks == std::numeric_limits<int64_t>::max();
}

bool is_ticks(const Field& field) {
  return field.kind == Kind::kLong && !field.constant &&
         (field.meaning == Meaning::kTimestampTicks || field.meaning == Meaning::kTimespanTicks);
}

}  // namespace

CommonClock::CommonClock(int64_t first_start_ns) : zero_ns_(wrapping_minus(first_start_ns, kDay_ns)) {}

int64_t CommonClock::ticks_of(int64_t unix_ns) const { return wrapping_minus(unix_ns, zero_ns_); }

HeaderBytes CommonClock::header(const HeaderBytes& old, int64_t start_ns) const {
  HeaderBytes made = old;
  put_header_number(made, jfr::kStartTicksOffset, ticks_of(start_ns));
  put_header_number(made, jfr::kTicksPerSecondOffset, kTicksPerSecond);
  return made;
}

CommonTicks::CommonTicks(const CommonClock& to, const jfr::read::Clock& from, const jfr::read::Metadata& metadata)
    : to_(to), from_(from), metadata_(metadata), has_ticks_(metadata.types().size()) {
  std::vector<uint8_t> state(has_ticks_.size());
  for (uint32_t type = 0; type < has_ticks_.size(); ++type) has_ticks_[type] = holds_ticks(type, state);
}

// Values of types that can be decoded do not hold themselves.
bool CommonTicks::holds_ticks(uint32_t index, std::vector<uint8_t>& state) {
  enum : uint8_t { kUnknown, kNo, kYes };
  if (state[index] != kUnknown) return state[index] == kYes;
  state[index] = kNo;
  const Type& type = metadata_.types()[index];
  if (type.kind != Kind::kStruct || !type.decodable()) return false;
  for (const Field& field : type.fields)
    if (is_ticks(field) || (!field.constant && field.type != jfr::read::kNoType && holds_ticks(field.type, state)))
      state[index] = kYes;
  return state[index] == kYes;
}

bool CommonTicks::has_ticks(const Type& type) const {
  return has_ticks_[static_cast<size_t>(&type - metadata_.types().data())];
}

int64_t CommonTicks::moment(int64_t ticks) const {
  return is_never(ticks) ? ticks : to_.ticks_of(from_.unix_ns(ticks));
}

int64_t CommonTicks::span(int64_t ticks) const { return is_never(ticks) ? ticks : from_.span_ns(ticks); }

// Readers take the first field for ticks, and a duration behind it, whatever the metadata says of these two.
bool CommonTicks::copy_event(Cursor in, const Type& type, WireBytes& out) const {
  if (!type.decodable()) return false;
  for (size_t i = 0; i < type.fields.size() && in.ok(); ++i) {
    const Field& member = type.fields[i];
    const bool plain = member.kind == Kind::kLong && !member.constant && !member.array;
    if (plain && i == 0 && member.name == "startTime")
      out.leb(static_cast<uint64_t>(moment(static_cast<int64_t>(in.leb()))));
    else if (plain && i == 1 && member.name == "duration")
      out.leb(static_cast<uint64_t>(span(static_cast<int64_t>(in.leb()))));
    else
      field(in, member, out);
  }
  if (in.ok()) out.add(in.bytes(in.remaining()));
  return in.ok();
}

bool CommonTicks::copy_value(Cursor in, const Type& type, WireBytes& out) const {
  value(in, type, out);
  return in.ok();
}

void CommonTicks::value(Cursor& in, const Type& type, WireBytes& out) const {
  if (has_ticks(type)) {
    for (const Field& member : type.fields) field(in, member, out);
    return;
  }
  Cursor behind = in;
  skip_value(behind, metadata_, type);
  if (behind.ok())
    out.add(in.bytes(behind.at() - in.at()));
  else
    in.fail();
}

void CommonTicks::field(Cursor& in, const Field& member, WireBytes& out) const {
  const bool struct_with_ticks =
      !member.constant && member.kind == Kind::kStruct && has_ticks(metadata_.types()[member.type]);
  if (!is_ticks(member) && !struct_with_ticks) {
    Cursor behind = in;
    skip_field(behind, metadata_, member);
    if (!behind.ok()) return static_cast<void>(in.fail());
    return out.add(in.bytes(behind.at() - in.at()));
  }
  uint64_t count = 1;
  if (member.array) out.leb(count = jfr::read::read_count(in, metadata_, member));
  for (; count > 0 && in.ok(); --count) {
    if (struct_with_ticks) {
      value(in, metadata_.types()[member.type], out);
      continue;
    }
    const auto ticks = static_cast<int64_t>(in.leb());
    out.leb(static_cast<uint64_t>(member.meaning == Meaning::kTimestampTicks ? moment(ticks) : span(ticks)));
  }
}

}  // namespace jrec
