// SPDX-License-Identifier: Apache-2.0
#ifndef REC_STATIC_JREC
#include "jrec/http/http_client.h"

#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/redact.h"
#include "jrec/base/local_path.h"
#include "jrec/http/curl_api.h"
#include "jrec/http/sha256.h"

namespace jrec {
namespace {

constexpr size_t kMostHeaders = 256 * 1024;  // bytes of an answer's headers
constexpr long kConnectTimeout_s = 10;
constexpr long kSlow = 1000;  // bytes a second
constexpr long kMostRedirects = 5;

// Whoever has a client has asked missing() before.
const CurlApi& curl() { return *curl_api(); }

// An answer that comes in.
struct Coming {
  const HttpRequest& request;
  HttpAnswer& answer;
  size_t header_bytes = 0;
  bool enough = false;
};

bool is_accepted(long status) { return status >= 200 && status < 300; }

size_t take_body(char* bytes, size_t one, size_t count, void* to) {
  auto& coming = *static_cast<Coming*>(to);
  const size_t size = one * count;
  if (coming.request.take && is_accepted(coming.answer.head.status)) {
    coming.enough = !coming.request.take(coming.answer.head, {reinterpret_cast<const uint8_t*>(bytes), size});
    return coming.enough ? 0 : size;
  }
  std::string& body = coming.answer.body;
  body.append(bytes, std::min(size, HttpClient::kMostAnswer - std::min(HttpClient::kMostAnswer, body.size())));
  // What refuses at length is not heard to its end.
  coming.enough = body.size() == HttpClient::kMostAnswer;
  return coming.enough ? 0 : size;
}

std::string value_of(std::string_view line) {
  const size_t from = line.find_first_not_of(" \t");
  if (from == line.npos) return {};
  return std::string(line.substr(from, line.find_last_not_of(" \t\r\n") - from + 1));
}

// Each answer of a row of redirects begins with its own line.
size_t take_header(char* bytes, size_t one, size_t count, void* to) {
  auto& coming = *static_cast<Coming*>(to);
  const std::string_view line(bytes, one * count);
  coming.header_bytes += line.size();
  if (coming.header_bytes > kMostHeaders) return 0;
  HttpHead& head = coming.answer.head;
  if (line.starts_with("HTTP/")) {
    head = {};
    const size_t blank = line.find(' ');
    const std::string status = blank == line.npos ? "" : value_of(line.substr(blank));
    head.status = std::atol(status.c_str());
    if (status.find(' ') != status.npos) head.reason = status.substr(status.find(' ') + 1);
    return line.size();
  }
  const std::pair<const char*, std::string*> known[] = {
      {"etag:", &head.etag}, {"last-modified:", &head.last_modified}, {"content-range:", &head.content_range}};
  for (const auto& [name, value] : known) {
    const std::string_view wanted(name);
    if (line.size() > wanted.size() && ::strncasecmp(line.data(), name, wanted.size()) == 0)
      *value = value_of(line.substr(wanted.size()));
  }
  return line.size();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find_first_of("\r\n")); }

bool breaks_off(CURLcode code) {
  return code == CURLE_GOT_NOTHING || code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR ||
         code == CURLE_PARTIAL_FILE || code == CURLE_HTTP2 || code == CURLE_HTTP2_STREAM ||
         code == CURLE_WRITE_ERROR;  // headers without an end
}

bool ends_always_so(CURLcode code) {
  return code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_TOO_MANY_REDIRECTS ||
         code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE;
}

struct HeaderList {
  curl_slist* list = nullptr;
  ~HeaderList() { curl().slist_free_all(list); }
  void add(const std::string& header) { list = curl().slist_append(list, header.c_str()); }
};

// A URL, and apart from it who it lets in.
struct Address {
  CURLU* handle = curl().url();
  char *user = nullptr, *password = nullptr;
  ~Address() {
    curl().free(user);
    curl().free(password);
    curl().url_cleanup(handle);
  }

  CURLUcode read(const std::string& url) {
    const CURLUcode done = curl().url_set(handle, CURLUPART_URL, url.c_str(), CURLU_PATH_AS_IS);
    if (done != CURLUE_OK) return done;
    curl().url_get(handle, CURLUPART_USER, &user, CURLU_URLDECODE);
    curl().url_get(handle, CURLUPART_PASSWORD, &password, CURLU_URLDECODE);
    curl().url_set(handle, CURLUPART_USER, nullptr, 0);
    return curl().url_set(handle, CURLUPART_PASSWORD, nullptr, 0);
  }
};

template <typename Value>
void set(CURL* easy, CURLoption option, Value value) {
  curl().easy_setopt(easy, option, value);
}

void set_limits(CURL* easy, const HttpLimits& limits) {
  set(easy, CURLOPT_NOSIGNAL, 1L);
  set(easy, CURLOPT_CONNECTTIMEOUT, kConnectTimeout_s);
  set(easy, CURLOPT_TIMEOUT, static_cast<long>(limits.whole_s));
  if (limits.stall_s == 0) return;
  set(easy, CURLOPT_LOW_SPEED_LIMIT, kSlow);
  set(easy, CURLOPT_LOW_SPEED_TIME, static_cast<long>(limits.stall_s));
}

void set_method(CURL* easy, const HttpRequest& request) {
  const std::string_view method(request.method);
  if (method == "GET") return;
  if (method == "HEAD") return set(easy, CURLOPT_NOBODY, 1L);
  set(easy, CURLOPT_CUSTOMREQUEST, request.method);
  if (method == "DELETE") return;
  set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  set(easy, CURLOPT_POSTFIELDS, request.body.empty() ? reinterpret_cast<const uint8_t*>("") : request.body.data());
}

void set_redirects(CURL* easy, const HttpRequest& request) {
  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  if (!request.follow) return;
  set(easy, CURLOPT_FOLLOWLOCATION, 1L);
  set(easy, CURLOPT_MAXREDIRS, kMostRedirects);
  set(easy, CURLOPT_REDIR_PROTOCOLS_STR, has_scheme(request.url, "https") ? "https" : "http,https");
}

// By the URL's user, or by a signature.
void set_user(CURL* easy, const HttpRequest& request, const Address& address) {
  if (request.signer == nullptr) {
    set(easy, CURLOPT_USERNAME, address.user);
    set(easy, CURLOPT_PASSWORD, address.password);
    return;
  }
  set(easy, CURLOPT_AWS_SIGV4, ("aws:amz:" + request.signer->region + ":s3").c_str());
  set(easy, CURLOPT_USERNAME, request.signer->key_id.c_str());
  set(easy, CURLOPT_PASSWORD, request.signer->secret.c_str());
}

// libcurl signs these, too. Before 8.0 it does not say the body's hash by itself, without which Amazon's store refuses; from 7.87 on it
// takes the one that is said, and before makes the same (lib/http_aws_sigv4.c). 7.85 signs neither.
void add_signed(HeaderList& list, const HttpRequest& request) {
  list.add("x-amz-content-sha256: " + sha256_hex(request.body));
  if (!request.signer->token.empty()) list.add("x-amz-security-token: " + request.signer->token);
}

}  // namespace

struct HttpClient::Handle {
  CURL* easy = curl().easy_init();
  ~Handle() { curl().easy_cleanup(easy); }
};

const char* HttpClient::missing() {
  return curl_api() != nullptr ? nullptr
                               : "libcurl.so.4 cannot be loaded, 7.85 or later: Debian's package libcurl4 has it";
}

HttpClient::HttpClient(HttpLimits limits, std::string ca_file)
    : handle_(std::make_unique<Handle>()), limits_(limits), ca_file_(std::move(ca_file)) {}

HttpClient::~HttpClient() = default;

HttpAnswer HttpClient::send(const HttpRequest& request) {
  CURL* const easy = handle_->easy;
  curl().easy_reset(easy);  // keeps the connection
  HttpAnswer answer;
  Address address;
  if (const CURLUcode read = address.read(request.url); read != CURLUE_OK) {
    answer.what = curl().url_strerror(read);
    answer.hopeless = true;
    return answer;
  }
  HeaderList list;
  for (const std::string& header : request.headers) list.add(header);
  if (request.signer != nullptr) add_signed(list, request);
  Coming coming{request, answer};
  char error[CURL_ERROR_SIZE] = "";
  set_limits(easy, limits_);
  set_redirects(easy, request);
  set_method(easy, request);
  set_user(easy, request, address);
  set(easy, CURLOPT_CURLU, address.handle);
  set(easy, CURLOPT_HTTPHEADER, list.list);
  set(easy, CURLOPT_USERAGENT, "jrec/" JREC_VERSION);
  set(easy, CURLOPT_WRITEFUNCTION, take_body);
  set(easy, CURLOPT_WRITEDATA, &coming);
  set(easy, CURLOPT_HEADERFUNCTION, take_header);
  set(easy, CURLOPT_HEADERDATA, &coming);
  set(easy, CURLOPT_ERRORBUFFER, error);
  if (!ca_file_.empty()) set(easy, CURLOPT_CAINFO, ca_file_.c_str());
  const CURLcode done = curl().easy_perform(easy);
  set(easy, CURLOPT_ERRORBUFFER, static_cast<char*>(nullptr));
  answer.whole = done == CURLE_OK;
  answer.stalled = done == CURLE_OPERATION_TIMEDOUT;
  answer.broken = breaks_off(done);
  answer.hopeless = ends_always_so(done);
  if (done != CURLE_OK && !coming.enough) {
    answer.what = base::redact_userinfo(*error != '\0' ? error : curl().easy_strerror(done));
    return answer;
  }
  curl_off_t retry_after_s = 0;
  curl().easy_getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after_s);
  answer.status = answer.head.status;
  answer.retry_after_s = retry_after_s;
  answer.what = base::redact_userinfo(first_line(answer.body));
  return answer;
}

std::string url_escaped(const std::string& text) {
  char* escaped = curl().easy_escape(nullptr, text.data(), static_cast<int>(text.size()));
  std::string result = escaped != nullptr ? escaped : "";
  curl().free(escaped);
  return result;
}

}  // namespace jrec
#endif
