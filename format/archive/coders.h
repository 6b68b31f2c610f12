// SPDX-License-Identifier: Apache-2.0
// The three Coders of record_code.h.
//
//   Checker   reads: can this record be put together again from what would be kept of it?
//   Taker     reads a record that was found good, and fills the streams
//   Maker     takes from the streams, and writes
#pragma once

#include <algorithm>

#include "base/leb_word.h"
#include "format/archive/chunk_bytes.h"
#include "format/archive/chunk_model.h"
#include "format/archive/event_clock.h"
#include "format/archive/number_codec.h"
#include "format/archive/stack_order.h"
#include "format/reader/cursor.h"

namespace jfr::archive {

class Checker {
 public:
  explicit Checker(read::Cursor in) : in_(in) {}

  uint64_t leb(uint32_t) { return in_.shortest_leb(); }
  uint64_t wide(uint32_t, uint32_t) { return in_.leb(); }
  uint64_t wide_count(uint32_t, uint32_t) { return bounded(in_.leb()); }
  uint64_t count(uint32_t stream) { return bounded(leb(stream)); }
  void time(uint32_t stream) { leb(stream); }
  void duration(uint32_t stream) { leb(stream); }
  void expected(uint32_t stream, uint64_t) { leb(stream); }
  uint8_t byte(uint32_t) { return in_.u8(); }
  void fixed(uint32_t, uint8_t width) { in_.skip(width); }
  void text(uint32_t, uint64_t count) { in_.skip(count); }
  void frames(uint32_t stream) {
    const uint64_t frames = count(stream);
    if (frames > StackModel::kMostFrames) return fail();
    in_.skip_shortest_lebs(frames * StackModel::kFields);
  }
  bool stacks(const StackPool&) { return false; }
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
  // stacks: null for one who does not want them. names: null for none.
  Taker(read::Cursor in, Streams& streams, StackModel* stacks, EventClock& clock, KnownNames* names)
      : in_(in), streams_(streams), stacks_(stacks), clock_(clock), names_(names) {}

  uint64_t leb(uint32_t stream) { return put(stream, in_.leb()); }
  uint64_t wide(uint32_t stream, uint32_t width) {
    const uint64_t at = in_.at(), value = in_.leb();
    streams_.numbers(width).put(in_.at() - at);
    return put(stream, value);
  }
  uint64_t wide_count(uint32_t stream, uint32_t width) { return wide(stream, width); }
  uint64_t count(uint32_t stream) { return leb(stream); }
  void time(uint32_t stream) { put(stream, clock_.code(stream, in_.leb())); }
  void duration(uint32_t stream) { clock_.lasts(leb(stream)); }
  void expected(uint32_t stream, uint64_t value) { put(stream, zigzag(in_.leb() - value)); }
  uint8_t byte(uint32_t stream) { return static_cast<uint8_t>(put(stream, in_.u8())); }
  void fixed(uint32_t stream, uint8_t width) { put(stream, width == 4 ? in_.be32() : in_.be64()); }
  void text(uint32_t stream, uint64_t count) { streams_.bytes(stream).put(in_.bytes(count)); }
  void frames(uint32_t stream) {
    const uint64_t count = in_.leb();
    if (stacks_ == nullptr || !stacks_->tells_depth()) put(stream, count);
    const uint8_t* const from = in_.here();
    in_.skip_lebs(count * StackModel::kFields);
    if (stacks_ != nullptr) stacks_->encode({from, in_.here()}, count);
  }
  bool stacks(const StackPool& pool) {
    std::vector<read::Cursor> begins;
    const std::vector<PooledStack> there = look_at(pool, begins);
    const StackOrder order = order_of(there);
    put(pool.orders, static_cast<uint64_t>(order));
    if (order == StackOrder::kAsTold) return false;
    std::vector<PooledStack> by_key = there;
    std::ranges::stable_sort(by_key, {}, &PooledStack::key);
    for (const PooledStack& stack : by_key) {
      in_ = begins[stack.at];
      leb(pool.keys);
      code(*this, pool.steps);
    }
    in_ = begins.back();
    return true;
  }
  bool known(uint32_t type) {
    const size_t size = names_ == nullptr ? 0 : names_->next(type).size();
    in_.skip(size);
    return size != 0;
  }
  void fail() { in_.fail(); }
  bool ok() const { return in_.ok(); }

 private:
  // The stacks of a pool, and where they begin, and where it ends.
  std::vector<PooledStack> look_at(const StackPool& pool, std::vector<read::Cursor>& begins) const {
    std::vector<PooledStack> stacks;
    read::Cursor in = in_;
    for (uint64_t i = 0; i < pool.count; ++i) {
      begins.push_back(in);
      PooledStack& stack = stacks.emplace_back(PooledStack{in.leb(), 1, i});
      in.u8();
      for (uint64_t left = in.leb(); left > 0 && in.ok(); --left) {
        StackFrame frame;
        for (uint64_t& field : frame) field = in.leb();
        stack.hash = stack.hash * StackHash::kFrame + StackHash::of(frame);
      }
    }
    begins.push_back(in);
    return stacks;
  }
  uint64_t put(uint32_t stream, uint64_t value) {
    streams_.numbers(stream).put(value);
    return value;
  }
  read::Cursor in_;
  Streams& streams_;
  StackModel* const stacks_;
  EventClock& clock_;
  KnownNames* const names_;
};

class Maker {
 public:
  // Writes at the end of out, which never becomes longer than was promised. names: null for none.
  Maker(ChunkBytes& out, Streams& streams, StackModel& stacks, EventClock& clock, KnownNames* names)
      : out_(out), streams_(streams), stacks_(stacks), clock_(clock), names_(names) {}

  uint64_t leb(uint32_t stream) { return write(streams_.next(stream)); }
  uint64_t wide(uint32_t stream, uint32_t width_stream) {
    const uint64_t value = streams_.next(stream), width = streams_.next(width_stream);
    if (width > base::kLebMostBytes || width < base::leb_size(value)) return streams_.fail(), 0;
    uint8_t* const to = out_.room(width);
    base::put_padded_leb(value, width, to);
    out_.set_end(to + width);
    return value;
  }
  uint64_t wide_count(uint32_t stream, uint32_t width) { return bounded(wide(stream, width)); }
  uint64_t count(uint32_t stream) { return bounded(leb(stream)); }
  void time(uint32_t stream) { write(clock_.start(stream, streams_.next(stream))); }
  void duration(uint32_t stream) { clock_.lasts(leb(stream)); }
  void expected(uint32_t stream, uint64_t value) { write(value + unzigzag(streams_.next(stream))); }
  uint8_t byte(uint32_t stream) {
    const auto value = static_cast<uint8_t>(streams_.next(stream));
    fixed_bytes(value, 1);
    return value;
  }
  void fixed(uint32_t stream, uint8_t width) { fixed_bytes(streams_.next(stream), width); }
  void text(uint32_t stream, uint64_t count) { out_.append(streams_.next_bytes(stream, count)); }
  void frames(uint32_t stream) {
    const std::span<const uint8_t> wire = stacks_.decode();
    const uint64_t count = write(stacks_.tells_depth() ? stacks_.depth() : streams_.next(stream));
    if (!streams_.ok() || stacks_.depth() != count) return fail();
    out_.append(wire);
  }
  // They come by their keys, and are moved then.
  bool stacks(const StackPool& pool) {
    const uint64_t order = streams_.next(pool.orders);
    if (order == 0 || order >= static_cast<uint64_t>(StackOrder::kCount)) return order != 0 && (fail(), true);
    std::vector<PooledStack> there;
    std::vector<uint64_t> begins;
    for (uint64_t i = 0; i < pool.count && ok(); ++i) {
      begins.push_back(out_.size());
      const uint64_t key = leb(pool.keys);
      code(*this, pool.steps);
      there.push_back({key, stacks_.hash(), i});
    }
    if (!ok()) return true;
    begins.push_back(out_.size());
    put_in_order(there, static_cast<StackOrder>(order));
    const std::vector<uint8_t> bytes(out_.from(begins.front()), out_.from(begins.back()));
    uint8_t* to = out_.from(begins.front());
    for (const PooledStack& stack : there) {
      const auto from = bytes.begin() + static_cast<ptrdiff_t>(begins[stack.at] - begins.front());
      to = std::copy_n(from, begins[stack.at + 1] - begins[stack.at], to);
    }
    return true;
  }
  bool known(uint32_t type) {
    const std::span<const uint8_t> value = names_ == nullptr ? std::span<const uint8_t>() : names_->next(type);
    out_.append(value);
    return !value.empty();
  }
  void fail() { streams_.fail(); }
  bool ok() const { return streams_.ok() && out_.fits(); }

 private:
  uint64_t write(uint64_t value) {
    out_.set_end(base::put_leb(value, out_.room(base::kLebMostBytes)));
    return value;
  }
  void fixed_bytes(uint64_t value, int width) {
    uint8_t* to = out_.room(sizeof value);
    for (int shift = 8 * width - 8; shift >= 0; shift -= 8) *to++ = static_cast<uint8_t>(value >> shift);
    out_.set_end(to);
  }
  uint64_t bounded(uint64_t count) {
    if (count > out_.promised()) streams_.fail();
    return streams_.ok() ? count : 0;
  }
  ChunkBytes& out_;
  Streams& streams_;
  StackModel& stacks_;
  EventClock& clock_;
  KnownNames* const names_;
};

}  // namespace jfr::archive
