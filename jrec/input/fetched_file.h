// SPDX-License-Identifier: Apache-2.0
// FetchedFile is an archive on a server, of which only what is asked for is fetched: a scratch file as long as the archive and mapped
// as a whole, at first all holes.
//
//   Source::read(at, size) --fetch--> blocks of a kilobyte that are not there yet --range requests--> the scratch file
//
// At most what --max-unpacked says is fetched. What fails, fails for good: nothing more is asked of a server that is gone, or that gives
// another version than before. Whoever gets no bytes asks failure() why.
//
// Any thread; one fetches at a time, but expect() uses several connections.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "format/archive/source.h"
#include "jrec/http/remote_object.h"

namespace jrec {

class FetchedFile : public jfr::archive::Fetch {
 public:
  // With the first 64 kB of it. kSystem, kUsage: it cannot be had; a server that gives no parts is one. kCorrupt: the server
  // contradicts itself.
  static base::Result<std::unique_ptr<FetchedFile>> open(const std::string& path);
  ~FetchedFile() override;
  FetchedFile(const FetchedFile&) = delete;
  FetchedFile& operator=(const FetchedFile&) = delete;

  jfr::archive::Source source() { return {bytes_, this}; }
  std::optional<base::Error> failure() const;

  bool fetch(uint64_t at, uint64_t size) override;
  void expect(std::span<const uint64_t> places) override;

 private:
  struct Run {
    uint64_t first = 0, end = 0;  // blocks
  };
  FetchedFile(RemoteObject object, base::Descriptor file) : object_(std::move(object)), file_(std::move(file)) {}
  base::Status map(const std::vector<uint8_t>& first);
  // Under mutex_.
  std::vector<Run> missing(uint64_t first, uint64_t end) const;
  base::Status allow(std::span<const Run> runs);
  base::Status bring(RemoteObject& object, const Run& run) const;
  base::Status bring_side_by_side(std::span<const Run> runs);
  bool note(const base::Status& status);

  mutable std::mutex mutex_;  // for all below
  RemoteObject object_;
  const base::Descriptor file_;
  std::span<const uint8_t> bytes_;  // of the mapping
  std::vector<bool> there_;         // blocks
  uint64_t fetched_ = 0;            // bytes
  std::optional<base::Error> failure_;
};

}  // namespace jrec
