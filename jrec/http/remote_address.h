// SPDX-License-Identifier: Apache-2.0
// RemoteAddress is what http://..., https://... and s3://BUCKET/KEY stand for: a URL, and who signs for it.
//
// For s3:// the environment says the rest, as with Amazon's own tools:
//
//   AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN    who asks; without the first two nobody signs
//   AWS_REGION, AWS_DEFAULT_REGION                                 us-east-1 if there is none
//   AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL                          another server: ENDPOINT/BUCKET/KEY
//
// Without an endpoint it is https://BUCKET.s3.REGION.amazonaws.com/KEY; a bucket with a dot in its name would be none of the
// names in the certificate, and goes behind the slash.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "jrec/http/http_client.h"

namespace jrec {

struct RemoteAddress {
  std::string url;
  std::optional<HttpSigner> signer;  // of s3:// only
  bool is_s3 = false;
  std::string ca_file;  // AWS_CA_BUNDLE, CURL_CA_BUNDLE or SSL_CERT_FILE; empty: those of the system

  // kUsage: it is none of the three, or names no bucket; libcurl is missing; half of a key is there.
  static base::Result<RemoteAddress> of(const std::string& path);
};

// As it may stand in a path that is signed: all but letters, digits and -_.~/ is %XX.
std::string key_escaped(const std::string& key);

}  // namespace jrec
