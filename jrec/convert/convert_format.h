// SPDX-License-Identifier: Apache-2.0
// ConvertFormat writes samples in one format of another tool. One object a conversion:
//
//   make_X(stream, subject, out) --> add(chunk) ... --> finish()
//
// add() may write at once, or keep what the format wants grouped; finish() writes the rest. Node and thread numbers are
// those of the stream.
#pragma once

#include <memory>
#include <string>

#include "jrec/convert/convert_output.h"
#include "jrec/profile/sample_stream.h"

namespace jrec {

class ConvertFormat {
 public:
  virtual ~ConvertFormat() = default;
  virtual void add(const SampleChunk& chunk) = 0;
  virtual void finish() = 0;
};

// What is told of the samples, by formats with a place for it.
struct ConvertSubject {
  std::string title;
  int64_t start_ns = 0;
  uint64_t duration_ns = 0;
  std::vector<std::pair<std::string, std::string>> resource;  // who was recorded: service.name, host.name, ...
  bool sums_only = false;                                     // no time of each event, where the format has one
};

using MakeFormat = std::unique_ptr<ConvertFormat>(const SampleStream& stream, const ConvertSubject& subject,
                                                  ConvertOutput& out);

MakeFormat make_csv;
MakeFormat make_pprof;
MakeFormat make_otlp;
MakeFormat make_speedscope;
MakeFormat make_firefox;
MakeFormat make_chrome_trace;

// What a weight, and the time behind a sample, are called in pprof's and OpenTelemetry's words; by these Pyroscope
// tells what a profile is of.
struct ValueNames {
  const char* count = "samples";  // of the events, or of the weights where these count samples
  const char* value = "";         // of what else is measured; empty: nothing
  const char* unit = "";
  const char* period = "";  // what goes by between two samples; of time as much as the stream says, else 1
  const char* period_unit = "";
};
ValueNames value_names(const SampleStream& stream);
int64_t period_of(const SampleStream& stream, uint64_t period_ns);

}  // namespace jrec
