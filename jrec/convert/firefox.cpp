// SPDX-License-Identifier: Apache-2.0
// Firefox profiler: the processed format, version 60 (tables shared by all threads); profiler.firefox.com brings older
// versions up to its own.
//
//   stackTable: every node of the tree    frameTable, funcTable: every name and what ran it, which is its category
//   threads: samples with time (ms since the start), stack, weight, and the CPU time behind each (threadCPUDelta)
#include <map>
#include <string_view>
#include <utility>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/convert/convert_format.h"
#include "jrec/convert/convert_threads.h"

namespace jrec {
namespace {

constexpr const char* kCategories = R"([{"name":"Interpreted","color":"blue","subcategories":["Other"]},)"
                                    R"({"name":"JIT compiled","color":"green","subcategories":["Other"]},)"
                                    R"({"name":"Inlined","color":"lightblue","subcategories":["Other"]},)"
                                    R"({"name":"Native","color":"red","subcategories":["Other"]},)"
                                    R"({"name":"C++","color":"yellow","subcategories":["Other"]},)"
                                    R"({"name":"Kernel","color":"orange","subcategories":["Other"]},)"
                                    R"({"name":"Other","color":"grey","subcategories":["Other"]}])";

class Firefox : public ConvertFormat {
 public:
  Firefox(const SampleStream& stream, const std::string& title, ConvertOutput& out)
      : stream_(stream), title_(title), out_(out) {}

  void add(const SampleChunk& chunk) override { threads_.add(chunk); }
  void finish() override;

 private:
  void append_meta();
  void append_shared();
  void append_stacks();
  void append_frames();
  void append_functions();
  void append_strings();
  void append_thread(size_t index);
  void append_samples(const std::vector<TimedSample>& samples);
  void append_ms(int64_t ns);
  // "key":[value(0),value(1)...]
  template <typename Value>
  void append_column(const char* key, size_t rows, Value value) {
    append_format(out_.text(), "\"{}\":[", key);
    for (size_t i = 0; i < rows; ++i) {
      if (i != 0) out_.text() += ',';
      value(i);
      out_.flush_if_large();
    }
    out_.text() += "],";
  }
  void append_number(uint64_t number) { append_format(out_.text(), "{}", number); }
  void append_same(const char* key, size_t rows, const char* text) {
    append_column(key, rows, [&](size_t) { out_.text() += text; });
  }
  void append_length(size_t rows) { append_format(out_.text(), "\"length\":{}}}", rows); }

  const SampleStream& stream_;
  const std::string title_;
  ConvertOutput& out_;
  ConvertThreads threads_;
  std::vector<std::pair<uint32_t, FrameKind>> frames_;  // distinct names and kinds
  std::vector<uint32_t> frame_of_;                      // by node
};

void Firefox::append_ms(int64_t ns) { append_format(out_.text(), "{:.6f}", static_cast<double>(ns) / 1e6); }

void Firefox::append_meta() {
  append_format(out_.text(), "{{\"meta\":{{\"interval\":{:.3f},\"startTime\":{:.3f},\"processType\":0,\"product\":",
                static_cast<double>(stream_.period_ns()) / 1e6, static_cast<double>(stream_.start_ns()) / 1e6);
  append_json_string(title_, out_.text());
  append_format(out_.text(),
                ",\"importedFrom\":\"jrec\",\"stackwalk\":1,\"version\":30,\"preprocessedProfileVersion\":60,"
                "\"symbolicated\":true,\"markerSchema\":[],\"usesOnlyOneStackType\":true,"
                "\"sourceCodeIsNotOnSearchfox\":true,\"sampleUnits\":{{\"time\":\"ms\",\"eventDelay\":\"ms\","
                "\"threadCPUDelta\":\"ns\"}},\"categories\":{}}},\n\"libs\":[],\"pages\":[],\n",
                kCategories);
}

void Firefox::append_stacks() {
  const auto& nodes = stream_.tree().nodes();
  const size_t rows = nodes.size() - 1;  // the root is no frame
  std::map<std::pair<uint32_t, FrameKind>, uint32_t> places;
  for (size_t i = 1; i < nodes.size(); ++i) {
    const std::pair<uint32_t, FrameKind> frame = {nodes[i].name, nodes[i].kind};
    const auto [place, is_new] = places.try_emplace(frame, static_cast<uint32_t>(frames_.size()));
    if (is_new) frames_.push_back(frame);
    frame_of_.push_back(place->second);
  }
  out_.text() += "\"stackTable\":{";
  append_column("frame", rows, [&](size_t i) { append_number(frame_of_[i]); });
  append_column("prefix", rows, [&](size_t i) {
    const uint32_t parent = nodes[i + 1].parent;
    if (parent == 0)
      out_.text() += "null";
    else
      append_number(parent - 1);
  });
  append_length(rows);
}

void Firefox::append_frames() {
  const size_t rows = frames_.size();
  out_.text() += ",\n\"frameTable\":{";
  append_same("address", rows, "-1");
  append_same("inlineDepth", rows, "0");
  append_column("category", rows, [&](size_t i) { append_number(static_cast<uint64_t>(frames_[i].second)); });
  append_same("subcategory", rows, "0");
  append_column("func", rows, [&](size_t i) { append_number(frames_[i].first); });
  for (const char* key : {"nativeSymbol", "innerWindowID", "line", "column"}) append_same(key, rows, "null");
  append_length(rows);
}

// One function a name.
void Firefox::append_functions() {
  const size_t rows = stream_.tree().names().size();
  out_.text() += ",\n\"funcTable\":{";
  append_column("name", rows, [&](size_t i) { append_number(i); });
  append_same("isJS", rows, "false");
  append_same("relevantForJS", rows, "false");
  append_same("resource", rows, "-1");
  for (const char* key : {"source", "lineNumber", "columnNumber"}) append_same(key, rows, "null");
  append_length(rows);
}

void Firefox::append_strings() {
  out_.text() += ",\n\"stringArray\":[";
  const char* separator = "";
  for (const std::string& name : stream_.tree().names()) {
    out_.text() += std::exchange(separator, ",\n");
    append_json_string(name, out_.text());
    out_.flush_if_large();
  }
  out_.text() += ']';
}

void Firefox::append_shared() {
  out_.text() += "\"shared\":{";
  append_stacks();
  append_frames();
  append_functions();
  out_.text() +=
      ",\n\"resourceTable\":{\"lib\":[],\"name\":[],\"host\":[],\"type\":[],\"length\":0},"
      "\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],\"length\":0},"
      "\n\"sources\":{\"length\":0,\"uuid\":[],\"filename\":[]}";
  append_strings();
  out_.text() += "},\n";
}

void Firefox::append_samples(const std::vector<TimedSample>& samples) {
  const size_t rows = samples.size();
  const std::string& unit = stream_.unit();
  out_.text() += "\"samples\":{";
  append_column("stack", rows, [&](size_t i) { append_number(samples[i].node - 1); });
  append_column("time", rows, [&](size_t i) { append_ms(stream_.since_start(samples[i].time_ns)); });
  append_column("weight", rows, [&](size_t i) {
    if (unit == "ns")
      append_ms(static_cast<int64_t>(samples[i].weight));
    else
      append_number(samples[i].weight);
  });
  if (std::string_view(value_names(stream_).value) == "cpu" && stream_.period_ns() != 0)
    append_column("threadCPUDelta", rows, [&](size_t i) { append_number(samples[i].ns); });
  append_format(out_.text(), "\"weightType\":\"{}\",",
                unit == "ns"      ? "tracing-ms"
                : unit == "bytes" ? "bytes"
                                  : "samples");
  append_length(rows);
}

void Firefox::append_thread(size_t index) {
  const SampleThread& thread = stream_.threads()[index];
  const std::vector<TimedSample>& samples = threads_.samples(index);
  out_.text() +=
      "{\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,\"pid\":\"0\","
      "\"pausedRanges\":[],\"unregisterTime\":null,\"registerTime\":";
  append_ms(samples.empty() ? 0 : stream_.since_start(samples.front().time_ns));
  out_.text() += ",\"name\":";
  append_json_string(thread.name, out_.text());
  append_format(out_.text(), ",\"isMainThread\":{},\"tid\":\"{}\",", thread.name == "main" ? "true" : "false",
                thread.id() != 0 ? thread.id() : -static_cast<int64_t>(index) - 1);
  append_samples(samples);
  out_.text() +=
      ",\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[],\"length\":0}"
      "}";
}

void Firefox::finish() {
  append_meta();
  append_shared();
  out_.text() += "\"threads\":[\n";
  for (size_t i = 0; i < threads_.size(); ++i) {
    if (i != 0) out_.text() += ",\n";
    append_thread(i);
  }
  out_.text() += "]}\n";
}

}  // namespace

std::unique_ptr<ConvertFormat> make_firefox(const SampleStream& stream, const ConvertSubject& subject,
                                            ConvertOutput& out) {
  return std::make_unique<Firefox>(stream, subject.title, out);
}

}  // namespace jrec
