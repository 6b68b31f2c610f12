// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/sample_stream.h"

namespace jrec {
namespace {

using jfr::read::Chunk;

uint64_t saturating_product(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

}  // namespace

SampleStream::SampleStream(Recording& recording, const ProfileOptions& options)
    : recording_(recording), options_(options), survey_(survey_samples(recording, sample_kind(options.event))) {
  jfr::Result<Filter> filter = Filter::compile(options.filter, recording.range());
  filter ? void(filter_ = std::move(*filter)) : recording.refuse(filter.error());
  unit_ = weight_unit(survey_.event_type, options_.count_samples);
}

void SampleStream::read(const Visit& visit) {
  if (recording_.refused()) return;
  recording_.each_part([this](Chunk& chunk) { return read_sample_part(chunk, survey_, filter_, options_); },
                       [&](SamplePart&& part) { take(std::move(part), visit); });
  tell_unknown_fields(recording_, filter_);
}

void SampleStream::take(SamplePart&& part, const Visit& visit) {
  if (part.period_ns != 0) period_ns_ = part.period_ns;
  if (part.samples.empty()) return;
  samples_ += part.samples.size();
  truncated_ += part.truncated;
  const std::vector<uint32_t> nodes = tree_.add(part.tree);
  std::vector<uint32_t> threads;
  for (const SampleThread& thread : part.threads) threads.push_back(intern_thread(thread));
  for (SampleEvent& sample : part.samples) {
    sample.node = nodes[sample.node];
    sample.thread = threads[sample.thread];
    sample.ns = time_behind(sample);
  }
  visit({part.start_ns, part.duration_ns, period_ns_, part.samples});
}

// Only time has a time: bytes have none, and of counted events nobody knows what they weigh.
uint64_t SampleStream::time_behind(const SampleEvent& sample) const {
  if (unit_ == "ns") return sample.weight;
  if (unit_ != "samples" || options_.count_samples) return 0;
  return sample.ns != 0 ? sample.ns : saturating_product(sample.weight, period_ns_);
}

int64_t SampleStream::since_start(int64_t time_ns) const {
  int64_t since = 0;
  return __builtin_sub_overflow(time_ns, survey_.start_ns, &since) ? 0 : since;
}

uint32_t SampleStream::intern_thread(const SampleThread& thread) {
  const auto [place, is_new] = thread_ids_.try_emplace(thread, static_cast<uint32_t>(threads_.size()));
  if (is_new) threads_.push_back(thread);
  return place->second;
}

}  // namespace jrec
