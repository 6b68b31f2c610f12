// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_stream.h"

#include <algorithm>
#include <cassert>

#include "jrec/profile/malloc_weight.h"
#include "jrec/profile/sample_census.h"
#include "jrec/profile/sample_reader.h"
#include "jrec/select/unmatched_words.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Event;

uint64_t saturating_product(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

using Firsts = std::vector<size_t>;  // first_with_events()

bool all_first(const Firsts& firsts) {
  return std::ranges::all_of(firsts, [](size_t first) { return first == 0; });
}

// Of all chunks. Looks no further than it must: nothing behind the first can change it.
Firsts firsts_of(Recording& recording, const std::vector<SampleKind::Types>& kinds) {
  Firsts firsts;
  for (const SampleKind::Types& types : kinds) firsts.push_back(types.size() == 1 ? 0 : types.size());
  if (all_first(firsts)) return firsts;
  recording.unsaid([&] {
    recording.each_part([&](Chunk& chunk) { return first_with_events(chunk, kinds); },
                        [&](Firsts&& part) {
                          for (size_t i = 0; i < firsts.size(); ++i) firsts[i] = std::min(firsts[i], part[i]);
                          return !all_first(firsts);
                        });
  });
  return firsts;
}

bool is_native_memory(const std::string& kind) { return sample_kind(kind).all_types().front() == kMallocType; }

std::shared_ptr<const LeakedMemory> leaked_memory(Recording& recording, double tail_percent) {
  auto leaked = std::make_shared<LeakedMemory>();
  recording.unsaid([&] {
    recording.each_part([](Chunk& chunk) { return memory_events(chunk); },
                        [&](ChunkMemory&& part) {
                          leaked->note(part);
                          return true;
                        });
  });
  leaked->settle(tail_percent / 100);
  return leaked;
}

std::shared_ptr<const LiveBatches> live_batches(Recording& recording) {
  auto batches = std::make_shared<LiveBatches>();
  recording.unsaid([&] {
    recording.each_part([&](Chunk& chunk) { return last_live_batch(chunk, recording.range()); },
                        [&](LiveBatch&& part) {
                          batches->note(part);
                          return true;
                        });
  });
  return batches;
}

// Of a type that is not known: the first declaration of its weight tells.
bool declares_bytes(Recording& recording, const std::string& type) {
  bool bytes = false;
  if (!tells_own_unit(type)) return bytes;
  recording.unsaid([&] {
    recording.each_part([&](Chunk& chunk) { return weight_content(chunk, type); },
                        [&](std::optional<Content>&& content) {
                          bytes = content == Content::kBytes;
                          return !content;
                        });
  });
  return bytes;
}

// The first that is told.
uint64_t malloc_interval_of(Recording& recording) {
  uint64_t interval = 0;
  recording.unsaid([&] {
    recording.each_part([](Chunk& chunk) { return malloc_interval(chunk, 0); },
                        [&](uint64_t&& part) { return (interval = part) == 0; });
  });
  return interval;
}

}  // namespace

SamplePass::SamplePass(Recording& recording, const ProfileOptions& options)
    : SamplePass(recording, options, std::span(&options.event, 1)) {}

SamplePass::SamplePass(Recording& recording, const ProfileOptions& options, std::span<const std::string> kinds)
    : recording_(recording), options_(options), kinds_(kinds.begin(), kinds.end()), streams_(kinds.size()) {
  assert(!kinds.empty() && "a pass reads samples of one kind at least");
  base::Result<Filter> filter = Filter::compile(options.filter, recording.range());
  if (!filter) {
    recording.refuse(filter.error());
    return;
  }
  filter_ = std::move(*filter);
  if (options.leak && std::ranges::any_of(kinds, [](const std::string& kind) { return !is_native_memory(kind); }))
    recording.refuse({base::ErrorCode::kUsage, 0, "--leak is of native memory: --event nativemem", 0});
  for (const std::string& kind : kinds)
    if (const base::Status known = known_kind(recording, kind); !known) recording.refuse(known.error());
  if (!recording.refused()) look_through();
}

void SamplePass::look_through() {
  std::vector<SampleKind::Types> types;
  for (const std::string& name : kinds_) types.push_back(sample_kind(name).all_types());
  const Firsts firsts = firsts_of(recording_, types);
  const RecordingSpan span = recording_.span();
  const auto leaked = options_.leak ? leaked_memory(recording_, options_.tail_percent) : nullptr;
  for (size_t i = 0; i < kinds_.size(); ++i) {
    chosen_.push_back(chosen_samples(sample_kind(kinds_[i]), firsts[i]));
    chosen_.back().leaked = leaked;
    if (is_native_memory(kinds_[i])) chosen_.back().malloc_interval = malloc_interval_of(recording_);
    SampleStream& stream = streams_[i];
    stream.wall_ = chosen_[i].wall;
    if (std::ranges::find(types[i], kLiveType) != types[i].end()) {
      chosen_[i].live = live_batches(recording_);
      chosen_[i].counted = chosen_[i].live->has_unweighed();
    }
    chosen_[i].in_bytes = declares_bytes(recording_, chosen_[i].event_type);
    stream.counts_samples_ = options_.count_samples || chosen_[i].counted;
    Profile& profile = stream.profile_;
    profile.event_type = chosen_[i].event_type;
    profile.event_types = words_of(chosen_[i]);
    stream.told_types_.insert(chosen_[i].types.begin(), chosen_[i].types.end());
    profile.unit = weight_unit(profile.event_type, stream.counts_samples_);
    if (chosen_[i].in_bytes && !stream.counts_samples_) profile.unit = "bytes";
    profile.start_ns = span.start_ns;
    profile.duration_ns = static_cast<uint64_t>(span.end_ns) - static_cast<uint64_t>(span.start_ns);
  }
}

TimeRange SamplePass::chosen_time() const {
  const int64_t start_ns = stream().start_ns();
  const auto end_ns = static_cast<int64_t>(static_cast<uint64_t>(start_ns) + stream().duration_ns());
  return TimeRange{start_ns, end_ns}.both(filter_.range());
}

void SamplePass::read(const std::function<void(const SampleChunk&)>& visit) {
  read_all([&](size_t, const SampleChunk& chunk) { visit(chunk); });
}

void SamplePass::read_all(const std::function<void(size_t, const SampleChunk&)>& visit) {
  read_parts(SampleDetail::kEach, [&](size_t kind, ChunkSamples&& part) {
    streams_[kind].take(std::move(part), [&](const SampleChunk& chunk) { visit(kind, chunk); });
  });
}

Profile SamplePass::read_sums() {
  read_parts(SampleDetail::kSums, [&](size_t kind, ChunkSamples&& part) { streams_[kind].take_sums(std::move(part)); });
  return std::move(streams_.front().profile_);
}

Profile SamplePass::read_profile(const std::function<void(const SampleChunk&)>& visit) {
  read(visit);
  return std::move(streams_.front().profile_);
}

void SamplePass::read_parts(SampleDetail detail, const std::function<void(size_t, ChunkSamples&&)>& take) {
  if (recording_.refused()) return;
  recording_.each_part([&](Chunk& chunk) { return read_chunk_samples(chunk, chosen_, filter_, options_, detail); },
                       [&](std::vector<ChunkSamples>&& parts) {
                         for (size_t kind = 0; kind < parts.size(); ++kind) take(kind, std::move(parts[kind]));
                       });
  tell_unknown_fields(recording_, filter_);
  // Where there are none, this is told beside it (sample_census.h).
  const auto has_samples = [](const SampleStream& stream) { return stream.samples() != 0; };
  if (std::ranges::any_of(streams_, has_samples)) tell_unmatched_words(recording_, options_.filter);
}

void SampleStream::take(ChunkSamples&& part, const Visit& visit) {
  const bool tells_itself = part.period_ns == 0 && part.weight_ns > 1;  // each event, and all the same
  const uint64_t period_ns = tells_itself ? part.weight_ns : part.period_ns;
  if (period_ns != 0 && is_of_time(event_type())) period_ns_ = period_ns;
  if (!part.has_events) return;
  take_counts(part);
  const uint64_t rescale = bring_to_unit(part);
  for (TimedSample& sample : part.samples) sample.ns = time_behind(sample);
  const std::vector<uint32_t> nodes = profile_.tree.add(part.tree);
  natives_.add(part.natives, [&](uint32_t name) { return profile_.tree.intern(part.tree.names()[name]); });
  std::vector<uint32_t> threads;
  for (const SampleThread& thread : part.threads) threads.push_back(intern_thread(thread));
  std::vector<uint32_t> contexts;
  for (const SampleContext& context : part.contexts) contexts.push_back(intern_context(context));
  std::vector<uint32_t> states;
  for (const std::string& state : part.states) states.push_back(intern_state(state));
  for (TimedSample& sample : part.samples) {
    sample.node = nodes[sample.node];
    sample.thread = threads[sample.thread];
    sample.context = contexts[sample.context];
    if (!states.empty()) sample.state = states[sample.state];
  }
  if (!part.samples.empty() || rescale != 1)
    visit({part.start_ns, part.duration_ns, period_ns_, part.samples, rescale});
}

// Also of a part of which the filter has left nothing: one unit holds for whatever is shown of a recording.
uint64_t SampleStream::bring_to_unit(ChunkSamples& part) {
  const WeightUnit::Factors factors = profile_.weight.meet(part.weight_ns);
  profile_.tree.scale(factors.tree);
  part.scale(factors.part);
  if (profile_.weight.is_time()) profile_.unit = "ns";
  return factors.tree;
}

void SampleStream::take_counts(const ChunkSamples& part) {
  profile_.samples += part.count;
  profile_.truncated += part.truncated;
  profile_.without_stack += part.without_stack;
  if (part.count != 0 && told_types_.insert(part.event_type).second) profile_.event_types += " and " + part.event_type;
  if (part.count != 0 && !part.weighed && profile_.unit == "bytes") profile_.unit = "samples";
}

void SampleStream::take_sums(ChunkSamples&& part) {
  if (!part.has_events) return;
  take_counts(part);
  bring_to_unit(part);
  if (profile_.tree.nodes().size() == 1)
    profile_.tree = std::move(part.tree);
  else
    profile_.tree.add(part.tree);
}

// Only time has a time: bytes have none, and of counted events nobody knows what they weigh.
uint64_t SampleStream::time_behind(const TimedSample& sample) const {
  if (unit() == "ns") return sample.weight;
  if (unit() != "samples" || counts_samples_) return 0;
  return sample.ns != 0 ? sample.ns : saturating_product(sample.weight, period_ns_);
}

int64_t SampleStream::since_start(int64_t time_ns) const {
  int64_t since = 0;
  return __builtin_sub_overflow(time_ns, start_ns(), &since) ? 0 : since;
}

uint32_t SampleStream::intern_thread(const SampleThread& thread) {
  const auto [place, is_new] = thread_ids_.try_emplace(thread, static_cast<uint32_t>(threads_.size()));
  if (is_new) threads_.push_back(thread);
  return place->second;
}

uint32_t SampleStream::intern_context(const SampleContext& context) {
  const auto [place, is_new] = context_ids_.try_emplace(context, static_cast<uint32_t>(contexts_.size()));
  if (is_new) contexts_.push_back(context);
  return place->second;
}

uint32_t SampleStream::intern_state(const std::string& state) {
  const auto found = std::ranges::find(states_, state);
  if (found != states_.end()) return static_cast<uint32_t>(found - states_.begin());
  states_.push_back(state);
  return static_cast<uint32_t>(states_.size() - 1);
}

}  // namespace jrec
