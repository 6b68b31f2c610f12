// SPDX-License-Identifier: Apache-2.0
#include "jrec/report/facts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "jrec/flame/page_json.h"
#include "jrec/values/lost_samples.h"
#include "jrec/view/event_pass.h"

namespace jrec {

using jfr::read::Chunk;
using jfr::read::Event;

namespace {

struct Fact {
  std::string_view caption, type, field;
};

// In the order of the page. Of those with one caption, the first that is told.
constexpr Fact kFacts[] = {
    {"JVM", "jdk.JVMInformation", "jvmName"},
    {"Version", "jdk.JVMInformation", "jvmVersion"},
    {"Program", "jdk.JVMInformation", "javaArguments"},
    {"Process", "jdk.JVMInformation", "pid"},
    {"Started", "jdk.JVMInformation", "jvmStartTime"},
    {"Arguments", "jdk.JVMInformation", "jvmArguments"},
    {"Collector", "jdk.GCConfiguration", "oldCollector"},
    {"Collector", "jdk.GarbageCollection", "name"},
    {"Heap at most", "jdk.GCHeapConfiguration", "maxSize"},
    {"CPUs", "jdk.CPUInformation", "hwThreads"},
    {"Memory", "jdk.PhysicalMemory", "totalSize"},
    {"System", "jdk.OSInformation", "osVersion"},
    {"Container", "jdk.ContainerConfiguration", "containerType"},
    {"End", "jdk.Shutdown", "reason"},
};

constexpr std::string_view kNotKnown = "N/A";  // the collector, where the JVM does not count

struct LossField {
  std::string_view type, count, cause;
};
constexpr std::string_view kLostBytes = "jdk.DataLoss";  // all others are samples or events
constexpr LossField kLosses[] = {
    {"rec.Counters", "count", "cause"},
    {kLostBytes, "amount", ""},
    {"jdk.CPUTimeSamplesLost", "lostSamples", ""},
};

constexpr size_t kMostTold = 3;       // of one fact
constexpr size_t kMostKept = 10'000;  // different ones

void note(std::vector<std::string>& values, std::string text) {
  const bool is_new = !text.empty() && values.size() < kMostKept && std::ranges::find(values, text) == values.end();
  if (is_new) values.push_back(std::move(text));
}

std::string text_of(const std::vector<std::string>& values) {
  const size_t told = std::min(values.size(), kMostTold);
  std::string text = joined(std::span(values).first(told), "; ");
  if (values.size() > told) text += fmt::format("; and {} more", values.size() - told);
  return text;
}

}  // namespace

void ReportFacts::begin(const CellReader& cells, const jfr::read::Chunk& chunk) {
  recorded_.begin(chunk);
  plans_.assign(chunk.metadata().types().size(), {});
  for (size_t index = 0; index < plans_.size(); ++index) {
    const jfr::read::Type& type = chunk.metadata().types()[index];
    const auto bind = [&](size_t fact, std::string_view field, std::string_view cause) {
      FieldPath path = cells.bind(field, type);
      if (path.field >= 0) plans_[index].push_back({fact, std::move(path), cells.bind(cause, type)});
    };
    for (size_t i = 0; i < std::size(kFacts); ++i)
      if (kFacts[i].type == type.name) bind(i, kFacts[i].field, {});
    for (size_t i = 0; i < std::size(kLosses); ++i)
      if (kLosses[i].type == type.name) bind(std::size(kFacts) + i, kLosses[i].count, kLosses[i].cause);
  }
}

void ReportFacts::add(CellReader& cells, const jfr::read::Event& event, uint32_t index) {
  if (recorded_.wants(index)) return recorded_.add(cells, event, index);
  const jfr::read::Type& type = cells.fields().chunk().metadata().types()[index];
  for (Bound& bound : plans_[index]) {
    const Cell value = cells.read(event, type, bound.value);
    if (value.null() || value.text == kNotKnown) continue;
    if (bound.fact < std::size(kFacts)) {
      note(values_[bound.fact], show(value, cells.utc_offset_s()));
      continue;
    }
    const LossField& loss = kLosses[bound.fact - std::size(kFacts)];
    const std::string cause = loss.type == kLostBytes ? std::string(kLostBytes) + " bytes"
                              : loss.cause.empty()    ? std::string(loss.type)
                                                      : cells.read(event, type, bound.cause).text;
    const bool is_loss = loss.cause.empty() || is_lost_sample(cause);
    if (is_loss && value.integer > 0) lost_[cause] += static_cast<uint64_t>(held_in_long(value.integer));
  }
}

void ReportFacts::read_facts_of_all(Recording& recording) {
  ReportFacts all;
  const Filter everything;
  EventPass pass{recording, everything};
  recording.unsaid([&] {
    pass.run([&](const CellReader& cells, const Chunk& chunk) { all.begin(cells, chunk); },
             [&](uint32_t type) { return all.wants(type); },
             [&](CellReader& cells, const Event& event, uint32_t type) { all.add(cells, event, type); });
  });
  values_ = std::move(all.values_);
  recorded_ = std::move(all.recorded_);
}

void ReportFacts::append_json(const std::vector<std::string>& recorded_twice, std::string& out) const {
  std::vector<std::pair<std::string_view, std::string>> told;
  for (const auto& [fact, values] : values_) {
    const std::string_view caption = kFacts[fact].caption;
    const std::string text = text_of(values);
    const bool is_known = std::ranges::any_of(told, [&](const auto& each) { return each.first == caption; });
    if (!is_known && !text.empty()) told.emplace_back(caption, text);
  }
  if (!recorded_twice.empty()) told.emplace_back("Recorded twice", text_of(recorded_twice));
  append_list("facts", told, out, [&](const auto& fact) {
    out += '[';
    append_shown(fact.first, out);
    out += ',';
    append_shown(fact.second, out);
    out += ']';
  });
  recorded_.append_json(out);
  append_list("lost", lost_, out, [&](const auto& loss) {
    out += '[';
    append_shown(loss.first, out);
    append_format(out, ",{}]", loss.second);
  });
}

}  // namespace jrec
