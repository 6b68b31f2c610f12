// SPDX-License-Identifier: Apache-2.0
// The three Coders of record_code.h.
//
//   Checker   reads: can this record be put together again from what would be kept of it?
//   Taker     reads a record that was found good, and fills the streams
//   Maker     takes from the streams, and writes
#pragma once

#include <algorithm>

#include "base/leb128.h"
#include "format/archive/chunk_model.h"
#include "format/archive/number_codec.h"
#include "format/reader/cursor.h"

namespace jfr::archive {

class Checker {
 public:
  explicit Checker(read::Cursor in) : in_(in) {}

  uint64_t leb(uint32_t) {
    const uint64_t at = in_.at(), value = in_.leb();
    if (in_.at() - at != base::leb_size(value)) in_.fail();
    return value;
  }
  uint64_t wide(uint32_t, uint32_t) { return in_.leb(); }
  uint64_t wide_count(uint32_t, uint32_t) { return bounded(in_.leb()); }
  uint64_t count(uint32_t stream) { return bounded(leb(stream)); }
  void time(uint32_t stream) { leb(stream); }
  void expected(uint32_t stream, uint64_t) { leb(stream); }
  uint8_t byte(uint32_t) { return in_.u8(); }
  void fixed(uint32_t, uint8_t width) { in_.skip(width); }
  void text(uint32_t, uint64_t count) { in_.skip(count); }
  void frames(uint32_t stream) {
    const uint64_t frames = count(stream);
    if (frames > StackModel::kMostFrames) return fail();
    for (uint64_t i = 0; i < frames * StackModel::kFields && ok(); ++i) leb(stream);
  }
  bool known(uint32_t) { return false; }
  void fail() { in_.fail(); }
  bool ok() const { return in_.ok(); }
  bool done() const { return in_.ok() && in_.remaining() == 0; }

 private:
  uint64_t bounded(uint64_t count) {
    if (count > in_.remaining()) in_.fail();
    return in_.ok() ? count : 0;
  }
  read::Cursor in_;
};

class Taker {
 public:
  // names: null for none.
  Taker(read::Cursor in, Streams& streams, StackModel& stacks, uint64_t& last_time, KnownNames* names)
      : in_(in), streams_(streams), stacks_(stacks), last_time_(last_time), names_(names) {}

  uint64_t leb(uint32_t stream) { return put(stream, in_.leb()); }
  uint64_t wide(uint32_t stream, uint32_t width) {
    const uint64_t at = in_.at(), value = in_.leb();
    streams_.numbers(width).put(in_.at() - at);
    return put(stream, value);
  }
  uint64_t wide_count(uint32_t stream, uint32_t width) { return wide(stream, width); }
  uint64_t count(uint32_t stream) { return leb(stream); }
  void time(uint32_t stream) {
    const uint64_t time = in_.leb();
    put(stream, zigzag(time - last_time_));
    last_time_ = time;
  }
  void expected(uint32_t stream, uint64_t value) { put(stream, zigzag(in_.leb() - value)); }
  uint8_t byte(uint32_t stream) { return static_cast<uint8_t>(put(stream, in_.u8())); }
  void fixed(uint32_t stream, uint8_t width) { put(stream, width == 4 ? in_.be32() : in_.be64()); }
  void text(uint32_t stream, uint64_t count) { streams_.bytes(stream).put(in_.bytes(count)); }
  void frames(uint32_t stream) {
    frames_.resize(leb(stream));
    for (StackFrame& frame : frames_)
      for (uint64_t& field : frame) field = in_.leb();
    stacks_.encode(frames_);
  }
  bool known(uint32_t type) {
    const size_t size = names_ == nullptr ? 0 : names_->next(type).size();
    in_.skip(size);
    return size != 0;
  }
  void fail() { in_.fail(); }
  bool ok() const { return in_.ok(); }

 private:
  uint64_t put(uint32_t stream, uint64_t value) {
    streams_.numbers(stream).put(value);
    return value;
  }
  read::Cursor in_;
  Streams& streams_;
  StackModel& stacks_;
  uint64_t& last_time_;
  KnownNames* const names_;
  std::vector<StackFrame> frames_;
};

class Maker {
 public:
  // Writes at the end of out, which never becomes longer than limit. names: null for none.
  Maker(std::vector<uint8_t>& out, uint64_t limit, Streams& streams, StackModel& stacks, uint64_t& last_time,
        KnownNames* names)
      : out_(out), limit_(limit), streams_(streams), stacks_(stacks), last_time_(last_time), names_(names) {}

  uint64_t leb(uint32_t stream) { return write(streams_.next(stream)); }
  uint64_t wide(uint32_t stream, uint32_t width_stream) {
    const uint64_t value = streams_.next(stream), width = streams_.next(width_stream);
    if (width > 9 || width < base::leb_size(value)) return streams_.fail(), 0;
    base::append_padded_leb(value, width, out_);
    return value;
  }
  uint64_t wide_count(uint32_t stream, uint32_t width) { return bounded(wide(stream, width)); }
  uint64_t count(uint32_t stream) { return bounded(leb(stream)); }
  void time(uint32_t stream) { write(last_time_ += unzigzag(streams_.next(stream))); }
  void expected(uint32_t stream, uint64_t value) { write(value + unzigzag(streams_.next(stream))); }
  uint8_t byte(uint32_t stream) {
    out_.push_back(static_cast<uint8_t>(streams_.next(stream)));
    return out_.back();
  }
  void fixed(uint32_t stream, uint8_t width) {
    const uint64_t value = streams_.next(stream);
    for (int shift = 8 * width - 8; shift >= 0; shift -= 8) out_.push_back(static_cast<uint8_t>(value >> shift));
  }
  void text(uint32_t stream, uint64_t count) {
    const auto bytes = streams_.next_bytes(stream, count);
    out_.insert(out_.end(), bytes.begin(), bytes.end());
  }
  void frames(uint32_t stream) {
    const uint64_t count = leb(stream);
    stacks_.decode(frames_);
    if (frames_.size() != count) return fail();
    for (const StackFrame& frame : frames_)
      for (const uint64_t field : frame) base::append_leb(field, out_);
  }
  bool known(uint32_t type) {
    const std::span<const uint8_t> value = names_ == nullptr ? std::span<const uint8_t>() : names_->next(type);
    out_.insert(out_.end(), value.begin(), value.end());
    return !value.empty();
  }
  void fail() { streams_.fail(); }
  bool ok() const { return streams_.ok() && out_.size() <= limit_; }

 private:
  uint64_t write(uint64_t value) {
    base::append_leb(value, out_);
    return value;
  }
  uint64_t bounded(uint64_t count) {
    if (count > limit_) streams_.fail();
    return streams_.ok() ? count : 0;
  }
  std::vector<uint8_t>& out_;
  const uint64_t limit_;
  Streams& streams_;
  StackModel& stacks_;
  uint64_t& last_time_;
  KnownNames* const names_;
  std::vector<StackFrame> frames_;
};

}  // namespace jfr::archive
