// SPDX-License-Identifier: Apache-2.0
// StoredArchive is an archive in an object store that is changed: copied to this machine, changed here, and put back as a whole if it
// is still the one that was copied. So all of a change is there or none, whoever is killed; of two at a time the second begins anew
// (stored_change.h).
//
//   check() once: the store obeys conditions, which is tried with an object KEY.probe-..., gone afterwards
//   copy() --> path() is a file, empty if there is no such object --ArchiveWriter, or replace()--> put_back()
#pragma once

#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "jrec/http/object_store.h"

namespace jrec {

class StoredArchive {
 public:
  // kUsage: RemoteAddress says why, or the store knows no conditional writes. kSystem: nothing can be written there.
  static base::Status check(const std::string& path);
  // kUsage: RemoteAddress says why, or its store knows no versions. kSystem: it cannot be had.
  static base::Result<StoredArchive> copy(const std::string& path);

  // A file without a name: it is gone with this process, whatever becomes of it.
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_.fd()); }
  // Another file in place of the copy.
  void replace(base::Descriptor file) { file_ = std::move(file); }
  bool is_there() const { return !etag_.empty(); }  // there was such an object
  // False: another one has come meanwhile. For whoever changed something: its size does not tell.
  base::Result<bool> put_back();

 private:
  StoredArchive(ObjectStore store, std::string key, base::Descriptor file)
      : store_(std::move(store)), key_(std::move(key)), file_(std::move(file)) {}
  base::Status fetch(const std::string& path);

  ObjectStore store_;
  std::string key_;
  base::Descriptor file_;
  std::string etag_;  // empty: there was none
};

}  // namespace jrec
