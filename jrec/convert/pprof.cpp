// SPDX-License-Identifier: Apache-2.0
// pprof: perftools.profiles.Profile of github.com/google/pprof, the profile.proto that go tool pprof, Pyroscope and
// others read, gzipped.
//
//   one sample per stack, thread and request: values as value_names() has them, labels "thread" and "thread_id"; of a request
//   "trace_id", "span_id" and "span_name", as far as they are known: the last two are what Pyroscope finds a span's profile by
//   one location and one function per distinct name. Of native code the location has a mapping, its library, and an address, as they
//   stand in the file: as if it were loaded at its own addresses. A function that has no symbol has no line, so that others name it
//   mapping 1 is what has no library: Java, the kernel
//
// What grows is one sum per distinct stack, thread and request.
#include <algorithm>
#include <protozero/pbf_writer.hpp>
#include <unordered_map>
#include <vector>

#include "format/reader/key_hash.h"
#include "jrec/convert/convert_format.h"
#include "jrec/convert/convert_strings.h"

namespace jrec {
namespace {

using protozero::pbf_writer;

// Numbers of the fields, by message.
namespace profile {
enum { kSampleType = 1, kSample, kMapping, kLocation, kFunction, kStringTable };
enum { kTime = 9, kDuration, kPeriodType, kPeriod, kComment, kDefaultSampleType };
}  // namespace profile
namespace value_type {
enum { kType = 1, kUnit };
}
namespace sample {
enum { kLocations = 1, kValues, kLabel };
}
namespace label {
enum { kKey = 1, kText, kNumber };
}
namespace mapping {
enum { kId = 1, kStart, kLimit, kOffset, kFile, kBuildId, kHasFunctions };
}
namespace location {
enum { kId = 1, kMapping, kAddress, kLine };
}
namespace line {
enum { kFunction = 1 };
}
namespace function {
enum { kId = 1, kName };
}

constexpr uint64_t kNoLibrary = 1;  // the mapping of what is in none
constexpr uint64_t mapping_of(size_t library) { return library + 2; }

struct Sum {
  uint64_t events = 0, weight = 0, ns = 0;
};

// Whose sum it is, as places in the stream.
struct SumKey {
  uint32_t node = 0, thread = 0, context = 0;
  auto operator<=>(const SumKey&) const = default;
};
struct SumKeyHash {
  size_t operator()(const SumKey& key) const {
    return by_key(by_key(uint64_t{key.node} << 32 | key.thread) ^ key.context);
  }
  jfr::read::KeyHash by_key;
};

class Pprof : public ConvertFormat {
 public:
  Pprof(const SampleStream& stream, const ConvertSubject& subject, ConvertOutput& out)
      : stream_(stream), start_ns_(subject.start_ns), duration_ns_(subject.duration_ns), out_(out) {}

  void add(const SampleChunk& chunk) override {
    for (const TimedSample& event : chunk.samples) {
      Sum& sum = sums_[{event.node, event.thread, event.context}];
      ++sum.events;
      sum.weight += event.weight;
      sum.ns += event.ns;
    }
  }
  void finish() override;

 private:
  void add_type(pbf_writer& to, uint32_t field, std::string_view type, std::string_view unit);
  void add_types(pbf_writer& to);
  void add_sample(pbf_writer& to, const SumKey& key, const Sum& sum);
  void add_context(pbf_writer& to, const SampleContext& context);
  void add_label(pbf_writer& to, std::string_view key, std::string_view text);
  void add_label(pbf_writer& to, std::string_view key, int64_t number);
  void add_locations(pbf_writer& to);
  void add_location(pbf_writer& to, uint32_t name, const NativeFrame* native);
  void add_mappings(pbf_writer& to);

  const SampleStream& stream_;
  const int64_t start_ns_;
  const uint64_t duration_ns_;
  ConvertOutput& out_;
  std::unordered_map<SumKey, Sum, SumKeyHash> sums_;
  ConvertStrings strings_;
  std::vector<bool> used_;  // names that are a frame of a sample
  bool two_values_ = false;
};

void Pprof::add_type(pbf_writer& to, uint32_t field, std::string_view type, std::string_view unit) {
  pbf_writer message(to, field);
  message.add_int64(value_type::kType, strings_.index(type));
  message.add_int64(value_type::kUnit, strings_.index(unit));
}

void Pprof::add_types(pbf_writer& to) {
  const ValueNames names = value_names(stream_);
  add_type(to, profile::kSampleType, names.count, "count");
  if (two_values_) add_type(to, profile::kSampleType, names.value, names.unit);
  to.add_int64(profile::kDefaultSampleType, strings_.index(two_values_ ? names.value : names.count));
  to.add_int64(profile::kComment, strings_.index(stream_.event_type()));
  to.add_int64(profile::kTime, start_ns_);
  to.add_int64(profile::kDuration, static_cast<int64_t>(duration_ns_));
  add_type(to, profile::kPeriodType, names.period, names.period_unit);
  to.add_int64(profile::kPeriod, period_of(stream_, stream_.period_ns()));
}

void Pprof::add_label(pbf_writer& to, std::string_view key, std::string_view text) {
  pbf_writer message(to, sample::kLabel);
  message.add_int64(label::kKey, strings_.index(key));
  message.add_int64(label::kText, strings_.index(text));
}

void Pprof::add_label(pbf_writer& to, std::string_view key, int64_t number) {
  pbf_writer message(to, sample::kLabel);
  message.add_int64(label::kKey, strings_.index(key));
  message.add_int64(label::kNumber, number);
}

void Pprof::add_context(pbf_writer& to, const SampleContext& context) {
  if (!context.trace.empty()) add_label(to, "trace_id", context.trace);
  if (!context.span.empty()) add_label(to, "span_id", context.span);
  if (!context.name.empty()) add_label(to, "span_name", context.name);
  for (const auto& [key, value] : attributes_of(context)) add_label(to, key, value);
}

void Pprof::add_sample(pbf_writer& to, const SumKey& key, const Sum& sum) {
  pbf_writer message(to, profile::kSample);
  std::vector<uint64_t> locations;  // top first
  const auto& nodes = stream_.tree().nodes();
  for (uint32_t at = key.node; at != 0; at = nodes[at].parent) {
    locations.push_back(uint64_t{nodes[at].name} + 1);
    used_[nodes[at].name] = true;
  }
  message.add_packed_uint64(sample::kLocations, locations.begin(), locations.end());
  const bool samples = stream_.unit() == "samples";
  const int64_t values[] = {static_cast<int64_t>(samples ? sum.weight : sum.events),
                            static_cast<int64_t>(samples ? sum.ns : sum.weight)};
  message.add_packed_int64(sample::kValues, values, values + (two_values_ ? 2 : 1));
  const SampleThread& thread = stream_.threads()[key.thread];
  add_label(message, "thread", thread.name);
  if (thread.id() != 0) add_label(message, "thread_id", thread.id());
  add_context(message, stream_.contexts()[key.context]);
}

// A library that has symbols for all of its frames needs nobody else's.
void Pprof::add_mappings(pbf_writer& to) {
  const auto& libraries = stream_.natives().libraries();
  std::vector<bool> has_symbols(libraries.size(), true);
  for (uint32_t name = 0; name < used_.size(); ++name)
    if (const NativeFrame* const native = used_[name] ? stream_.natives().of(name) : nullptr)
      if (!native->has_symbol) has_symbols[native->library] = false;
  {
    pbf_writer message(to, profile::kMapping);
    message.add_uint64(mapping::kId, kNoLibrary);
    message.add_bool(mapping::kHasFunctions, true);
  }
  for (size_t i = 0; i < libraries.size(); ++i) {
    pbf_writer message(to, profile::kMapping);
    message.add_uint64(mapping::kId, mapping_of(i));
    message.add_uint64(mapping::kStart, libraries[i].start);
    message.add_uint64(mapping::kLimit, libraries[i].limit);
    message.add_uint64(mapping::kOffset, libraries[i].file_offset);
    message.add_int64(mapping::kFile, strings_.index(libraries[i].path));
    message.add_int64(mapping::kBuildId, strings_.index(libraries[i].build_id));
    message.add_bool(mapping::kHasFunctions, has_symbols[i]);
  }
}

void Pprof::add_location(pbf_writer& to, uint32_t name, const NativeFrame* native) {
  pbf_writer message(to, profile::kLocation);
  message.add_uint64(location::kId, uint64_t{name} + 1);
  message.add_uint64(location::kMapping, native == nullptr ? kNoLibrary : mapping_of(native->library));
  if (native != nullptr) message.add_uint64(location::kAddress, native->address);
  if (native != nullptr && !native->has_symbol) return;
  pbf_writer line(message, location::kLine);
  line.add_uint64(line::kFunction, uint64_t{name} + 1);
}

void Pprof::add_locations(pbf_writer& to) {
  for (uint32_t name = 0; name < used_.size(); ++name) {
    if (!used_[name]) continue;
    const NativeFrame* const native = stream_.natives().of(name);
    add_location(to, name, native);
    if (native != nullptr && !native->has_symbol) continue;
    pbf_writer message(to, profile::kFunction);
    message.add_uint64(function::kId, uint64_t{name} + 1);
    message.add_int64(function::kName, strings_.index(stream_.tree().names()[name]));
  }
}

void Pprof::finish() {
  std::vector<std::pair<SumKey, Sum>> sums(sums_.begin(), sums_.end());
  sums_.clear();
  std::sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  two_values_ = stream_.unit() != "samples" ||
                std::any_of(sums.begin(), sums.end(), [](const auto& sum) { return sum.second.ns != 0; });
  used_.resize(stream_.tree().names().size());
  pbf_writer writer(out_.text());
  add_types(writer);
  for (const auto& [key, sum] : sums) {
    add_sample(writer, key, sum);
    out_.flush_if_large();
  }
  add_mappings(writer);
  add_locations(writer);
  for (const std::string_view string : strings_.all()) {
    writer.add_string(profile::kStringTable, string.data(), string.size());
    out_.flush_if_large();
  }
}

}  // namespace

std::unique_ptr<ConvertFormat> make_pprof(const SampleStream& stream, const ConvertSubject& subject,
                                          ConvertOutput& out) {
  return std::make_unique<Pprof>(stream, subject, out);
}

}  // namespace jrec
