// SPDX-License-Identifier: Apache-2.0
// Unpacker undoes one wrapping, piece by piece. Positions count in the wrapped stream.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace jrec {

enum class Wrapping { kNone, kGzip, kZstd, kLz4 };

inline constexpr size_t kMagicBytes = 4;  // as many first bytes as wrapping_of() wants to see

Wrapping wrapping_of(std::span<const uint8_t> first_bytes);

class Unpacker {
 public:
  static std::unique_ptr<Unpacker> of(Wrapping wrapping);  // not of kNone
  virtual ~Unpacker() = default;

  struct Step {
    size_t taken = 0;  // of the input
    size_t made = 0;   // of the output
    std::string why;   // not empty: the input is damaged, and nothing more comes out
  };
  // Takes some input and yields some output. Takes and makes nothing only when it needs more input.
  virtual Step step(std::span<const uint8_t> in, std::span<uint8_t> out) = 0;
  // Whether the stream may end here.
  virtual bool complete() const = 0;
};

}  // namespace jrec
