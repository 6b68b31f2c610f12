// SPDX-License-Identifier: Apache-2.0
#ifndef REC_STATIC_JREC
#include "jrec/push/http_client.h"

#include "base/redact.h"
#include "jrec/push/curl_api.h"

namespace jrec {
namespace {

constexpr size_t kMostAnswer = 4096;  // bytes that are kept of a body
constexpr long kConnectTimeout_s = 10;

// Whoever has a client has asked missing() before.
const CurlApi& curl() { return *curl_api(); }

size_t keep(char* bytes, size_t one, size_t size, void* to) {
  auto& text = *static_cast<std::string*>(to);
  text.append(bytes, std::min(one * size, kMostAnswer - std::min(kMostAnswer, text.size())));
  return one * size;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find_first_of("\r\n")); }

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
    const CURLUcode done = curl().url_set(handle, CURLUPART_URL, url.c_str(), 0);
    if (done != CURLUE_OK) return done;
    curl().url_get(handle, CURLUPART_USER, &user, CURLU_URLDECODE);
    curl().url_get(handle, CURLUPART_PASSWORD, &password, CURLU_URLDECODE);
    curl().url_set(handle, CURLUPART_USER, nullptr, 0);
    return curl().url_set(handle, CURLUPART_PASSWORD, nullptr, 0);
  }
};

}  // namespace

struct HttpClient::Handle {
  CURL* easy = curl().easy_init();
  ~Handle() { curl().easy_cleanup(easy); }
};

const char* HttpClient::missing() {
  return curl_api() != nullptr ? nullptr
                               : "libcurl.so.4 cannot be loaded, 7.85 or later: Debian's package libcurl4 has it";
}

HttpClient::HttpClient(int64_t timeout_s, const std::string& ca_file) : handle_(std::make_unique<Handle>()) {
  CURL* const easy = handle_->easy;
  curl().easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl().easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl().easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, kConnectTimeout_s);
  curl().easy_setopt(easy, CURLOPT_TIMEOUT, static_cast<long>(timeout_s));
  curl().easy_setopt(easy, CURLOPT_USERAGENT, "jrec/" JREC_VERSION);
  curl().easy_setopt(easy, CURLOPT_WRITEFUNCTION, keep);
  if (!ca_file.empty()) curl().easy_setopt(easy, CURLOPT_CAINFO, ca_file.c_str());
}

HttpClient::~HttpClient() = default;

HttpAnswer HttpClient::post(const std::string& url, const std::vector<std::string>& headers,
                            std::span<const uint8_t> body) {
  CURL* const easy = handle_->easy;
  Address address;
  if (const CURLUcode read = address.read(url); read != CURLUE_OK) return {0, curl().url_strerror(read), 0};
  HeaderList list;
  for (const std::string& header : headers) list.add(header);
  list.add("Expect:");  // an answer of its own before the body, which servers seldom give
  std::string said;
  char error[CURL_ERROR_SIZE] = "";
  curl().easy_setopt(easy, CURLOPT_CURLU, address.handle);
  curl().easy_setopt(easy, CURLOPT_USERNAME, address.user);
  curl().easy_setopt(easy, CURLOPT_PASSWORD, address.password);
  curl().easy_setopt(easy, CURLOPT_HTTPHEADER, list.list);
  curl().easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl().easy_setopt(easy, CURLOPT_POSTFIELDS, body.data());
  curl().easy_setopt(easy, CURLOPT_WRITEDATA, &said);
  curl().easy_setopt(easy, CURLOPT_ERRORBUFFER, error);
  const CURLcode done = curl().easy_perform(easy);
  curl().easy_setopt(easy, CURLOPT_ERRORBUFFER, nullptr);
  HttpAnswer answer;
  if (done != CURLE_OK) {
    answer.what = base::redact_userinfo(*error != '\0' ? error : curl().easy_strerror(done));
    return answer;
  }
  curl_off_t retry_after_s = 0;
  curl().easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &answer.status);
  curl().easy_getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after_s);
  answer.retry_after_s = retry_after_s;
  answer.what = base::redact_userinfo(first_line(said));
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
