// SPDX-License-Identifier: Apache-2.0
#include "jrec/http/object_store.h"

#include <fmt/core.h>

#include <algorithm>

#include "jrec/http/object_list.h"
#include "jrec/http/remote_object.h"

namespace jrec {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

constexpr std::string_view kStore = "s3://";
constexpr long kThereIsNone = 404, kOtherwise = 412, kBusyWithIt = 409;
constexpr char kOnlyNew[] = "If-None-Match: *", kOnlyOver[] = "If-Match: ";
constexpr char kNoVersion[] = "\"00000000000000000000000000000000\"";

Error store_says(const std::string& what, const HttpAnswer& answer) {
  return Error{ErrorCode::kSystem, 0, what + ": " + said_by(answer)};
}

Error too_much_listed(const std::string& place, uint64_t most_bytes) {
  const uint64_t most = std::min(most_bytes, ObjectStore::kMostListed);
  return Error{ErrorCode::kLimit, 0,
               fmt::format("the object store lists more than {} bytes of names{}: {}", most,
                           most == most_bytes ? "; --max-unpacked allows more" : "", place)};
}

// 404 of an object that was to be written over: it has gone. Else it is the bucket that is not there.
bool is_otherwise(const HttpAnswer& answer, const std::string& condition) {
  if (answer.status == kThereIsNone)
    return condition != kOnlyNew && answer.body.find("NoSuchBucket") == std::string::npos;
  return answer.status == kOtherwise || answer.status == kBusyWithIt;
}

}  // namespace

ObjectStore::ObjectStore(std::string path, RemoteAddress bucket, std::string prefix)
    : path_(std::move(path)),
      bucket_(std::move(bucket)),
      prefix_(std::move(prefix)),
      client_(std::make_unique<HttpClient>(HttpLimits{0, remote_limits().stall_s}, bucket_.ca_file)) {}

Result<ObjectStore> ObjectStore::of(const std::string& path) {
  std::string name = path;
  while (name.ends_with('/')) name.pop_back();
  const size_t slash = name.find('/', kStore.size());
  const std::string bucket = name.substr(0, slash);
  auto address = RemoteAddress::of(bucket + "/-");  // of a key, as it must have one
  if (!address) return address.error();
  address->url.pop_back();
  std::string prefix = slash == std::string::npos ? "" : name.substr(slash + 1) + "/";
  return ObjectStore(std::move(name), std::move(*address), std::move(prefix));
}

HttpRequest ObjectStore::request(const char* method, const std::string& key) const {
  HttpRequest request;
  request.method = method;
  request.url = bucket_.url + key_escaped(prefix_ + key);
  request.signer = bucket_.signer ? &*bucket_.signer : nullptr;
  return request;
}

Result<bool> ObjectStore::has(const std::string& key) {
  const HttpAnswer answer = send_until_it_goes(*client_, request("HEAD", key));
  if (answer.accepted()) return true;
  if (answer.status == kThereIsNone) return false;
  return store_says("cannot look for " + key, answer);
}

Result<std::optional<StoredObject>> ObjectStore::get(const std::string& key) {
  HttpAnswer answer = send_until_it_goes(*client_, request("GET", key));
  if (answer.status == kThereIsNone) return std::optional<StoredObject>();
  if (!answer.accepted()) return store_says("cannot read " + key, answer);
  if (!answer.whole) return Error{ErrorCode::kLimit, 0, key + " is longer than it may be"};
  return std::optional(StoredObject{std::move(answer.body), answer.head.etag});
}

Result<std::string> ObjectStore::put(const std::string& key, std::span<const uint8_t> bytes) {
  const auto etag = put_if(key, bytes, "");
  if (!etag) return etag.error();
  return **etag;
}

Result<std::optional<std::string>> ObjectStore::put_new(const std::string& key, std::span<const uint8_t> bytes) {
  return put_if(key, bytes, kOnlyNew);
}

Result<std::optional<std::string>> ObjectStore::put_over(const std::string& key, std::span<const uint8_t> bytes,
                                                         const std::string& etag) {
  return put_if(key, bytes, kOnlyOver + etag);
}

// A put whose answer was lost is tried again, and then it is its own doing that it is otherwise: who puts under a condition
// looks whose the object is.
Result<std::optional<std::string>> ObjectStore::put_if(const std::string& key, std::span<const uint8_t> bytes,
                                                       const std::string& condition) {
  if (bytes.size() > kMostBytes) return Error{ErrorCode::kLimit, 0, key + " would be longer than 5 GiB"};
  HttpRequest put = request("PUT", key);
  put.body = bytes;
  put.headers = {"Content-Type: application/octet-stream"};
  if (!condition.empty()) put.headers.push_back(condition);
  const HttpAnswer answer = send_until_it_goes(*client_, put);
  if (!condition.empty() && is_otherwise(answer, condition)) return std::optional<std::string>();
  if (!answer.accepted()) return store_says("cannot write " + key, answer);
  return std::optional(answer.head.etag);
}

Status ObjectStore::check_conditions(const std::string& key, std::span<const uint8_t> bytes) {
  const auto anew = put_new(key, bytes);
  if (!anew) return anew.error();
  const auto over = *anew ? anew : put_over(key, bytes, kNoVersion);
  if (!over) return over.error();
  if (!*over) return base::Done{};
  return Error{ErrorCode::kUsage, 0,
               "the object store knows no conditional writes (If-None-Match, If-Match), which keep two writers apart"};
}

Status ObjectStore::remove(const std::string& key) {
  const HttpAnswer answer = send_until_it_goes(*client_, request("DELETE", key));
  if (answer.accepted() || answer.status == kThereIsNone) return base::Done{};
  return store_says("cannot remove " + key, answer);
}

Result<std::vector<std::string>> ObjectStore::list(const std::string& prefix, size_t most, uint64_t most_bytes) {
  const std::string place = path_of(prefix);
  std::vector<std::string> keys;
  uint64_t listed = 0;
  std::string after;
  do {
    HttpRequest list = request("GET", "");
    list.url = bucket_.url + list_query(prefix_ + prefix, after);
    const HttpAnswer answer = send_until_it_goes(*client_, list);
    if (!answer.accepted() || !answer.whole) return store_says("cannot list " + place, answer);
    auto page = ObjectPage::of(answer.body, prefix_ + prefix);
    if (!page) return Error{page.error().code, 0, "cannot list " + place + ": " + page.error().what};
    for (const std::string& key : page->keys) {
      listed += key.size() + sizeof key;
      keys.push_back(key.substr(prefix_.size()));
    }
    if (!page->next.empty() && (page->next == after || page->keys.empty()))
      return Error{ErrorCode::kCorrupt, 0, "the object store lists " + place + " without an end"};
    after = page->next;
    if (listed > std::min(most_bytes, kMostListed)) return too_much_listed(place, most_bytes);
  } while (!after.empty() && keys.size() < most);
  std::ranges::sort(keys);
  return keys;
}

}  // namespace jrec
