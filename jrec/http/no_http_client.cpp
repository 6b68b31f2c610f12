// SPDX-License-Identifier: Apache-2.0
// HttpClient of a jrec that is one static file.
#ifdef REC_STATIC_JREC
#include "jrec/http/http_client.h"

namespace jrec {

struct HttpClient::Handle {};

const char* HttpClient::missing() {
  return "this jrec is one static file, which speaks no HTTP: build jrec where it runs (docs/releases.md), or copy "
         "with a program that does";
}

HttpClient::HttpClient(HttpLimits limits, std::string ca_file) : limits_(limits), ca_file_(std::move(ca_file)) {}
HttpClient::~HttpClient() = default;
HttpAnswer HttpClient::send(const HttpRequest&) {
  HttpAnswer answer;
  answer.what = missing();
  return answer;
}

std::string url_escaped(const std::string& text) { return text; }

}  // namespace jrec
#endif
