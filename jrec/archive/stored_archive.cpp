// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/stored_archive.h"

#include <fmt/core.h>

#include <random>
#include <utility>

#include "format/reader/mapped_file.h"
#include "jrec/input/remote_recording.h"
#include "jrec/input/scratch_file.h"

namespace jrec {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

struct StoredPlace {
  ObjectStore store;  // the whole bucket
  std::string key;    // to the byte, however many slashes are in it
};

Result<StoredPlace> place_of(const std::string& path) {
  if (auto address = RemoteAddress::of(path); !address) return address.error();
  const size_t slash = path.find('/', path.find("://") + 3);
  auto store = ObjectStore::of(path.substr(0, slash));
  if (!store) return store.error();
  return StoredPlace{std::move(*store), path.substr(slash + 1)};
}

}  // namespace

Status StoredArchive::check(const std::string& path) {
  auto place = place_of(path);
  if (!place) return place.error();
  std::random_device random;
  const std::string key = fmt::format("{}.probe-{:08x}{:08x}", place->key, random(), random());
  const std::string text = "Made by jrec archive, to see whether this store obeys conditional writes.\n";
  if (const auto put = place->store.put(key, bytes_of(text)); !put) return put.error();
  const Status obeyed = place->store.check_conditions(key, bytes_of(text));
  if (!place->store.remove(key)) {
    // It may stay where nobody may remove: it has a name of its own, and some bytes.
  }
  return obeyed;
}

Result<StoredArchive> StoredArchive::copy(const std::string& path) {
  auto place = place_of(path);
  if (!place) return place.error();
  auto file = make_scratch_file();
  if (!file) return file.error();
  StoredArchive archive(std::move(place->store), place->key, std::move(*file));
  const auto there = archive.store_.has(archive.key_);
  if (!there) return there.error();
  if (*there)
    if (const Status fetched = archive.fetch(path); !fetched) return fetched.error();
  return archive;
}

Status StoredArchive::fetch(const std::string& path) {
  auto fetched = fetch_object(path, this->path());
  if (!fetched) return fetched.error();
  if (fetched->etag.empty()) return Error{ErrorCode::kUsage, 0, "its store does not say which version it is (ETag)"};
  etag_ = fetched->etag;
  return base::Done{};
}

Result<bool> StoredArchive::put_back() {
  const auto file = jfr::read::MappedFile::open(path());
  if (!file) return file.error();
  const auto put = etag_.empty() ? store_.put_new(key_, file->bytes()) : store_.put_over(key_, file->bytes(), etag_);
  if (!put) return put.error();
  return put->has_value();
}

}  // namespace jrec
