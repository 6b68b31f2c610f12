// SPDX-License-Identifier: Apache-2.0
// RemoteObject is a file on a server or in an object store, read by ranges. It must stay what it is meanwhile: the first answer
// says how long it is and which version (ETag, or Last-Modified), and each later one must say the same.
//
//   begin()   GET bytes=0-65535   --206: a part--> size() is known; read() gives any other part
//                                 --200: all of it--> a server that knows no ranges: there is no read()
//   read()    GET bytes=AT-...    --206, that part, that version--> the bytes, to the byte
//
// A server that is busy or breaks off is tried again, from where it broke off. What contradicts itself (another part than was
// asked for, more bytes, another length or version) is kCorrupt and not tried again; a server that refuses, or is not there, kSystem, as is one
// that is busy or breaks off to the end (is_fault_of_server).
// A server that sends less than a kilobyte a second is left.
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "jrec/http/remote_address.h"

namespace jrec {

// For all objects of this process. Set before the first is opened.
struct RemoteLimits {
  int64_t stall_s = 30;
  int tries = 4;  // in all; each wait is twice the one before
  int64_t first_wait_ms = 250;
};
RemoteLimits& remote_limits();

// The answer in words: with what an object store says in XML.
std::string said_by(const HttpAnswer& answer);
// Sends it until it is answered for good, as the limits have it.
HttpAnswer send_until_it_goes(HttpClient& client, const HttpRequest& request);

// Whether there is a server that should have it, and that failed: it contradicts itself (kCorrupt), or was busy, broke off or stood
// still to the end (kSystem, with EAGAIN). What is not there, is not allowed or has no server is none of this.
bool is_fault_of_server(const base::Error& error);

class RemoteObject {
 public:
  static constexpr uint64_t kFirstBytes = 64 * 1024;
  // False: no more is wanted, which is no error.
  using Take = std::function<bool(std::span<const uint8_t>)>;

  // kUsage: RemoteAddress says why.
  static base::Result<RemoteObject> of(const std::string& path);
  // The same one, at the point where this one is, by a connection of its own.
  RemoteObject another() const { return RemoteObject(address_, size_, ranges_, version_); }

  // gives_ranges() is known when the first bytes are taken.
  base::Status begin(const Take& take);
  bool gives_ranges() const { return ranges_; }
  uint64_t size() const { return size_; }  // where it gives ranges
  const std::string& etag() const { return version_.etag; }

  // From the first byte to the last, whether it gives ranges or not; in place of begin().
  base::Status read_whole(const Take& take);

  // Within size().
  base::Status read(uint64_t at, uint64_t size, const Take& take);

 private:
  struct Version {
    std::string etag, last_modified;
  };
  RemoteObject(RemoteAddress address, uint64_t size, bool ranges, Version version);
  HttpRequest request(uint64_t at, uint64_t last) const;
  base::Status check_first(const HttpHead& head);
  base::Status check(const HttpHead& head, uint64_t at, uint64_t last) const;

  RemoteAddress address_;
  std::unique_ptr<HttpClient> client_;
  uint64_t size_ = 0;
  bool ranges_ = true;
  Version version_;
};

}  // namespace jrec
