// SPDX-License-Identifier: Apache-2.0
#include "jrec/http/remote_object.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <optional>
#include <thread>

namespace jrec {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

constexpr int64_t kLongestWait_s = 60;
constexpr long kPart = 206, kAll = 200, kChanged = 412, kNoSuchRange = 416;

Error lie(uint64_t at, std::string what) { return Error{ErrorCode::kCorrupt, at, std::move(what)}; }
Error has_changed(uint64_t at) { return lie(at, "has changed while it was read"); }

// "bytes 0-65535/1234567".
struct ContentRange {
  uint64_t first = 0, last = 0, size = 0;
};
std::optional<ContentRange> content_range_of(const std::string& text) {
  ContentRange range;
  const char *at = text.data(), *const end = at + text.size();
  if (!text.starts_with("bytes ")) return std::nullopt;
  at += 6;
  for (const auto& [number, behind] : {std::pair{&range.first, '-'}, {&range.last, '/'}, {&range.size, '\0'}}) {
    const auto [stop, wrong] = std::from_chars(at, end, *number);
    if (wrong != std::errc()) return std::nullopt;
    if (behind == '\0' ? stop != end : stop == end || *stop != behind) return std::nullopt;
    at = stop + 1;
  }
  return range.first <= range.last && range.last < range.size ? std::optional(range) : std::nullopt;
}

// What stands between <NAME> and </NAME>.
std::string xml_text(const std::string& xml, const std::string& name) {
  const size_t begin = xml.find("<" + name + ">"), from = begin + name.size() + 2;
  if (begin == std::string::npos) return {};
  const size_t end = xml.find('<', from);
  return end == std::string::npos ? "" : xml.substr(from, end - from);
}

bool is_worth_a_try(const HttpAnswer& answer, int tried) {
  return answer.passes() && !answer.stalled && tried + 1 < remote_limits().tries;
}

Error failed(const HttpAnswer& answer) {
  const bool for_now = answer.is_busy() || answer.broken || answer.stalled;
  return Error{ErrorCode::kSystem, 0, said_by(answer), for_now ? EAGAIN : 0};
}

void wait_before(int tried, const HttpAnswer& answer) {
  const int64_t own_ms = remote_limits().first_wait_ms << tried;
  const int64_t asked_ms = std::clamp<int64_t>(answer.retry_after_s, 0, kLongestWait_s) * 1000;
  std::this_thread::sleep_for(std::chrono::milliseconds(std::clamp(own_ms, asked_ms, kLongestWait_s * 1000)));
}

}  // namespace

RemoteLimits& remote_limits() {
  static RemoteLimits limits;
  return limits;
}

std::string said_by(const HttpAnswer& answer) {
  if (answer.status == 0) return answer.what;
  const std::string code = xml_text(answer.body, "Code"), message = xml_text(answer.body, "Message");
  HttpAnswer told = answer;
  told.what = code.empty() || message.empty() ? code + message : code + ": " + message;
  return words_of(told);
}

HttpAnswer send_until_it_goes(HttpClient& client, const HttpRequest& request) {
  for (int tried = 0;; ++tried) {
    HttpAnswer answer = client.send(request);
    if (!is_worth_a_try(answer, tried)) return answer;
    wait_before(tried, answer);
  }
}

bool is_fault_of_server(const Error& error) {
  return error.code == ErrorCode::kCorrupt || (error.code == ErrorCode::kSystem && error.errno_value == EAGAIN);
}

RemoteObject::RemoteObject(RemoteAddress address, uint64_t size, bool ranges, Version version)
    : address_(std::move(address)),
      client_(std::make_unique<HttpClient>(HttpLimits{0, remote_limits().stall_s}, address_.ca_file)),
      size_(size),
      ranges_(ranges),
      version_(std::move(version)) {}

Result<RemoteObject> RemoteObject::of(const std::string& path) {
  auto address = RemoteAddress::of(path);
  if (!address) return address.error();
  return RemoteObject(std::move(*address), 0, true, {});
}

HttpRequest RemoteObject::request(uint64_t at, uint64_t last) const {
  HttpRequest request;
  request.url = address_.url;
  request.headers.push_back(fmt::format("Range: bytes={}-{}", at, last));
  // A weak one stands for what is as good, and not for the same bytes.
  if (!version_.etag.empty() && !version_.etag.starts_with("W/"))
    request.headers.push_back("If-Match: " + version_.etag);
  request.signer = address_.signer ? &*address_.signer : nullptr;
  request.follow = !address_.is_s3;
  return request;
}

Status RemoteObject::check_first(const HttpHead& head) {
  version_ = {head.etag, head.last_modified};
  ranges_ = head.status == kPart;
  if (!ranges_) return base::Done{};
  const auto range = content_range_of(head.content_range);
  if (!range || range->first != 0 || range->last != std::min(range->size, kFirstBytes) - 1)
    return lie(0, "the server gives another part than was asked for");
  size_ = range->size;
  return base::Done{};
}

Status RemoteObject::check(const HttpHead& head, uint64_t at, uint64_t last) const {
  if (head.status == kAll)
    return lie(at, "the server gave a part of it before, and now ignores which one is asked for");
  const auto range = content_range_of(head.content_range);
  if (head.status != kPart || !range || range->first != at || range->last != last)
    return lie(at, "the server gives another part than was asked for");
  if (range->size != size_ || head.etag != version_.etag || head.last_modified != version_.last_modified)
    return has_changed(at);
  return base::Done{};
}

Status RemoteObject::begin(const Take& take) {
  uint64_t got = 0;
  Status fine = base::Done{};
  bool enough = false;
  HttpRequest first = request(0, kFirstBytes - 1);
  first.take = [&](const HttpHead& head, std::span<const uint8_t> bytes) {
    if (got == 0) fine = check_first(head);
    if (fine.ok() && ranges_ && bytes.size() > std::min(size_, kFirstBytes) - got)
      fine = lie(got, "the server sends more than was asked for");
    if (!fine.ok()) return false;
    got += bytes.size();
    enough = !take(bytes);
    return !enough;
  };
  HttpAnswer answer;
  for (int tried = 0; got == 0 && fine.ok(); ++tried) {
    answer = client_->send(first);
    if (got != 0 || !is_worth_a_try(answer, tried)) break;
    wait_before(tried, answer);
  }
  if (!fine.ok() || enough) return fine;
  if (answer.status == kNoSuchRange) return size_ = 0, base::Done{};  // nothing is in it
  if (got == 0 && answer.accepted()) return check_first(answer.head);
  if (got == 0) return failed(answer);
  const uint64_t wanted = std::min(size_, kFirstBytes);
  if (ranges_) return got == wanted ? Status(base::Done{}) : read(got, wanted - got, take);
  return answer.whole ? Status(base::Done{}) : failed(answer);
}

Status RemoteObject::read_whole(const Take& take) {
  uint64_t got = 0;
  bool enough = false;
  const Take counted = [&](std::span<const uint8_t> bytes) {
    got += bytes.size();
    enough = !take(bytes);
    return !enough;
  };
  const Status begun = begin(counted);
  if (!begun || enough || !ranges_ || got >= size_) return begun;
  return read(got, size_ - got, counted);
}

Status RemoteObject::read(uint64_t at, uint64_t size, const Take& take) {
  const uint64_t end = at + size;
  Status fine = base::Done{};
  bool enough = false;
  for (int tried = 0; at < end; ++tried) {
    const uint64_t from = at;
    HttpRequest part = request(from, end - 1);
    part.take = [&](const HttpHead& head, std::span<const uint8_t> bytes) {
      if (at == from) fine = check(head, from, end - 1);
      if (fine.ok() && bytes.size() > end - at) fine = lie(at, "the server sends more than was asked for");
      if (!fine.ok()) return false;
      at += bytes.size();
      enough = !take(bytes);
      return !enough;
    };
    const HttpAnswer answer = client_->send(part);
    if (!fine.ok() || enough || at == end) return fine;
    if (answer.status == kChanged || answer.status == kNoSuchRange) return has_changed(at);
    const bool cut = answer.accepted();       // it says that this was all
    if (at - from >= kFirstBytes) tried = 0;  // it goes on, if in bits
    if (cut ? tried + 1 >= remote_limits().tries : !is_worth_a_try(answer, tried))
      return cut ? lie(at, "the server sends less than it says") : failed(answer);
    wait_before(tried, answer);
  }
  return fine;
}

}  // namespace jrec
