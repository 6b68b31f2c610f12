// SPDX-License-Identifier: Apache-2.0
// HttpClient speaks with a server, by libcurl: TLS, proxies by the usual variables, user and password in the URL, signatures of
// Amazon's kind. What it says of a failure never has these in it.
//
// One connection, kept. Redirects are followed where the request says so, and never from https to http.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace jrec {

// Who signs a request, and for which part of the world (AWS signature, version 4). The body's SHA-256 is signed, too, and said
// (x-amz-content-sha256).
struct HttpSigner {
  std::string region, key_id, secret, token;  // token: empty if the key is not of a session
};

// What an answer says before its body.
struct HttpHead {
  long status = 0;
  std::string reason;                              // "Not Found"; HTTP/2 says none
  std::string etag, last_modified, content_range;  // empty: it does not say
};

struct HttpRequest {
  const char* method = "GET";  // GET, HEAD, PUT, POST, DELETE
  std::string url;
  std::vector<std::string> headers;  // "Name: value"
  std::span<const uint8_t> body;     // of PUT and POST
  const HttpSigner* signer = nullptr;
  bool follow = false;  // redirects
  // What takes the body of an accepted answer, piece by piece; false: enough. Without it the answer has its first bytes.
  std::function<bool(const HttpHead& head, std::span<const uint8_t>)> take;
};

struct HttpAnswer {
  long status = 0;            // 0: there was no answer, and `what` says why
  std::string what;           // the first line of its body, or of the error
  int64_t retry_after_s = 0;  // as the server asks for; 0: it does not
  HttpHead head = {};
  std::string body = {};  // its first kMostAnswer bytes, if nobody took it
  bool whole = false;     // all of it came
  bool stalled = false;   // it came to no end in its time, and would hardly another time
  bool broken = false;    // there was a server, and it broke off
  bool hopeless =
      false;  // it would end like this each time: no URL, redirects in a circle, a server that nobody vouches for

  bool accepted() const { return status >= 200 && status < 300; }
  // Worth another try: nobody there, too busy, or broken for now.
  bool passes() const { return (status == 0 && !hopeless) || is_busy(); }
  bool is_busy() const { return status == 408 || status == 429 || status >= 500; }
};

// "HTTP 404 Not Found: not here", or why there is no answer.
std::string words_of(const HttpAnswer& answer);

// How long it may take. 0: no limit.
struct HttpLimits {
  int64_t whole_s = 0;  // of a request and its answer
  int64_t stall_s = 0;  // with less than a kilobyte a second in either direction
};

class HttpClient {
 public:
  static constexpr size_t kMostAnswer = size_t{4} << 20;  // bytes that are kept of a body

  // What to tell a user where there is none: no libcurl is installed, or jrec is one static file. Null: there is one.
  static const char* missing();

  // Only where missing() is null. ca_file: who is trusted to name servers (PEM); empty: whom the system trusts.
  explicit HttpClient(HttpLimits limits, std::string ca_file = {});
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  HttpAnswer send(const HttpRequest& request);

 private:
  struct Handle;
  const std::unique_ptr<Handle> handle_;
  const HttpLimits limits_;
  const std::string ca_file_;
};

// As it may stand in the query of a URL.
std::string url_escaped(const std::string& text);

}  // namespace jrec
