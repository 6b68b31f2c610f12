// SPDX-License-Identifier: Apache-2.0
#include "jrec/convert/convert_output.h"

#include <zlib.h>

#include <new>

namespace jrec {
namespace {

constexpr int kGzipWindow = 15 + 16;               // the largest window, and a gzip header
constexpr size_t kLargestPiece = size_t{1} << 30;  // zlib counts in 32 bits
constexpr int kMemoryLevel = 8;                    // zlib's default

}  // namespace

ConvertOutput::ConvertOutput(Output& out, bool gzip) : out_(out) {
  if (!gzip) return;
  stream_ = std::make_unique<z_stream_s>();
  if (deflateInit2(stream_.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::bad_alloc();  // the arguments are right, so that is all it can be
}

ConvertOutput::~ConvertOutput() {
  if (stream_ != nullptr) deflateEnd(stream_.get());
}

bool ConvertOutput::finish() {
  drain(true);
  return out_.flush();
}

void ConvertOutput::drain(bool last) {
  if (stream_ != nullptr)
    deflate_text(last);
  else
    out_.add(text_);
  text_.clear();
}

void ConvertOutput::deflate_text(bool last) {
  std::string_view rest = text_;
  do {
    const std::string_view piece = rest.substr(0, kLargestPiece);
    rest.remove_prefix(piece.size());
    deflate_piece(piece, last && rest.empty());
  } while (!rest.empty());
}

void ConvertOutput::deflate_piece(std::string_view piece, bool last) {
  unsigned char packed[32 * 1024];
  stream_->next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(piece.data()));  // zlib only reads it
  stream_->avail_in = static_cast<unsigned>(piece.size());
  do {
    stream_->next_out = packed;
    stream_->avail_out = sizeof packed;
    deflate(stream_.get(), last ? Z_FINISH : Z_NO_FLUSH);
    out_.add({reinterpret_cast<char*>(packed), sizeof packed - stream_->avail_out});
  } while (stream_->avail_out == 0);
}

}  // namespace jrec
