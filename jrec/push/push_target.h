// SPDX-License-Identifier: Apache-2.0
// PushTarget is a server of profiles: where a window of samples goes, and in which format.
//
//   pyroscope   POST URL/ingest?name=SERVICE{host=...}&from=..&until=..&format=pprof   pprof
//   otlp        POST URL/v1development/profiles                                        ExportProfilesServiceRequest
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "jrec/convert/convert_format.h"

namespace jrec {

using Labels = std::map<std::string, std::string>;

class PushTarget {
 public:
  // kUsage: there is no such kind of server, or no such URL. labels: "service" is what the application is called.
  static base::Result<PushTarget> of(const std::string& kind, const std::string& url, Labels labels);

  MakeFormat* format() const { return format_; }
  // What the format has a place for: who was recorded.
  std::vector<std::pair<std::string, std::string>> resource() const;
  std::string url(int64_t start_ns, uint64_t duration_ns) const;
  std::vector<std::string> headers() const;

 private:
  bool pyroscope_ = false;
  MakeFormat* format_ = nullptr;
  std::string url_;
  Labels labels_;
};

}  // namespace jrec
