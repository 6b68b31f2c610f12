// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/remote_recording.h"

#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>

#include "format/archive/catalogue.h"
#include "jrec/base/local_path.h"
#include "jrec/http/remote_object.h"
#include "jrec/input/input.h"
#include "jrec/input/scratch_file.h"

namespace jrec {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

// What comes, up to the limit; an archive is recognised by its first bytes and left.
class RemoteCopying {
 public:
  RemoteCopying(RemoteObject& object, int to) : object_(object), to_(to) {}

  Status run() {
    return object_.read_whole([this](std::span<const uint8_t> bytes) { return keep(bytes); });
  }

  uint64_t made() const { return made_; }
  bool is_archive() const { return is_archive_; }
  bool limited() const { return limited_; }
  const Status& written() const { return written_; }

 private:
  bool keep(std::span<const uint8_t> bytes) {
    if (made_ == 0) is_archive_ = jfr::archive::is_archive(bytes.first(std::min(bytes.size(), kArchiveLook)));
    const uint64_t room = input_limits().unpacked_bytes - made_;
    limited_ = bytes.size() > room;
    if (limited_) bytes = bytes.first(room);
    if (!is_archive_) written_ = write_all(to_, bytes);
    if (is_archive_ || !written_.ok()) return false;
    made_ += bytes.size();
    return !limited_;
  }

  static constexpr size_t kArchiveLook = jfr::archive::kArchiveHeadBytes;
  RemoteObject& object_;
  const int to_;
  uint64_t made_ = 0;
  bool is_archive_ = false, limited_ = false;
  Status written_ = base::Done{};
};

}  // namespace

Result<RemoteCopy> copy_remote(const std::string& path, jfr::read::Problems& problems) {
  auto object = RemoteObject::of(path);
  if (!object) return object.error();
  auto scratch = make_scratch_file();
  if (!scratch) return scratch.error();
  RemoteCopying copying(*object, scratch->fd());
  const Status copied = copying.run();
  if (!copying.written().ok()) return copying.written().error();
  if (copying.is_archive()) return RemoteCopy{{}, true};
  if (!copied && copying.made() == 0) return copied.error();
  if (!copied) problems.add(copied.error());
  if (copying.limited())
    problems.add(Error{ErrorCode::kLimit, copying.made(),
                       fmt::format("the input is larger than {} bytes; --max-unpacked allows more", copying.made())});
  return RemoteCopy{std::move(*scratch), false};
}

Result<FetchedObject> fetch_object(const std::string& path, const std::string& file) {
  auto object = RemoteObject::of(path);
  if (!object) return object.error();
  const base::Descriptor to(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!to) return base::system_error("cannot make", file);
  Status written = base::Done{};
  const Status read = object->read_whole([&](std::span<const uint8_t> bytes) {
    written = write_all(to.fd(), bytes);
    return written.ok();
  });
  if (!written) return written.error();
  if (!read) return read.error();
  return FetchedObject{object->etag()};
}

bool names_archive(const std::string& path) { return last_name(path).ends_with(".recz"); }

}  // namespace jrec
