// SPDX-License-Identifier: Apache-2.0
#include "jrec/select/time_range.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include "jrec/values/time_text.h"

namespace jrec {
namespace {

constexpr int64_t kSecond_ns = 1'000'000'000;
constexpr int64_t kDay_s = 86'400, kDay_ns = kDay_s * kSecond_ns;
constexpr int64_t kEpochMillisFrom = int64_t{20} * 365 * 86'400'000;
constexpr double kFarthest_ns = 9.2e18;

base::Error no_moment(std::string_view words) {
  return base::Error{
      base::ErrorCode::kUsage, 0,
      "'" + std::string(words) +
          "' is no time: write 1500 (ms), 90s, -10s (before the end), 11:22:33, 11:22:33Z or 2023-11-20T11:22:33Z"};
}

// Takes the number of digits that stand at the front; nothing when there are none, or they are too many.
std::optional<int64_t> take_number(std::string_view& words, size_t digits_at_most) {
  int64_t number = 0;
  size_t digits = 0;
  while (digits < words.size() && words[digits] >= '0' && words[digits] <= '9') ++digits;
  if (digits == 0 || digits > digits_at_most) return {};
  std::from_chars(words.data(), words.data() + digits, number);
  words.remove_prefix(digits);
  return number;
}

bool take(std::string_view& words, char c) {
  if (words.empty() || words.front() != c) return false;
  words.remove_prefix(1);
  return true;
}

// hh:mm[:ss[.fraction]] at the front, as nanoseconds of the day.
std::optional<int64_t> take_time_of_day(std::string_view& words) {
  const auto hours = take_number(words, 2);
  if (!hours || *hours > 24 || !take(words, ':')) return {};
  const auto minutes = take_number(words, 2);
  if (!minutes || *minutes > 59) return {};
  int64_t nanos = (*hours * 3600 + *minutes * 60) * kSecond_ns;
  if (!take(words, ':')) return nanos;
  const auto seconds = take_number(words, 2);
  if (!seconds || *seconds > 60) return {};
  nanos += *seconds * kSecond_ns;
  if (!take(words, '.')) return nanos;
  const std::string_view fraction = words;
  const auto digits = take_number(words, 9);
  if (!digits) return {};
  int64_t scale = kSecond_ns;
  for (size_t i = 0; i < fraction.size() - words.size(); ++i) scale /= 10;
  return nanos + *digits * scale;
}

// Days since the epoch; none of a date that no calendar has.
std::optional<int64_t> days_of(int64_t year, int64_t month, int64_t day) {
  using namespace std::chrono;
  const year_month_day date(std::chrono::year(static_cast<int>(year)), std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return {};
  return sys_days(date).time_since_epoch().count();
}

// Z, +hh:mm or +hhmm; nothing when it is none of these.
std::optional<int32_t> offset_of(std::string_view words) {
  if (words == "Z" || words == "z") return 0;
  const bool west = !words.empty() && words.front() == '-';
  if (words.empty() || (words.front() != '+' && !west)) return {};
  words.remove_prefix(1);
  if (words.size() < 2) return {};
  std::string_view hour_words = words.substr(0, 2);
  words.remove_prefix(2);
  take(words, ':');
  const auto hours = take_number(hour_words, 2);
  const auto minutes = words.empty() ? std::optional<int64_t>(0) : take_number(words, 2);
  if (!hours || !minutes || !words.empty() || !hour_words.empty() || *hours > 18 || *minutes > 59) return {};
  const auto seconds = static_cast<int32_t>(*hours * 3600 + *minutes * 60);
  return west ? -seconds : seconds;
}

int64_t day_of(int64_t unix_ns, int32_t utc_offset_s) {
  return floor_div(unix_ns + int64_t{utc_offset_s} * kSecond_ns, kDay_ns);
}

// hh:mm[:ss[.fraction]] in the recording's time zone, or with an offset behind it.
struct TimeOfDay {
  int64_t ns;
  int32_t utc_offset_s;
};
std::optional<TimeOfDay> time_of_day(std::string_view words, const RecordingSpan& recording) {
  const auto ns = take_time_of_day(words);
  const auto offset = words.empty() ? std::optional(recording.utc_offset_s) : offset_of(words);
  if (!ns || !offset) return {};
  return TimeOfDay{*ns, *offset};
}

bool runs_past_midnight(const RecordingSpan& recording, int32_t utc_offset_s) {
  return day_of(recording.start_ns, utc_offset_s) != day_of(recording.end_ns, utc_offset_s);
}

std::optional<int64_t> parse_time_of_day(std::string_view words, const RecordingSpan& recording) {
  const auto time = time_of_day(words, recording);
  if (!time) return {};
  const int64_t first =
      day_of(recording.start_ns, time->utc_offset_s) * kDay_ns + time->ns - int64_t{time->utc_offset_s} * kSecond_ns;
  const int64_t next = first + kDay_ns;
  const bool next_is_nearer = first < recording.start_ns && next - recording.end_ns < recording.start_ns - first;
  return next_is_nearer ? next : first;
}

}  // namespace

std::optional<double> parse_span(std::string_view words, double bare) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"ns", 1},   {"us", 1e3},   {"\xc2\xb5s", 1e3}, {"ms", 1e6},     {"s", 1e9},
      {"m", 60e9}, {"min", 60e9}, {"h", 3600e9},      {"d", 86'400e9},
  };
  const size_t digit = words.starts_with('-') ? 1 : 0;
  if (digit >= words.size() || std::string_view("0123456789.").find(words[digit]) == std::string_view::npos) return {};
  double number = 0;
  const auto [end, error] =
      std::from_chars(words.data(), words.data() + words.size(), number, std::chars_format::fixed);
  if (error != std::errc()) return {};
  std::string_view unit(end, static_cast<size_t>(words.data() + words.size() - end));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  double scale = unit.empty() ? bare : 0;
  for (const auto& [name, nanos] : kUnits)
    if (unit == name) scale = nanos;
  if (scale == 0 || std::fabs(number * scale) > kFarthest_ns) return {};
  return number * scale;
}

std::optional<int64_t> parse_iso(std::string_view words, int32_t utc_offset_s) {
  const auto year = take_number(words, 4);
  if (!year || !take(words, '-')) return {};
  const auto month = take_number(words, 2);
  if (!month || !take(words, '-')) return {};
  const auto day = take_number(words, 2);
  // Up to 2261: beyond, nanoseconds since the epoch do not fit.
  if (!day || *year < 1700 || *year > 2261) return {};
  const auto days = days_of(*year, *month, *day);
  if (!days) return {};
  int64_t of_day = 0;
  if (take(words, 'T') || take(words, ' ')) {
    const auto time = take_time_of_day(words);
    if (!time) return {};
    of_day = *time;
  }
  std::optional<int32_t> offset = utc_offset_s;
  if (!words.empty()) offset = offset_of(words);
  if (!offset) return {};
  return (*days * kDay_s - *offset) * kSecond_ns + of_day;
}

// Not through a double, which cannot tell nanoseconds of today apart.
std::optional<int64_t> parse_epoch_millis(std::string_view words) {
  const auto millis = take_number(words, 15);
  int64_t nanos = 0;
  if (!millis || !words.empty() || *millis < kEpochMillisFrom) return {};
  if (__builtin_mul_overflow(*millis, int64_t{1'000'000}, &nanos)) return {};
  return nanos;
}

base::Result<int64_t> parse_moment(std::string_view words, const RecordingSpan& recording) {
  if (const auto iso = parse_iso(words, recording.utc_offset_s)) return *iso;
  if (const auto of_day = parse_time_of_day(words, recording)) return *of_day;
  const auto span = parse_span(words, 1e6);
  if (!span) return no_moment(words);
  if (const auto since_epoch = parse_epoch_millis(words)) return *since_epoch;
  const bool from_end = words.front() == '-';
  int64_t moment = 0;
  const int64_t base = from_end ? recording.end_ns : recording.start_ns;
  if (__builtin_add_overflow(base, static_cast<int64_t>(std::llround(*span)), &moment)) return no_moment(words);
  return moment;
}

namespace {

base::Result<TimeRange> parse_range(std::string_view from, std::string_view to, const RecordingSpan& recording) {
  TimeRange range;
  for (const auto& [words, end] : {std::pair{from, &range.from_ns}, std::pair{to, &range.to_ns}}) {
    if (words.empty()) continue;
    const auto moment = parse_moment(words, recording);
    if (!moment) return moment.error();
    *end = *moment;
  }
  const auto end = time_of_day(to, recording);
  if (range.from_ns > range.to_ns && range.from_ns - range.to_ns < kDay_ns && end &&
      runs_past_midnight(recording, end->utc_offset_s))
    range.to_ns += kDay_ns;
  if (range.from_ns > range.to_ns)
    return base::Error{base::ErrorCode::kUsage, 0,
                       "--from " + std::string(from) + " is later than --to " + std::string(to)};
  return range;
}

}  // namespace

TimeChoice time_choice(std::string from, std::string to) {
  if (from.empty() && to.empty()) return {};
  const auto choose = [from = std::move(from), to = std::move(to)](const RecordingSpan& recording) {
    return parse_range(from, to, recording);
  };
  return {choose, {}};
}

}  // namespace jrec
