// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/unpack.h"

#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "jrec/input/input.h"

namespace jrec {
namespace {

class Gzip : public Unpacker {
 public:
  Gzip() { usable_ = inflateInit2(&stream_, MAX_WBITS + kGzipHeader) == Z_OK; }
  ~Gzip() override { inflateEnd(&stream_); }

  Step step(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    if (!usable_) return {0, 0, "cannot unpack gzip: no memory"};
    if (complete_) {
      if (in.empty()) return {};
      if (const std::optional<Step> padding = between_members(in)) return *padding;
      inflateReset(&stream_);
      complete_ = false;
    }
    stream_.next_in = const_cast<Bytef*>(in.data());
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<uInt>(out.size());
    const int code = inflate(&stream_, Z_NO_FLUSH);
    Step step{in.size() - stream_.avail_in, out.size() - stream_.avail_out, ""};
    complete_ = code == Z_STREAM_END;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      step.why = std::string("gzip: ") + (stream_.msg != nullptr ? stream_.msg : "cannot be unpacked");
    return step;
  }
  bool complete() const override { return complete_; }

 private:
  static constexpr int kGzipHeader = 16;  // zlib: expect gzip's header and trailer

  // Zeros may fill up the last block of a tape; anything else that starts no member is foreign.
  std::optional<Step> between_members(std::span<const uint8_t> in) {
    const auto zeros =
        static_cast<size_t>(std::find_if(in.begin(), in.end(), [](uint8_t byte) { return byte != 0; }) - in.begin());
    if (zeros > 0) return Step{zeros, 0, ""};
    if (in[0] != 0x1f) return Step{0, 0, "gzip: foreign bytes behind the end"};
    return std::nullopt;
  }

  z_stream stream_{};
  bool usable_ = false;
  bool complete_ = false;
};

class Zstd : public Unpacker {
 public:
  Zstd() : stream_(ZSTD_createDStream()) {
    if (stream_ != nullptr) ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, kLargestZstdWindowLog);
  }
  ~Zstd() override { ZSTD_freeDStream(stream_); }

  Step step(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    if (stream_ == nullptr) return {0, 0, "cannot unpack zstd: no memory"};
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const size_t left = ZSTD_decompressStream(stream_, &to, &from);
    Step step{from.pos, to.pos, ""};
    if (ZSTD_isError(left))
      step.why = std::string("zstd: ") + ZSTD_getErrorName(left);
    else if (from.pos != 0 || to.pos != 0)
      complete_ = left == 0;
    return step;
  }
  bool complete() const override { return complete_; }

 private:
  ZSTD_DStream* stream_;
  bool complete_ = false;
};

class Lz4 : public Unpacker {
 public:
  Lz4() { usable_ = !LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)); }
  ~Lz4() override { LZ4F_freeDecompressionContext(context_); }

  Step step(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    if (!usable_) return {0, 0, "cannot unpack lz4: no memory"};
    size_t taken = in.size(), made = out.size();
    const size_t hint = LZ4F_decompress(context_, out.data(), &made, in.data(), &taken, nullptr);
    if (LZ4F_isError(hint)) return {0, 0, std::string("lz4: ") + LZ4F_getErrorName(hint)};
    if (taken != 0 || made != 0) complete_ = hint == 0;
    return {taken, made, ""};
  }
  bool complete() const override { return complete_; }

 private:
  LZ4F_dctx* context_ = nullptr;
  bool usable_ = false;
  bool complete_ = false;
};

bool starts_with(std::span<const uint8_t> bytes, std::initializer_list<uint8_t> magic) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

}  // namespace

Wrapping wrapping_of(std::span<const uint8_t> first) {
  if (starts_with(first, {0x1f, 0x8b})) return Wrapping::kGzip;
  if (starts_with(first, {0x28, 0xb5, 0x2f, 0xfd})) return Wrapping::kZstd;
  if (starts_with(first, {0x04, 0x22, 0x4d, 0x18})) return Wrapping::kLz4;
  // A frame to be skipped: zstd's and lz4's look the same; pzstd starts its files with one.
  const bool skippable = first.size() >= kMagicBytes && (first[0] & 0xf0) == 0x50 && first[1] == 0x2a &&
                         first[2] == 0x4d && first[3] == 0x18;
  return skippable ? Wrapping::kZstd : Wrapping::kNone;
}

std::unique_ptr<Unpacker> Unpacker::of(Wrapping wrapping) {
  if (wrapping == Wrapping::kGzip) return std::make_unique<Gzip>();
  if (wrapping == Wrapping::kZstd) return std::make_unique<Zstd>();
  return std::make_unique<Lz4>();
}

}  // namespace jrec
