// SPDX-License-Identifier: Apache-2.0
// ConvertOutput is where a conversion writes: text that goes to an Output in large pieces, through gzip if asked for.
//
// Failed writes are remembered by the Output; finish() tells.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "jrec/base/output.h"

struct z_stream_s;

namespace jrec {

class ConvertOutput {
 public:
  ConvertOutput(Output& out, bool gzip);
  ~ConvertOutput();
  ConvertOutput(const ConvertOutput&) = delete;
  ConvertOutput& operator=(const ConvertOutput&) = delete;

  // The buffer itself, to append to; call flush_if_large() now and then.
  std::string& text() { return text_; }
  void flush_if_large() {
    if (text_.size() >= Output::kFlushSize) drain(false);
  }
  bool finish();  // writes the rest; false when anything could not be written

 private:
  void drain(bool last);
  void deflate_text(bool last);
  void deflate_piece(std::string_view piece, bool last);

  Output& out_;
  std::unique_ptr<z_stream_s> stream_;  // null: plain
  std::string text_;
};

}  // namespace jrec
