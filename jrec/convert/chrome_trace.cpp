// SPDX-License-Identifier: Apache-2.0
// Chrome trace: the JSON of chrome://tracing that Perfetto and speedscope open too. One track a thread, its stacks as
// nested slices over time ("B" and "E" events), which all of these show; the format's own sample events few do.
//
//   a sample lasts as long as the time behind it; where the next one of the thread follows within that time again, the
//   frames that both have in common go on
//
// Where the recording does not tell how long a sample is, it lasts kUnknownNs. What a slice itself, without those
// inside it, stands for is in the arguments of its end, "weight": the sum over all slices is the sum of the samples.
// Streams: kept is one open stack per thread.
#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/convert/convert_format.h"

namespace jrec {
namespace {

constexpr uint64_t kUnknownNs = 100'000;
constexpr uint64_t kLongestNs = uint64_t{1} << 62;
constexpr const char* kKinds[] = {"interpreted", "jit", "inlined", "native", "cpp", "kernel", "other"};

struct OpenFrame {
  uint32_t node = 0;
  uint64_t weight = 0;  // of the samples that had it on top
};

struct Track {
  std::vector<OpenFrame> open;  // root first
  int64_t last_ns = 0;          // of the last event; nothing may lie before it
  int64_t until_ns = 0;         // where the last sample ends
  uint64_t gap_ns = 0;          // how long its stack is believed to go on after that
};

int64_t later(int64_t time_ns, uint64_t by_ns) {
  int64_t sum = 0;
  return __builtin_add_overflow(time_ns, static_cast<int64_t>(std::min(by_ns, kLongestNs)), &sum) ? INT64_MAX : sum;
}

class ChromeTrace : public ConvertFormat {
 public:
  ChromeTrace(const SampleStream& stream, const std::string& title, ConvertOutput& out) : stream_(stream), out_(out) {
    out_.text() +=
        "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
        "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"ts\":0,\"name\":\"process_name\",\"args\":{\"name\":";
    append_json_string(title, out_.text());
    out_.text() += "}}";
  }

  void add(const SampleChunk& chunk) override {
    for (const TimedSample& sample : chunk.samples) add(sample, chunk.period_ns);
  }
  void finish() override;

 private:
  void add(const TimedSample& sample, uint64_t period_ns);
  void close(uint32_t thread, size_t depth, int64_t time_ns);
  void open(uint32_t thread, uint32_t node, int64_t time_ns);
  void name_thread(uint32_t thread);
  void append_head(char phase, uint32_t thread, int64_t time_ns);

  const SampleStream& stream_;
  ConvertOutput& out_;
  std::vector<Track> tracks_;   // by thread
  std::vector<uint32_t> path_;  // of the sample at hand, root first
};

// {"ph":"B","pid":1,"tid":3,"ts":12.345
void ChromeTrace::append_head(char phase, uint32_t thread, int64_t time_ns) {
  append_format(out_.text(), ",\n{{\"ph\":\"{}\",\"pid\":1,\"tid\":{},\"ts\":{:.3f}", phase, thread + 1,
                static_cast<double>(stream_.since_start(time_ns)) / 1e3);
}

void ChromeTrace::name_thread(uint32_t thread) {
  const SampleThread& named = stream_.threads()[thread];
  append_head('M', thread, stream_.start_ns());
  out_.text() += ",\"name\":\"thread_name\",\"args\":{\"name\":";
  append_json_string(named.id() == 0 ? named.name : fmt::format("{} ({})", named.name, named.id()), out_.text());
  out_.text() += "}}";
}

void ChromeTrace::close(uint32_t thread, size_t depth, int64_t time_ns) {
  Track& track = tracks_[thread];
  if (track.open.size() > depth) track.last_ns = std::max(track.last_ns, time_ns);
  while (track.open.size() > depth) {
    append_head('E', thread, track.last_ns);
    if (const uint64_t weight = track.open.back().weight; weight != 0)
      append_format(out_.text(), ",\"args\":{{\"weight\":{}}}", weight);
    out_.text() += '}';
    track.open.pop_back();
  }
  out_.flush_if_large();
}

void ChromeTrace::open(uint32_t thread, uint32_t node, int64_t time_ns) {
  Track& track = tracks_[thread];
  const StackTree::Node& frame = stream_.tree().nodes()[node];
  track.last_ns = std::max(track.last_ns, time_ns);
  append_head('B', thread, track.last_ns);
  append_format(out_.text(), ",\"cat\":\"{}\",\"name\":", kKinds[static_cast<size_t>(frame.kind)]);
  append_json_string(stream_.tree().names()[frame.name], out_.text());
  out_.text() += '}';
  track.open.push_back({node});
}

void ChromeTrace::add(const TimedSample& sample, uint64_t period_ns) {
  while (tracks_.size() <= sample.thread) {
    tracks_.emplace_back();
    tracks_.back().last_ns = INT64_MIN;
    name_thread(static_cast<uint32_t>(tracks_.size() - 1));
  }
  Track& track = tracks_[sample.thread];
  if (sample.time_ns > later(track.until_ns, track.gap_ns)) close(sample.thread, 0, track.until_ns);
  path_.clear();
  for (uint32_t at = sample.node; at != 0; at = stream_.tree().nodes()[at].parent) path_.push_back(at);
  std::reverse(path_.begin(), path_.end());
  size_t common = 0;
  while (common < path_.size() && common < track.open.size() && path_[common] == track.open[common].node) ++common;
  close(sample.thread, common, sample.time_ns);
  for (size_t i = common; i < path_.size(); ++i) open(sample.thread, path_[i], sample.time_ns);
  if (!track.open.empty()) track.open.back().weight += sample.weight;
  const bool of_time = stream_.unit() == "samples" && period_ns != 0;
  const uint64_t lasts = sample.ns != 0 ? sample.ns : of_time ? period_ns : kUnknownNs;
  track.until_ns = later(std::max(sample.time_ns, track.last_ns), lasts);
  track.gap_ns = stream_.unit() == "samples" ? lasts : 0;
  out_.flush_if_large();
}

void ChromeTrace::finish() {
  for (uint32_t thread = 0; thread < tracks_.size(); ++thread) close(thread, 0, tracks_[thread].until_ns);
  out_.text() += "\n]}\n";
}

}  // namespace

std::unique_ptr<ConvertFormat> make_chrome_trace(const SampleStream& stream, const ConvertSubject& subject,
                                                 ConvertOutput& out) {
  return std::make_unique<ChromeTrace>(stream, subject.title, out);
}

}  // namespace jrec
