// SPDX-License-Identifier: Apache-2.0
// PushSender makes profiles of windows, and posts them. After one that the server will not take, no more are tried.
#pragma once

#include <string>
#include <vector>

#include "jrec/http/http_client.h"
#include "jrec/profile/sample_stream.h"
#include "jrec/push/push_target.h"

namespace jrec {

struct PushTries {
  int64_t retries = 5;
  int64_t timeout_s = 30;
  int64_t first_wait_ms = 500;
  std::string ca_file = {};
};

class PushSender {
 public:
  PushSender(const PushTarget& target, std::vector<std::string> headers, const PushTries& tries);

  void send(const SampleStream& stream, const SampleChunk& window);

  size_t accepted() const { return accepted_; }  // profiles
  size_t given_up() const { return given_up_; }
  uint64_t bytes() const { return bytes_; }        // of the accepted ones
  const std::string& why() const { return why_; }  // empty: nothing was given up

 private:
  base::Status post(const SampleStream& stream, const SampleChunk& window);
  HttpAnswer post_until_it_goes(const std::string& url, std::span<const uint8_t> body);

  const PushTarget& target_;
  std::vector<std::string> headers_;
  const PushTries tries_;
  HttpClient client_;
  size_t accepted_ = 0, given_up_ = 0;
  uint64_t bytes_ = 0;
  std::string why_;
};

}  // namespace jrec
