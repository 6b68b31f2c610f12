// SPDX-License-Identifier: Apache-2.0
// speedscope: its own JSON file format, https://www.speedscope.app/file-format-schema.json, profiles of type "sampled".
//
//   the first profile is all threads together, one sample per distinct stack; then one profile a thread, its samples in
//   the order of time, equal neighbours merged (a single thread has no profile of all)
//
// Weights are nanoseconds where the recording tells the period, else what they are: samples, bytes.
#include <fmt/core.h>

#include <utility>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/convert/convert_format.h"
#include "jrec/convert/convert_threads.h"

namespace jrec {
namespace {

struct Run {
  uint32_t node = 0;
  uint64_t weight = 0;
};

class Speedscope : public ConvertFormat {
 public:
  Speedscope(const SampleStream& stream, const std::string& title, ConvertOutput& out)
      : stream_(stream), title_(title), out_(out) {}

  void add(const SampleChunk& chunk) override {
    for (const TimedSample& sample : chunk.samples) {
      if (by_node_.size() <= sample.node) by_node_.resize(stream_.tree().nodes().size());
      by_node_[sample.node].ns += sample.ns;
      by_node_[sample.node].weight += sample.weight;
      ns_ += sample.ns;
    }
    threads_.add(chunk);
  }
  void finish() override;

 private:
  void append_frames();
  void append_profile(const std::string& name, const std::vector<Run>& runs);
  void append_stack(uint32_t node);
  std::vector<Run> runs_of(size_t thread);
  std::vector<Run> runs_of_all() const;
  uint64_t weight_of(const TimedSample& sample) const { return ns_ != 0 ? sample.ns : sample.weight; }

  const SampleStream& stream_;
  const std::string title_;
  ConvertOutput& out_;
  ConvertThreads threads_;
  std::vector<TimedSample> by_node_;
  uint64_t ns_ = 0;  // in all; 0: the recording does not tell how long a sample is
  bool first_profile_ = true;
};

void Speedscope::append_frames() {
  const char* separator = "";
  for (const std::string& name : stream_.tree().names()) {
    out_.text() += std::exchange(separator, ",\n");
    out_.text() += "{\"name\":";
    append_json_string(name, out_.text());
    out_.text() += '}';
    out_.flush_if_large();
  }
}

void Speedscope::append_stack(uint32_t node) {
  const auto& nodes = stream_.tree().nodes();
  std::vector<uint32_t> path;
  for (uint32_t at = node; at != 0; at = nodes[at].parent) path.push_back(nodes[at].name);
  std::string& text = out_.text();
  text += '[';
  for (size_t i = path.size(); i-- > 0;) append_format(text, "{}{}", path[i], i == 0 ? "" : ",");
  text += ']';
}

void Speedscope::append_profile(const std::string& name, const std::vector<Run>& runs) {
  uint64_t total = 0;
  for (const Run& run : runs) total += run.weight;
  const char* unit = ns_ != 0 ? "nanoseconds" : stream_.unit() == "bytes" ? "bytes" : "none";
  if (!std::exchange(first_profile_, false)) out_.text() += ",\n";
  out_.text() += "{\"type\":\"sampled\",\"name\":";
  append_json_string(name, out_.text());
  append_format(out_.text(), ",\"unit\":\"{}\",\"startValue\":0,\"endValue\":{},\n\"samples\":[", unit, total);
  const char* separator = "";
  for (const Run& run : runs) {
    out_.text() += std::exchange(separator, ",");
    append_stack(run.node);
    out_.flush_if_large();
  }
  out_.text() += "],\n\"weights\":[";
  separator = "";
  for (const Run& run : runs) append_format(out_.text(), "{}{}", std::exchange(separator, ","), run.weight);
  out_.text() += "]}";
  out_.flush_if_large();
}

std::vector<Run> Speedscope::runs_of(size_t thread) {
  std::vector<Run> runs;
  for (const TimedSample& sample : threads_.samples(thread)) {
    if (runs.empty() || runs.back().node != sample.node) runs.push_back({sample.node, 0});
    runs.back().weight += weight_of(sample);
  }
  return runs;
}

std::vector<Run> Speedscope::runs_of_all() const {
  std::vector<Run> runs;
  for (uint32_t node = 0; node < by_node_.size(); ++node)
    if (weight_of(by_node_[node]) != 0) runs.push_back({node, weight_of(by_node_[node])});
  return runs;
}

void Speedscope::finish() {
  out_.text() += "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"jrec " JREC_VERSION
                 "\",\"name\":";
  append_json_string(title_, out_.text());
  out_.text() += ",\"activeProfileIndex\":0,\"shared\":{\"frames\":[\n";
  append_frames();
  out_.text() += "]},\n\"profiles\":[\n";
  if (threads_.size() != 1) append_profile(stream_.event_type() + ", all threads", runs_of_all());
  for (size_t i = 0; i < threads_.size(); ++i) {
    const SampleThread& thread = stream_.threads()[i];
    append_profile(thread.id() == 0 ? thread.name : fmt::format("{} ({})", thread.name, thread.id()), runs_of(i));
  }
  out_.text() += "]}\n";
}

}  // namespace

std::unique_ptr<ConvertFormat> make_speedscope(const SampleStream& stream, const ConvertSubject& subject,
                                               ConvertOutput& out) {
  return std::make_unique<Speedscope>(stream, subject.title, out);
}

}  // namespace jrec
