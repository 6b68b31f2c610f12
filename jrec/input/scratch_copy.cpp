// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/scratch_copy.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/file_io.h"
#include "format/header_layout.h"
#include "jrec/input/input.h"
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

class ScratchCopy {
 public:
  ScratchCopy(int from, Problems& problems) : from_(from), problems_(problems), in_(kPieceBytes), out_(kPieceBytes) {}

  Result<MappedFile> run() {
    Result<base::Descriptor> scratch = make_scratch_file();
    if (!scratch) return scratch.error();
    to_ = scratch->fd();
    const Status copied = copy();
    if (!copied) return copied.error();
    if (const Status written = write_all(to_, first_); !written) return written.error();
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
      if (const Status written = write({in_.data() + begin_, end_ - begin_}); !written || limited_) return written;
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
    return write({out_.data(), size});
  }

  // Nothing is written before a chunk has begun: what is no recording may have no end. One whose beginning is damaged has a chunk later.
  Status write(std::span<const uint8_t> bytes) {
    if (has_begun_) return write_all(to_, bytes);
    first_.insert(first_.end(), bytes.begin(), bytes.end());
    has_begun_ = std::search(first_.begin(), first_.end(), std::begin(jfr::kChunkMagic), std::end(jfr::kChunkMagic)) !=
                 first_.end();
    if (has_begun_) return write_all(to_, std::exchange(first_, {}));
    if (first_.size() < kPieceBytes) return base::Done{};
    first_.clear();
    limited_ = true;
    problems_.add(Error{ErrorCode::kCorrupt, 0, "not a flight recording"});
    return base::Done{};
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
  bool has_begun_ = false;      // a chunk,
  std::vector<uint8_t> first_;  // and until then what came
};

}  // namespace

Result<MappedFile> copy_to_scratch(int from, Problems& problems) { return ScratchCopy(from, problems).run(); }

}  // namespace jrec
