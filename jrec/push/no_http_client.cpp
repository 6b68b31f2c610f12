// SPDX-License-Identifier: Apache-2.0
// HttpClient of a jrec that is one static file.
#ifdef REC_STATIC_JREC
#include "jrec/push/http_client.h"

namespace jrec {

struct HttpClient::Handle {};

const char* HttpClient::missing() {
  return "this jrec is one static file, which speaks no HTTP: build jrec where it runs (docs/releases.md), or send "
         "what jrec convert makes";
}

HttpClient::HttpClient(int64_t, const std::string&) {}
HttpClient::~HttpClient() = default;
HttpAnswer HttpClient::post(const std::string&, const std::vector<std::string>&, std::span<const uint8_t>) {
  return {0, missing(), 0};
}

std::string url_escaped(const std::string& text) { return text; }

}  // namespace jrec
#endif
