// SPDX-License-Identifier: Apache-2.0
#include "jrec/http/remote_address.h"

#include <cctype>
#include <cstdlib>
#include <initializer_list>

#include "jrec/base/local_path.h"

namespace jrec {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

constexpr std::string_view kS3 = "s3://";

// Of the first variable that says something.
std::string from_environment(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
  return {};
}

// What goes into a host's name or a header: nothing that ends it.
bool is_plain(const std::string& text) {
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.' && c != '_') return false;
  return !text.empty();
}

Result<std::optional<HttpSigner>> signer_of_environment(const std::string& region) {
  HttpSigner signer{region, from_environment({"AWS_ACCESS_KEY_ID"}), from_environment({"AWS_SECRET_ACCESS_KEY"}),
                    from_environment({"AWS_SESSION_TOKEN"})};
  if (signer.key_id.empty() && signer.secret.empty()) return std::optional<HttpSigner>();
  if (signer.key_id.empty() || signer.secret.empty())
    return Error{ErrorCode::kUsage, 0, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY go together, and one is not set"};
  if ((signer.key_id + signer.token).find_first_of("\r\n") != std::string::npos)
    return Error{ErrorCode::kUsage, 0, "AWS_ACCESS_KEY_ID and AWS_SESSION_TOKEN are one line each"};
  return std::optional(signer);
}

std::string s3_url(const std::string& bucket, const std::string& key, const std::string& region) {
  std::string endpoint = from_environment({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
  while (endpoint.ends_with('/')) endpoint.pop_back();
  const std::string amazon = "s3." + region + ".amazonaws.com";
  if (endpoint.empty() && bucket.find('.') == std::string::npos)
    return "https://" + bucket + "." + amazon + "/" + key_escaped(key);
  return (endpoint.empty() ? "https://" + amazon : endpoint) + "/" + bucket + "/" + key_escaped(key);
}

Result<RemoteAddress> s3_address(const std::string& path) {
  const std::string name = path.substr(kS3.size());
  const size_t slash = name.find('/');
  const std::string bucket = name.substr(0, slash);
  if (!is_plain(bucket) || slash == std::string::npos || slash + 1 == name.size())
    return Error{ErrorCode::kUsage, 0, "is no s3://BUCKET/KEY"};
  std::string region = from_environment({"AWS_REGION", "AWS_DEFAULT_REGION"});
  if (region.empty()) region = "us-east-1";
  if (!is_plain(region)) return Error{ErrorCode::kUsage, 0, "AWS_REGION is no name of a region"};
  auto signer = signer_of_environment(region);
  if (!signer) return signer.error();
  return RemoteAddress{s3_url(bucket, name.substr(slash + 1), region), *signer, true,
                       from_environment({"AWS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"})};
}

}  // namespace

std::string key_escaped(const std::string& key) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string escaped;
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-_.~/").find(c) != std::string_view::npos) {
      escaped += c;
    } else {
      escaped += '%';
      escaped += kDigits[byte >> 4];
      escaped += kDigits[byte & 15];
    }
  }
  return escaped;
}

Result<RemoteAddress> RemoteAddress::of(const std::string& path) {
  if (const char* why = HttpClient::missing()) return Error{ErrorCode::kUsage, 0, why};
  if (has_scheme(path, "s3")) return s3_address(path);
  if (!has_scheme(path, "http") && !has_scheme(path, "https"))
    return Error{ErrorCode::kUsage, 0, "is no address that jrec can read"};
  return RemoteAddress{path, std::nullopt, false, from_environment({"CURL_CA_BUNDLE", "SSL_CERT_FILE"})};
}

}  // namespace jrec
