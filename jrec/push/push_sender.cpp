// SPDX-License-Identifier: Apache-2.0
#include "jrec/push/push_sender.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "format/reader/mapped_file.h"
#include "jrec/input/scratch_file.h"

namespace jrec {
namespace {

constexpr int64_t kLongestWait_ms = 60'000;

}  // namespace

PushSender::PushSender(const PushTarget& target, std::vector<std::string> headers, const PushTries& tries)
    : target_(target), headers_(target.headers()), tries_(tries), client_({tries.timeout_s, 0}, tries.ca_file) {
  headers_.insert(headers_.end(), headers.begin(), headers.end());
}

void PushSender::send(const SampleStream& stream, const SampleChunk& window) {
  if (why_.empty())
    if (const base::Status posted = post(stream, window); !posted) why_ = posted.error().what;
  why_.empty() ? ++accepted_ : ++given_up_;
}

base::Status PushSender::post(const SampleStream& stream, const SampleChunk& window) {
  auto scratch = make_scratch_file();
  if (!scratch) return scratch.error();
  Output file(scratch->fd());
  ConvertOutput out(file, true);
  const auto format =
      target_.format()(stream, {"", window.start_ns, window.duration_ns, target_.resource(), true}, out);
  format->add(window);
  format->finish();
  if (!out.finish()) return base::Error{base::ErrorCode::kSystem, 0, std::strerror(file.errno_value())};
  const auto body = jfr::read::MappedFile::of(scratch->fd());
  if (!body) return body.error();
  const HttpAnswer answer = post_until_it_goes(target_.url(window.start_ns, window.duration_ns), body->bytes());
  if (!answer.accepted()) return base::Error{base::ErrorCode::kSystem, 0, words_of(answer)};
  bytes_ += body->bytes().size();
  return base::Done{};
}

HttpAnswer PushSender::post_until_it_goes(const std::string& url, std::span<const uint8_t> body) {
  HttpRequest request;
  request.method = "POST";
  request.url = url;
  request.headers = headers_;
  request.headers.push_back("Expect:");  // an answer of its own before the body, which servers seldom give
  request.body = body;
  int64_t wait_ms = tries_.first_wait_ms;
  for (int64_t tried = 0;; ++tried, wait_ms *= 2) {
    const HttpAnswer answer = client_.send(request);
    if (answer.accepted() || !answer.passes() || tried == tries_.retries) return answer;
    const int64_t asked_ms = std::min(answer.retry_after_s, kLongestWait_ms / 1000) * 1000;
    std::this_thread::sleep_for(std::chrono::milliseconds(std::clamp(wait_ms, asked_ms, kLongestWait_ms)));
  }
}

}  // namespace jrec
