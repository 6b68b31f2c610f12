// SPDX-License-Identifier: Apache-2.0
#include "jrec/values/recorder.h"

namespace jrec {

Recorder recorder_of(const jfr::read::Metadata& metadata) {
  if (metadata.find("rec.Counters") != nullptr) return Recorder::kRec;
  if (metadata.find("profiler.Window") != nullptr) return Recorder::kAsyncProfiler;
  return Recorder::kJdk;
}

std::string_view recorder_words(Recorder recorder) {
  switch (recorder) {
    case Recorder::kRec: return "rec";
    case Recorder::kAsyncProfiler: return "async-profiler";
    case Recorder::kJdk: return "the JDK";
  }
  return "";
}

}  // namespace jrec
