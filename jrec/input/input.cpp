// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/input.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <vector>

#include "base/descriptor.h"
#include "base/file_io.h"
#include "format/old/recording_translation.h"
#include "format/reader/mapped_file.h"
#include "jrec/base/inputs.h"
#include "jrec/base/local_path.h"
#include "jrec/input/archive_input.h"
#include "jrec/input/open_archive.h"
#include "jrec/input/remote_recording.h"
#include "jrec/input/scratch_file.h"
#include "jrec/input/unpack.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using base::system_error;
using jfr::read::MappedFile;
using jfr::read::Problems;

constexpr size_t kPieceBytes = 256 * 1024;

// Copies a stream into a scratch file, unpacking it on the way.
class Copy {
 public:
  Copy(int from, Problems& problems) : from_(from), problems_(problems), in_(kPieceBytes), out_(kPieceBytes) {}

  Result<MappedFile> run() {
    Result<base::Descriptor> scratch = make_scratch_file();
    if (!scratch) return scratch.error();
    to_ = scratch->fd();
    const Status copied = copy();
    if (!copied) return copied.error();
    return MappedFile::of(to_);
  }

 private:
  Status copy() {
    if (const Status filled = fill(kMagicBytes); !filled) return filled;
    const Wrapping wrapping = wrapping_of({in_.data(), end_});
    if (wrapping == Wrapping::kNone) return copy_plain();
    return unpack(*Unpacker::of(wrapping));
  }

  Status copy_plain() {
    while (begin_ < end_) {
      if (made_ + (end_ - begin_) > input_limits().unpacked_bytes) return note_limit("the input");
      if (const Status written = write_all(to_, {in_.data() + begin_, end_ - begin_}); !written) return written;
      made_ += end_ - begin_;
      taken_ += end_ - begin_;
      begin_ = end_;
      if (const Status filled = fill(1); !filled) return filled;
    }
    return base::Done{};
  }

  Status unpack(Unpacker& unpacker) {
    while (true) {
      const Unpacker::Step step = unpacker.step({in_.data() + begin_, end_ - begin_}, out_);
      begin_ += step.taken;
      taken_ += step.taken;
      if (const Status kept = keep(step.made); !kept || limited_) return kept;
      if (!step.why.empty()) return note(ErrorCode::kCorrupt, step.why);
      if (step.made != 0) continue;
      if (begin_ < end_) {
        if (step.taken == 0) return note(ErrorCode::kCorrupt, "cannot be unpacked any further");
        continue;
      }
      if (const Status filled = fill(1); !filled) return filled;
      if (begin_ < end_) continue;
      return unpacker.complete() ? Status(base::Done{}) : note(ErrorCode::kCorrupt, "compressed data ends too early");
    }
  }

  // The first `size` bytes of out_ become part of the file, if that may grow so far.
  Status keep(size_t size) {
    const InputLimits& limits = input_limits();
    made_ += size;
    if (made_ > limits.unpacked_bytes) return note_limit("what is unpacked");
    if (made_ > kFreeOfRatio && made_ / limits.ratio > taken_) {
      limited_ = true;
      return note(ErrorCode::kLimit,
                  fmt::format("unpacks to more than {} times its size; --max-ratio allows more", limits.ratio));
    }
    return write_all(to_, {out_.data(), size});
  }

  Status note_limit(const char* subject) {
    limited_ = true;
    return note(ErrorCode::kLimit, fmt::format("{} is larger than {} bytes; --max-unpacked allows more", subject,
                                               input_limits().unpacked_bytes));
  }

  Status note(ErrorCode code, std::string what) {
    problems_.add(Error{code, taken_, std::move(what)});
    return base::Done{};
  }

  // Reads until at least `size` bytes wait in in_, or the input ends.
  Status fill(size_t size) {
    std::copy(in_.begin() + static_cast<ptrdiff_t>(begin_), in_.begin() + static_cast<ptrdiff_t>(end_), in_.begin());
    end_ -= begin_;
    begin_ = 0;
    while (end_ < std::min(size, in_.size()) && !ended_) {
      const ssize_t got = base::read_some(from_, in_.data() + end_, in_.size() - end_);
      if (got < 0) return system_error("cannot read");
      ended_ = got == 0;
      end_ += static_cast<size_t>(got);
    }
    return base::Done{};
  }

  int from_;
  int to_ = -1;
  Problems& problems_;
  std::vector<uint8_t> in_, out_;
  size_t begin_ = 0, end_ = 0;  // what waits in in_
  uint64_t taken_ = 0, made_ = 0;
  bool ended_ = false;
  bool limited_ = false;
};

// What a file begins with.
using Magic = std::array<uint8_t, kMagicBytes>;
Magic magic_of_file(int fd) {
  Magic first{};
  [[maybe_unused]] const ssize_t got = ::pread(fd, first.data(), first.size(), 0);
  return first;
}

Result<MappedFile> open_file(int fd, Problems& problems) {
  if (wrapping_of(magic_of_file(fd)) == Wrapping::kNone) return MappedFile::of(fd);
  ::lseek(fd, 0, SEEK_SET);
  return Copy(fd, problems).run();
}

// Appends what a recording of version 0.9 becomes: one of version 2.
Status translate(std::span<const uint8_t> old, int to, Problems& problems,
                 const std::function<void(uint64_t, uint64_t)>& let_go) {
  return jfr::old::translate_recording(old, problems,
                                       {[&](std::span<const uint8_t> bytes) { return write_all(to, bytes); }, let_go});
}

Result<MappedFile> of_today(Result<MappedFile>&& file, Problems& problems) {
  if (!file || !jfr::old::is_old_recording(file->bytes())) return std::move(file);
  Result<base::Descriptor> scratch = make_scratch_file();
  if (!scratch) return scratch.error();
  const auto let_go = [&](uint64_t offset, uint64_t size) { file->let_go(offset, size); };
  if (const Status written = translate(file->bytes(), scratch->fd(), problems, let_go); !written)
    return written.error();
  return MappedFile::of(scratch->fd());
}

// A file, or what became one.
class FileInput : public Input {
 public:
  explicit FileInput(MappedFile file) : file_(std::move(file)) {}

  uint64_t size() const override { return file_.bytes().size(); }
  size_t stretches() const override { return 1; }
  Outline outline(size_t) const override { return {0, size(), false, 0, 0}; }
  RecordingSpan span() const override { return span_of(file_); }
  Result<Stretch> read(size_t) override { return Stretch{0, file_.bytes(), nullptr}; }
  bool restores() const override { return false; }
  void let_go(uint64_t offset, uint64_t bytes) override { file_.let_go(offset, bytes); }

 private:
  const MappedFile file_;
};

using Opened = Result<std::unique_ptr<Input>>;

Opened file_input(Result<MappedFile>&& file) {
  if (!file) return file.error();
  return std::unique_ptr<Input>(std::make_unique<FileInput>(std::move(*file)));
}

Opened chosen_of(Opened input, const TimeChoice& choose, TimeRange& range) {
  if (!input || !choose.chooses()) return input;
  const Result<TimeRange> chosen = choose.choose((*input)->span());
  if (!chosen) return chosen.error();
  range = *chosen;
  return input;
}

bool is_wrapped(std::span<const uint8_t> bytes) {
  return wrapping_of(bytes.first(std::min(bytes.size(), kMagicBytes))) != Wrapping::kNone;
}

bool is_of_today(std::span<const uint8_t> part) { return !is_wrapped(part) && !jfr::old::is_old_recording(part); }

bool has_other_parts(Input& members) {
  for (size_t i = 0; i < members.stretches(); ++i) {
    if (members.outline(i).is_chunk) continue;
    const Result<Stretch> part = members.read(i);
    if (part && !is_of_today(part->bytes)) return true;
  }
  return false;
}

Status append_of_today(std::span<const uint8_t> part, int to, Problems& problems) {
  if (!is_wrapped(part))
    return is_of_today(part) ? write_all(to, part) : translate(part, to, problems, [](uint64_t, uint64_t) {});
  Result<base::Descriptor> wrapped = make_scratch_file();
  if (!wrapped) return wrapped.error();
  if (const Status written = write_all(wrapped->fd(), part); !written) return written.error();
  const Result<MappedFile> file = of_today(open_file(wrapped->fd(), problems), problems);
  return file ? write_all(to, file->bytes()) : Status(file.error());
}

// Where members are wrapped, or of version 0.9, all become a file, one behind the other.
Opened of_today(Opened members, Problems& problems, const TimeChoice& choose, TimeRange& range) {
  if (!members || !has_other_parts(**members)) return members;
  Result<base::Descriptor> scratch = make_scratch_file();
  if (!scratch) return scratch.error();
  for (size_t i = 0; i < (*members)->stretches(); ++i) {
    const Result<Stretch> part = (*members)->read(i);
    if (!part)
      problems.add(part.error());
    else if (const Status written = append_of_today(part->bytes, scratch->fd(), problems); !written)
      return written.error();
  }
  return chosen_of(file_input(MappedFile::of(scratch->fd())), choose, range);
}

Opened open_archive(const ArchivePlace& place, Problems& problems, const TimeChoice& choose, TimeRange& range) {
  const auto is_foreign = [](std::span<const uint8_t> part) { return !is_of_today(part); };
  return of_today(open_members(place, is_foreign, choose, range, problems), problems, choose, range);
}

Opened open_remote(const std::string& path, Problems& problems, const TimeChoice& choose, TimeRange& range) {
  if (names_archive(path)) return open_archive({path, "*"}, problems, choose, range);
  const Result<RemoteCopy> copy = copy_remote(path, problems);
  if (!copy) return copy.error();
  if (copy->is_archive) return open_archive({path, "*"}, problems, choose, range);
  return chosen_of(file_input(of_today(open_file(copy->file.fd(), problems), problems)), choose, range);
}

Opened open_any(const std::string& path, Problems& problems, const TimeChoice& choose, TimeRange& range) {
  if (const auto place = archive_place(path)) return open_archive(*place, problems, choose, range);
  if (is_remote(path)) return open_remote(path, problems, choose, range);
  if (const Status local = check_local(path); !local) return local.error();
  base::Descriptor opened;
  if (path != "-") opened = base::Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int fd = path == "-" ? STDIN_FILENO : opened.fd();
  if (fd < 0) return system_error("cannot open");
  struct stat status {};
  if (::fstat(fd, &status) != 0) return system_error("cannot stat");
  note_input(status);
  if (S_ISDIR(status.st_mode)) return Error{ErrorCode::kUsage, 0, "is a directory"};
  if (holds_archive(fd)) return open_archive({path, "*"}, problems, choose, range);
  Result<MappedFile> file = S_ISREG(status.st_mode) ? open_file(fd, problems) : Copy(fd, problems).run();
  return chosen_of(file_input(of_today(std::move(file), problems)), choose, range);
}

}  // namespace

InputLimits& input_limits() {
  static InputLimits limits;
  return limits;
}

Opened Input::open(const std::string& path, Problems& problems, const TimeChoice& choose, TimeRange& range) {
  return open_any(path, problems, choose, range);
}

Opened Input::open(const std::string& path, Problems& problems) {
  TimeRange all;
  return open_any(path, problems, {}, all);
}

}  // namespace jrec
