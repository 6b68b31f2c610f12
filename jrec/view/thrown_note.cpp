// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/thrown_note.h"

#include <fmt/core.h>

#include "jrec/view/cell.h"

namespace jrec {
namespace {

constexpr std::string_view kThrownType = "jdk.JavaExceptionThrow";
constexpr double kClearlyMore = 1.25;  // statistics come once a second, and miss what is thrown at the ends

std::string number_words(double number) { return show(Cell::of(static_cast<uint64_t>(number)), 0); }

}  // namespace

// Where all of the time is chosen, or its beginning, a JVM that begins with its recording counts from nothing.
void ThrownNote::begin(const CellReader& cells, jfr::read::Chunk& chunk, const TimeRange& range) {
  const auto& types = chunk.metadata().types();
  const std::optional<WriterProcess> writer = writer_of(chunk);
  jvm_ = jvms_.of(writer);
  takes_.assign(types.size(), Takes::kNothing);
  for (size_t index = 0; index < types.size(); ++index) {
    const jfr::read::Type& type = types[index];
    if (type.name == kThrownType && type.field("weight") < 0) {
      takes_[index] = Takes::kThrown;
      thrown_type_ = static_cast<int64_t>(type.id);
    } else if (type.name == "jdk.ExceptionStatistics") {
      takes_[index] = Takes::kStatistics;
      at_ = cells.bind("startTime", type), throwables_ = cells.bind("throwables", type);
      const int64_t start_ns = chunk.header().start_ns;
      if (range.holds(start_ns) && begins_with(writer, chunk)) all_.look(jvm_, start_ns, 0);
    } else if (type.name == "jdk.ActiveSetting") {
      takes_[index] = Takes::kSetting;
      id_ = cells.bind("id", type), name_ = cells.bind("name", type), value_ = cells.bind("value", type);
    }
  }
}

void ThrownNote::add(CellReader& cells, const jfr::read::Event& event, uint32_t index) {
  const jfr::read::Type& type = cells.fields().chunk().metadata().types()[index];
  if (takes_[index] == Takes::kThrown) ++written_[jvm_];
  if (takes_[index] == Takes::kSetting) add_setting(cells, event, type);
  if (takes_[index] != Takes::kStatistics) return;
  const int64_t at_ns = held_in_long(cells.read(event, type, at_).integer);
  const int64_t count = held_in_long(cells.read(event, type, throwables_).integer);
  all_.look(jvm_, at_ns, count);
  looked_at_.look(jvm_, at_ns, count);
}

void ThrownNote::add_setting(CellReader& cells, const jfr::read::Event& event, const jfr::read::Type& type) {
  if (cells.read(event, type, name_).text != "throttle") return;
  if (held_in_long(cells.read(event, type, id_).integer) != thrown_type_) return;
  const std::string value = cells.read(event, type, value_).text;
  throttle_ = value == "off" ? "" : value;
}

std::string ThrownNote::words() const {
  double written = 0, thrown = 0;
  bool is_counted = !written_.empty();
  for (const auto& [jvm, events] : written_) {
    written += static_cast<double>(events);
    thrown += all_.growth(jvm);
    is_counted = is_counted && all_.is_counted(jvm);
  }
  if (written == 0) return "";
  const bool is_more = is_counted && thrown > written * kClearlyMore;
  if (is_counted && !is_more) return "";
  if (throttle_.empty() && !is_more) return "";
  const std::string why = fmt::format("{} is throttled to {}", kThrownType, throttle_);
  if (!is_more) return fmt::format("{} have an event, and perhaps more were thrown: {}", number_words(written), why);
  const std::string told = fmt::format("{} of {} thrown", number_words(written), number_words(thrown));
  return throttle_.empty() ? told + " have an event" : told + ": " + why;
}

std::string ThrownNote::words_before_looks() const {
  const double before = all_.growth() - looked_at_.growth();
  if (before <= 0) return "";
  return fmt::format("{} more before the first look at them: {} from the beginning of the JVM on", number_words(before),
                     number_words(all_.growth()));
}

}  // namespace jrec
