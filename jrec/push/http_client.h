// SPDX-License-Identifier: Apache-2.0
// HttpClient posts to a server, with libcurl: TLS, proxies by the usual variables, user and password in the URL. What it
// says of a failure never has these in it.
//
// One connection, kept. Redirects are not followed: who answers another address should be told that one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace jrec {

struct HttpAnswer {
  long status = 0;            // 0: there was no answer, and `what` says why
  std::string what;           // the first line of its body, or of the error
  int64_t retry_after_s = 0;  // as the server asks for; 0: it does not

  bool accepted() const { return status >= 200 && status < 300; }
  // Worth another try: nobody there, too busy, or broken for now.
  bool passes() const { return status == 0 || status == 408 || status == 429 || status >= 500; }
};

class HttpClient {
 public:
  // What to tell a user where there is none: no libcurl is installed, or jrec is one static file. Null: there is one.
  static const char* missing();

  // Only where missing() is null. timeout_s: of a whole post. ca_file: who is trusted to name servers (PEM); empty: whom the system trusts.
  explicit HttpClient(int64_t timeout_s, const std::string& ca_file = {});
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Headers: "Name: value".
  HttpAnswer post(const std::string& url, const std::vector<std::string>& headers, std::span<const uint8_t> body);

 private:
  struct Handle;
  const std::unique_ptr<Handle> handle_;
};

// As it may stand in the query of a URL.
std::string url_escaped(const std::string& text);

}  // namespace jrec
