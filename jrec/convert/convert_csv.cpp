// SPDX-License-Identifier: Apache-2.0
// CSV: one line a sample, in the order of time within each chunk of the recording.
//
//   time,thread,thread_id,weight,ns,stack          time in ISO-8601, UTC; stack as collapsed has it: root;...;top
//
// Control characters are escaped, so a record is a line. Fields are quoted where RFC 4180 wants it, and a text that a
// spreadsheet would take for a formula (= + - @ in front) gets an apostrophe in front.
#include <algorithm>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/convert/convert_format.h"
#include "jrec/profile/collapsed.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

void append_field(const std::string& text, std::string& out) {
  const bool formula = !text.empty() && std::string_view("=+-@").find(text[0]) != std::string_view::npos;
  const bool quoted = text.find_first_of(",\"") != std::string::npos;
  if (quoted) out += '"';
  if (formula) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  if (quoted) out += '"';
}

class Csv : public ConvertFormat {
 public:
  Csv(const SampleStream& stream, ConvertOutput& out) : stream_(stream), out_(out) {
    out_.text() += "time,thread,thread_id,weight,ns,stack\n";
  }

  void add(const SampleChunk& chunk) override {
    for (const TimedSample& sample : chunk.samples) append_line(sample);
  }
  void finish() override {}

 private:
  void append_line(const TimedSample& sample) {
    std::string& text = out_.text();
    const SampleThread& thread = stream_.threads()[sample.thread];
    append_time_ns(sample.time_ns, 0, text);
    text += ',';
    append_field(plain(thread.name), text);
    append_format(text, ",{},{},{},", thread.id(), sample.weight, sample.ns);
    stack_.clear();
    append_stack(stream_.tree(), sample.node, stack_);
    append_field(stack_, text);
    text += '\n';
    out_.flush_if_large();
  }

  const SampleStream& stream_;
  ConvertOutput& out_;
  std::string stack_;
};

}  // namespace

std::unique_ptr<ConvertFormat> make_csv(const SampleStream& stream, const ConvertSubject&, ConvertOutput& out) {
  return std::make_unique<Csv>(stream, out);
}

}  // namespace jrec
