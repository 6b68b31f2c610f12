// SPDX-License-Identifier: Apache-2.0
// ObjectStore is what lies under s3://BUCKET/PREFIX, for those who write there. An object appears whole or not at all, under one name
// at a time: there is no rename and no directory. Keys count from the prefix, which may be empty.
//
// What fails is kSystem, in the store's own words; it was tried as often as RemoteLimits has it. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "jrec/http/http_client.h"
#include "jrec/http/remote_address.h"

namespace jrec {

struct StoredObject {
  std::string bytes, etag;
};

inline std::span<const uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

class ObjectStore {
 public:
  static constexpr uint64_t kMostBytes = uint64_t{5} << 30;    // of an object, when it is written at once
  static constexpr uint64_t kMostListed = uint64_t{64} << 20;  // bytes of memory that a listing takes

  // kUsage: RemoteAddress says why.
  static base::Result<ObjectStore> of(const std::string& path);

  base::Result<bool> has(const std::string& key);
  // Nothing: there is no such object. kLimit: it is longer than HttpClient::kMostAnswer.
  base::Result<std::optional<StoredObject>> get(const std::string& key);
  // Over what is there; gives its ETag.
  base::Result<std::string> put(const std::string& key, std::span<const uint8_t> bytes);
  // Only if none is there, or only over that one. Nothing: it is otherwise, or another one was written at the same time.
  base::Result<std::optional<std::string>> put_new(const std::string& key, std::span<const uint8_t> bytes);
  base::Result<std::optional<std::string>> put_over(const std::string& key, std::span<const uint8_t> bytes,
                                                    const std::string& etag);
  // Whether the store obeys those conditions, tried on an object that is there and ours, which is written over if it does not: kUsage.
  base::Status check_conditions(const std::string& key, std::span<const uint8_t> bytes);
  // Also where there is none.
  base::Status remove(const std::string& key);
  // Keys that begin so, sorted; most: as soon as there are so many, they are enough. kLimit: they take more memory than most_bytes, or
  // than kMostListed. kCorrupt: ObjectPage says why.
  base::Result<std::vector<std::string>> list(const std::string& prefix, size_t most, uint64_t most_bytes);
  // Of all that is under the prefix: s3://BUCKET/PREFIX/KEY.
  std::string path_of(const std::string& key) const { return path_ + "/" + key; }

 private:
  ObjectStore(std::string path, RemoteAddress bucket, std::string prefix);
  HttpRequest request(const char* method, const std::string& key) const;
  base::Result<std::optional<std::string>> put_if(const std::string& key, std::span<const uint8_t> bytes,
                                                  const std::string& condition);

  std::string path_;
  RemoteAddress bucket_;  // its URL ends with a slash
  std::string prefix_;    // empty, or ends with a slash
  std::unique_ptr<HttpClient> client_;
};

}  // namespace jrec
