// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_bucket.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "format/reader/mapped_file.h"
#include "jrec/base/escape.h"
#include "jrec/fleet/fleet_folder.h"
#include "jrec/http/remote_object.h"
#include "jrec/input/input.h"
#include "jrec/input/remote_recording.h"
#include "jrec/input/scratch_file.h"

namespace jrec {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
namespace fs = std::filesystem;

namespace {

constexpr char kSchema[] = "_rec/schema", kNew[] = "_rec/new/";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

Result<std::unique_ptr<FleetStore>> FleetBucket::open(const std::string& place, bool must_be_there) {
  auto store = ObjectStore::of(place);
  if (!store) return store.error();
  auto scratch = make_scratch_folder();
  if (!scratch) return scratch.error();
  std::unique_ptr<FleetBucket> bucket(new FleetBucket(std::move(*store), *scratch));
  if (const Status known = bucket->check_schema(must_be_there); !known) return known.error();
  auto lock = BucketLock::take(bucket->store_);
  if (!lock) return lock.error();
  bucket->lock_ = std::move(*lock);
  if (const Status clear = bucket->clear_up(); !clear) return clear.error();
  return std::unique_ptr<FleetStore>(std::move(bucket));
}

FleetBucket::~FleetBucket() {
  std::error_code ignored;
  fs::remove_all(scratch_, ignored);
}

Status FleetBucket::check_schema(bool must_be_there) {
  const auto said = store_.get(kSchema);
  if (!said) return said.error();
  if (*said) return check_fleet_schema((*said)->bytes);
  if (must_be_there) return Error{ErrorCode::kUsage, 0, "is no data set of jrec export"};
  const auto others = list("", 1);
  if (!others) return others.error();
  for (const std::string& key : *others)
    if (!key.starts_with("_rec/"))
      return Error{ErrorCode::kUsage, 0, "holds something else than a data set of jrec export"};
  const auto written = store_.put(kSchema, bytes_of(std::to_string(kFleetSchema) + "\n"));
  return written ? Status(base::Done{}) : written.error();
}

Status FleetBucket::clear_up() {
  const auto journals = list(kNew);
  if (!journals) return journals.error();
  for (const std::string& journal : *journals) {
    const auto names = store_.get(journal);
    if (!names) return names.error();
    if (!*names) continue;
    if (const Status undone = undo(journal, (*names)->bytes); !undone) return undone;
  }
  return base::Done{};
}

// An object store may be as long-winded as any input.
Result<std::vector<std::string>> FleetBucket::list(const std::string& prefix, size_t most) {
  return store_.list(prefix, most, input_limits().unpacked_bytes);
}

// Of a recording whose row is not there.
Status FleetBucket::undo(const std::string& journal, const std::string& names) {
  const std::vector<std::string> targets = lines_of(names);
  for (const std::string& target : targets)
    if (!stays_inside(target)) return Error{ErrorCode::kCorrupt, 0, journal + " names " + plain(target)};
  const Result<bool> there = targets.empty() ? Result<bool>(true) : store_.has(targets.back());
  if (!there) return there.error();
  for (size_t i = 0; !*there && i < targets.size(); ++i)
    if (const Status removed = store_.remove(targets[i]); !removed) return removed;
  return store_.remove(journal);
}

Result<std::vector<std::string>> FleetBucket::files_in(const std::string& relative) {
  const std::string folder = scratch_ + "/there";
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (const Status made = make_folder(folder); !made) return made.error();
  const auto keys = list(relative + "/");
  if (!keys) return keys.error();
  std::vector<std::string> files;
  for (const std::string& key : *keys) {
    if (!key.ends_with(".parquet")) continue;
    files.push_back(folder + "/" + std::to_string(files.size()));
    if (const Status fetched = fetch(key, files.back()); !fetched) return fetched.error();
  }
  return files;
}

Status FleetBucket::fetch(const std::string& key, const std::string& path) {
  const auto fetched = fetch_object(store_.path_of(key), path);
  if (fetched) return base::Done{};
  return Error{fetched.error().code, fetched.error().offset, "cannot read " + key + ": " + fetched.error().what};
}

Status FleetBucket::publish(const std::string& id, const std::vector<std::string>& targets, bool& kept) {
  std::string names;
  for (const std::string& target : targets) names += target + "\n";
  const std::string journal = kNew + id;
  if (const Status held = lock_->hold(); !held) return held;
  if (const auto written = store_.put(journal, bytes_of(names)); !written) return written.error();
  for (size_t i = 0; i < targets.size(); ++i) {
    const Status put = put_file(in_the_making(id) + "/" + std::to_string(i), targets[i]);
    if (put.ok()) continue;
    (void)undo(journal, names).ok();  // or the next export does it
    return put;
  }
  kept = true;
  published_.insert(targets.begin(), targets.end());
  std::error_code ignored;
  fs::remove_all(in_the_making(id), ignored);
  return store_.remove(journal);
}

Status FleetBucket::put_file(const std::string& path, const std::string& target) {
  if (const Status held = lock_->hold(); !held) return held;
  const auto file = jfr::read::MappedFile::open(path);
  if (!file) return file.error();
  const auto written = store_.put(target, file->bytes());
  return written ? Status(base::Done{}) : written.error();
}

Result<std::vector<std::string>> FleetBucket::all_names() {
  auto names = list("");
  if (!names) return names.error();
  std::erase_if(*names, [](const std::string& name) { return name.starts_with("_rec/"); });
  return names;
}

Result<FleetStore::End> FleetBucket::end_of(const std::string& relative, uint64_t from_end) {
  auto object = RemoteObject::of(store_.path_of(relative));
  if (!object) return object.error();
  End end;
  const auto take = [&](std::span<const uint8_t> bytes) {
    end.bytes.insert(end.bytes.end(), bytes.begin(), bytes.end());
    return true;
  };
  if (const Status begun = object->begin(take); !begun) return begun.error();
  if (!object->gives_ranges()) return End{end.bytes, end.bytes.size()};
  end.file_size = object->size();
  if (end.bytes.size() == end.file_size) return end;
  end.bytes.clear();
  const uint64_t wanted = std::min(from_end, end.file_size);
  if (const Status read = object->read(end.file_size - wanted, wanted, take); !read) return read.error();
  return end;
}

Result<std::optional<std::string>> FleetBucket::text_of(const std::string& relative) {
  const auto object = store_.get(relative);
  if (!object) return object.error();
  if (!*object) return std::optional<std::string>();
  return std::optional((*object)->bytes);
}

Status FleetBucket::put(const std::string& relative, const std::string& text) {
  if (const Status held = lock_->hold(); !held) return held;
  const auto written = store_.put(relative, bytes_of(text));
  return written ? Status(base::Done{}) : written.error();
}

// Where the answer to a first try was lost, it is ours that is there.
Result<bool> FleetBucket::put_new(const std::string& relative, const std::string& text) {
  if (const Status held = lock_->hold(); !held) return held.error();
  const auto written = store_.put_new(relative, bytes_of(text));
  if (!written) return written.error();
  if (*written) return true;
  const auto there = text_of(relative);
  if (!there) return there.error();
  return *there == text;
}

}  // namespace jrec
