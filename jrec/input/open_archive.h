// SPDX-License-Identifier: Apache-2.0
// OpenArchive is an archive that is read: mapped, or on a server and fetched in parts, with what it holds. What somebody adds
// meanwhile is not in it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "format/archive/catalogue.h"
#include "format/reader/mapped_file.h"
#include "jrec/input/fetched_file.h"

namespace jrec {

class OpenArchive {
 public:
  // kUsage: it is none. kSystem: it cannot be had. kCorrupt: a server contradicts itself. Damage is noted in problems; bytes that were never committed are such, unless somebody adds.
  static base::Result<std::unique_ptr<OpenArchive>> open(const std::string& path, jfr::read::Problems& problems);

  const jfr::archive::ArchiveBytes& bytes() const { return bytes_; }
  const jfr::archive::Catalogue& catalogue() const { return catalogue_; }

  // Somebody has written to it since it was opened, or does so now. Of one that is elsewhere nobody knows.
  bool changed() const;

  // Why bytes that are elsewhere cannot be had, and so nothing of it any more. What was said to be damaged may not be.
  std::optional<base::Error> failure() const;
  // What cost nothing and should be mended: damage that was met so far.
  std::optional<base::Error> advice() const;

 private:
  struct State {  // of the file of that name
    uint64_t inode = 0, size = 0;
    int64_t written_s = 0, written_ns = 0;
    bool operator==(const State&) const = default;
  };
  OpenArchive(std::string path, State state, jfr::read::MappedFile file)
      : path_(std::move(path)), state_(state), file_(std::move(file)), bytes_(file_->bytes()) {}
  OpenArchive(std::string path, std::unique_ptr<FetchedFile> file)
      : path_(std::move(path)), fetched_(std::move(file)), bytes_(fetched_->source()) {}
  static State state_of(const std::string& path);
  static base::Result<std::unique_ptr<OpenArchive>> at(const std::string& path);
  static base::Result<std::unique_ptr<OpenArchive>> read(const std::string& path, jfr::read::Problems& problems);

  const std::string path_;
  const State state_;  // before it was mapped
  // One of the two.
  const std::optional<jfr::read::MappedFile> file_;
  const std::unique_ptr<FetchedFile> fetched_;
  const jfr::archive::ArchiveBytes bytes_;
  jfr::archive::Catalogue catalogue_;
};

// kUsage: of an archive that has none of that name, or pattern. Names the nearest, or says why there is none at all.
base::Error no_such_member(const jfr::archive::Catalogue& catalogue, const std::string& asked);

// Whether these files are archives, by their first or last bytes; what is on a server, by its name.
bool holds_archive(int fd);
bool holds_archive(const std::string& path);

}  // namespace jrec
