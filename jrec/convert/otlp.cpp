// SPDX-License-Identifier: Apache-2.0
// OTLP: opentelemetry.proto.profiles.v1development.ProfilesData as of opentelemetry-proto 1.11.
//
//   resource_profiles, one per chunk of the recording { one scope { one Profile } }, then one dictionary for all
//   Sample: one per stack, thread and request of a chunk; its values and timestamps go side by side, or one value is the sum
//
// A stack is a node of the tree and becomes one entry of the dictionary. A location is a name and what ran it:
// attribute profile.frame.type. One of native code has the mapping of its library, whose attribute process.executable.build_id.gnu
// says which, and an address, as they stand in the file: as if it were loaded at its own addresses. A function that has no symbol has
// no line, so that others name it. The request that a sample was taken in is its link, the name of the span attribute span.name.
// Threads are attributes thread.name and thread.id. Entry 0 of each table is the empty one.
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <numeric>
#include <protozero/pbf_writer.hpp>
#include <tuple>
#include <vector>

#include "jrec/convert/convert_format.h"
#include "jrec/convert/convert_strings.h"
#include "jrec/convert/otlp_fields.h"

namespace jrec {
namespace {

using protozero::pbf_writer;

using namespace otlp_fields;

constexpr size_t kTraceBytes = 16, kSpanBytes = 8;

// What ran a frame, in the words of OpenTelemetry's conventions; empty when they have none.
const char* frame_type(FrameKind kind) {
  switch (kind) {
    case FrameKind::kInterpreted:
    case FrameKind::kCompiled:
    case FrameKind::kInlined: return "jvm";
    case FrameKind::kNative:
    case FrameKind::kCpp: return "native";
    case FrameKind::kKernel: return "kernel";
    case FrameKind::kOther: break;
  }
  return "";
}

// The bytes of an id in hexadecimal digits; nothing: it is no such id.
std::string id_bytes(std::string_view digits, size_t count) {
  std::string bytes(count, '\0');
  if (digits.size() != 2 * count) return {};
  for (size_t i = 0; i < count; ++i) {
    const char* const begin = digits.data() + 2 * i;
    unsigned byte = 0;
    if (const auto read = std::from_chars(begin, begin + 2, byte, 16); read.ptr != begin + 2) return {};
    bytes[i] = static_cast<char>(byte);
  }
  return bytes;
}

class Otlp : public ConvertFormat {
 public:
  Otlp(const SampleStream& stream, const ConvertSubject& subject, ConvertOutput& out)
      : stream_(stream), subject_(subject), out_(out) {}

  void add(const SampleChunk& chunk) override;
  void finish() override;

 private:
  // Attributes are told apart by key and value; numbers are kept as text until they are written.
  struct Attribute {
    std::string key, text;
    bool number = false;
    auto operator<=>(const Attribute&) const = default;
  };

  void add_resource(pbf_writer& to);
  void add_profile(pbf_writer& to, const SampleChunk& chunk);
  void add_type(pbf_writer& to, uint32_t field, std::string_view type, std::string_view unit);
  void add_samples(pbf_writer& to, const SampleChunk& chunk);
  void add_sample(pbf_writer& to, std::span<const TimedSample> same);
  void add_stacks(pbf_writer& to);
  void add_links(pbf_writer& to);
  void add_mappings(pbf_writer& to);
  void add_locations(pbf_writer& to);
  void add_location(pbf_writer& to, uint32_t name, int32_t function, std::string_view type);
  const NativeFrame* native_of(uint32_t name) const;
  void add_attributes(pbf_writer& to);
  int32_t stack_of(uint32_t node);
  int32_t location_of(uint32_t node);
  int32_t link_of(uint32_t context);
  int32_t attribute_of(const Attribute& attribute);
  std::string id_of(const SampleChunk& chunk) const;

  const SampleStream& stream_;
  const ConvertSubject subject_;
  ConvertOutput& out_;
  ConvertStrings strings_;
  std::vector<int32_t> stacks_;                                         // by node; 0: not used yet
  std::vector<uint32_t> stack_nodes_;                                   // of entries 1...
  std::map<std::pair<uint32_t, std::string_view>, int32_t> locations_;  // by name and type
  std::map<Attribute, int32_t> attributes_;
  std::map<std::pair<std::string, std::string>, int32_t> links_;  // by the ids' bytes
};

int32_t Otlp::stack_of(uint32_t node) {
  if (stacks_.size() <= node) stacks_.resize(stream_.tree().nodes().size());
  if (stacks_[node] != 0) return stacks_[node];
  stack_nodes_.push_back(node);
  return stacks_[node] = static_cast<int32_t>(stack_nodes_.size());
}

int32_t Otlp::location_of(uint32_t node) {
  const StackTree::Node& frame = stream_.tree().nodes()[node];
  return locations_.try_emplace({frame.name, frame_type(frame.kind)}, static_cast<int32_t>(locations_.size() + 1))
      .first->second;
}

int32_t Otlp::attribute_of(const Attribute& attribute) {
  return attributes_.try_emplace(attribute, static_cast<int32_t>(attributes_.size() + 1)).first->second;
}

// 0: it has none, or ids that are none.
int32_t Otlp::link_of(uint32_t context) {
  const SampleContext& ids = stream_.contexts()[context];
  std::pair link(id_bytes(ids.trace, kTraceBytes), id_bytes(ids.span, kSpanBytes));
  if (link.first.empty() || link.second.empty()) return 0;
  return links_.try_emplace(std::move(link), static_cast<int32_t>(links_.size() + 1)).first->second;
}

void Otlp::add_type(pbf_writer& to, uint32_t field, std::string_view type, std::string_view unit) {
  pbf_writer message(to, field);
  message.add_int32(value_type::kType, strings_.index(type));
  message.add_int32(value_type::kUnit, strings_.index(unit));
}

void Otlp::add(const SampleChunk& chunk) {
  pbf_writer writer(out_.text());
  {
    pbf_writer resource(writer, data::kResourceProfiles);
    add_resource(resource);
    pbf_writer scope(resource, resource_profiles::kScopeProfiles);
    {
      pbf_writer name(scope, scope_profiles::kScope);
      name.add_string(scope::kName, "jrec");
      name.add_string(scope::kVersion, JREC_VERSION);
    }
    pbf_writer profile(scope, scope_profiles::kProfiles);
    add_profile(profile, chunk);
  }
  out_.flush_if_large();
}

void Otlp::add_resource(pbf_writer& to) {
  if (subject_.resource.empty()) return;
  pbf_writer resource(to, resource_profiles::kResource);
  for (const auto& [name, text] : subject_.resource) {
    pbf_writer pair(resource, resource::kAttributes);
    pair.add_string(key_value::kKey, name);
    pbf_writer value(pair, key_value::kValue);
    value.add_string(any_value::kString, text);
  }
}

void Otlp::add_profile(pbf_writer& to, const SampleChunk& chunk) {
  const ValueNames names = value_names(stream_);
  if (stream_.unit() == "samples")
    add_type(to, profile::kSampleType, names.count, "count");
  else
    add_type(to, profile::kSampleType, names.value, names.unit);
  add_samples(to, chunk);
  to.add_fixed64(profile::kTime, static_cast<uint64_t>(chunk.start_ns));
  to.add_uint64(profile::kDuration, chunk.duration_ns);
  add_type(to, profile::kPeriodType, names.period, names.period_unit);
  to.add_int64(profile::kPeriod, period_of(stream_, chunk.period_ns));
  to.add_bytes(profile::kId, id_of(chunk));
}

// Sixteen bytes that are the same whenever the same samples are written, and no other profile's: whoever gets one twice
// can tell.
std::string Otlp::id_of(const SampleChunk& chunk) const {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(state.get());
  const auto add_text = [&](std::string_view text) {
    const uint64_t size = text.size();
    XXH3_128bits_update(state.get(), &size, sizeof size);
    XXH3_128bits_update(state.get(), text.data(), size);
  };
  add_text(stream_.event_type());
  for (const auto& [name, text] : subject_.resource) add_text(name), add_text(text);
  for (const TimedSample& event : chunk.samples) {
    const uint64_t sample[] = {static_cast<uint64_t>(event.time_ns), static_cast<uint64_t>(event.weight), event.node,
                               event.thread};
    XXH3_128bits_update(state.get(), sample, sizeof sample);
    if (event.context != 0) XXH3_128bits_update(state.get(), &event.context, sizeof event.context);
  }
  XXH128_canonical_t id;
  XXH128_canonicalFromHash(&id, XXH3_128bits_digest(state.get()));
  return {reinterpret_cast<const char*>(id.digest), sizeof id.digest};
}

void Otlp::add_samples(pbf_writer& to, const SampleChunk& chunk) {
  const auto key = [](const TimedSample& event) { return std::tuple(event.node, event.thread, event.context); };
  std::vector<TimedSample> grouped(chunk.samples.begin(), chunk.samples.end());
  std::stable_sort(grouped.begin(), grouped.end(),
                   [&](const TimedSample& a, const TimedSample& b) { return key(a) < key(b); });
  for (size_t from = 0; from < grouped.size();) {
    size_t end = from + 1;
    while (end < grouped.size() && key(grouped[end]) == key(grouped[from])) ++end;
    add_sample(to, std::span(grouped).subspan(from, end - from));
    from = end;
  }
}

void Otlp::add_sample(pbf_writer& to, std::span<const TimedSample> same) {
  const SampleThread& thread = stream_.threads()[same[0].thread];
  pbf_writer message(to, profile::kSamples);
  message.add_int32(sample::kStack, stack_of(same[0].node));
  std::vector<int32_t> attributes = {attribute_of({"thread.name", thread.name})};
  if (thread.id() != 0) attributes.push_back(attribute_of({"thread.id", std::to_string(thread.id()), true}));
  if (const std::string& name = stream_.contexts()[same[0].context].name; !name.empty())
    attributes.push_back(attribute_of({"span.name", name}));
  for (auto& [key, value] : attributes_of(stream_.contexts()[same[0].context]))
    if (key != "thread.name" && key != "thread.id" && key != "span.name")  // each key once, and ours are right
      attributes.push_back(attribute_of({std::move(key), std::move(value)}));
  message.add_packed_int32(sample::kAttributes, attributes.begin(), attributes.end());
  if (const int32_t link = link_of(same[0].context); link != 0) message.add_int32(sample::kLink, link);
  std::vector<int64_t> values;
  std::vector<uint64_t> times;
  for (const TimedSample& event : same) {
    values.push_back(static_cast<int64_t>(event.weight));
    times.push_back(static_cast<uint64_t>(event.time_ns));
  }
  if (subject_.sums_only) {
    values = {std::accumulate(values.begin(), values.end(), int64_t{0})};
    times.clear();
  }
  message.add_packed_int64(sample::kValues, values.begin(), values.end());
  message.add_packed_fixed64(sample::kTimestamps, times.begin(), times.end());
}

void Otlp::add_stacks(pbf_writer& to) {
  const auto& nodes = stream_.tree().nodes();
  to.add_message(dictionary::kStack, "", 0);
  std::vector<int32_t> locations;  // top first
  for (const uint32_t node : stack_nodes_) {
    locations.clear();
    for (uint32_t at = node; at != 0; at = nodes[at].parent) locations.push_back(location_of(at));
    pbf_writer message(to, dictionary::kStack);
    message.add_packed_int32(stack::kLocations, locations.begin(), locations.end());
  }
}

// A mapping has to have a build id: what has none is as if it were nowhere.
const NativeFrame* Otlp::native_of(uint32_t name) const {
  const NativeFrame* const native = stream_.natives().of(name);
  return native == nullptr || stream_.natives().libraries()[native->library].build_id.empty() ? nullptr : native;
}

// By the number of the library, behind the empty one. That of a library without a build id is empty, too: nobody names it.
void Otlp::add_mappings(pbf_writer& to) {
  to.add_message(dictionary::kMapping, "", 0);
  for (const LibraryBuild& library : stream_.natives().libraries()) {
    pbf_writer message(to, dictionary::kMapping);
    if (library.build_id.empty()) continue;
    message.add_uint64(mapping::kStart, library.start);
    message.add_uint64(mapping::kLimit, library.limit);
    message.add_uint64(mapping::kOffset, library.file_offset);
    message.add_int32(mapping::kFile, strings_.index(library.path));
    const int32_t attributes[] = {attribute_of({"process.executable.build_id.gnu", library.build_id})};
    message.add_packed_int32(mapping::kAttributes, attributes, attributes + 1);
  }
}

void Otlp::add_location(pbf_writer& to, uint32_t name, int32_t function, std::string_view type) {
  pbf_writer message(to, dictionary::kLocation);
  if (const NativeFrame* const native = native_of(name); native != nullptr) {
    message.add_int32(location::kMapping, static_cast<int32_t>(native->library + 1));
    message.add_uint64(location::kAddress, native->address);
  }
  if (function != 0) {
    pbf_writer line(message, location::kLines);
    line.add_int32(line::kFunction, function);
  }
  if (type.empty()) return;
  const int32_t attributes[] = {attribute_of({"profile.frame.type", std::string(type)})};
  message.add_packed_int32(location::kAttributes, attributes, attributes + 1);
}

void Otlp::add_locations(pbf_writer& to) {
  std::vector<std::pair<uint32_t, std::string_view>> ordered(locations_.size());
  for (const auto& [location, place] : locations_) ordered[static_cast<size_t>(place - 1)] = location;
  std::map<uint32_t, int32_t> functions;  // of names
  to.add_message(dictionary::kFunction, "", 0);
  to.add_message(dictionary::kLocation, "", 0);
  for (const auto& [name, type] : ordered) {
    if (const NativeFrame* const native = native_of(name); native != nullptr && !native->has_symbol) {
      add_location(to, name, 0, type);
      continue;
    }
    const auto [function, is_new] = functions.try_emplace(name, static_cast<int32_t>(functions.size() + 1));
    if (is_new) {
      pbf_writer message(to, dictionary::kFunction);
      message.add_int32(function::kName, strings_.index(stream_.tree().names()[name]));
    }
    add_location(to, name, function->second, type);
  }
}

void Otlp::add_attributes(pbf_writer& to) {
  std::vector<const Attribute*> ordered(attributes_.size());
  for (const auto& [attribute, place] : attributes_) ordered[static_cast<size_t>(place - 1)] = &attribute;
  to.add_message(dictionary::kAttribute, "", 0);
  for (const Attribute* attribute : ordered) {
    pbf_writer message(to, dictionary::kAttribute);
    message.add_int32(attribute::kKey, strings_.index(attribute->key));
    pbf_writer value(message, attribute::kValue);
    if (attribute->number)
      value.add_int64(any_value::kInt, std::stoll(attribute->text));
    else
      value.add_string(any_value::kString, attribute->text);
  }
}

void Otlp::add_links(pbf_writer& to) {
  const std::pair none(std::string(kTraceBytes, '\0'), std::string(kSpanBytes, '\0'));
  std::vector<const std::pair<std::string, std::string>*> ordered(links_.size() + 1, &none);
  for (const auto& [link, place] : links_) ordered[static_cast<size_t>(place)] = &link;
  for (const auto* each : ordered) {
    pbf_writer message(to, dictionary::kLink);
    message.add_bytes(link::kTraceId, each->first);
    message.add_bytes(link::kSpanId, each->second);
  }
}

void Otlp::finish() {
  std::string text;
  {
    pbf_writer writer(text);
    pbf_writer tables(writer, data::kDictionary);
    add_links(tables);
    add_stacks(tables);
    add_mappings(tables);
    add_locations(tables);
    add_attributes(tables);
    for (const std::string& string : strings_.all()) tables.add_string(dictionary::kString, string);
  }
  out_.text() += text;
  out_.flush_if_large();
}

}  // namespace

std::unique_ptr<ConvertFormat> make_otlp(const SampleStream& stream, const ConvertSubject& subject,
                                         ConvertOutput& out) {
  return std::make_unique<Otlp>(stream, subject, out);
}

}  // namespace jrec
