// SPDX-License-Identifier: Apache-2.0
// RecordingOutput is a recording that a command writes, chunk by chunk.
//
//   begin_chunk(header) -> add(bytes)... -> end_chunk(places)
//   add_chunk(bytes)             a whole chunk, finished if it was not
//   commit()                     the last chunk, and it alone, is marked as the recording's last
//
// A file appears under its name with commit(), whole, or not at all (output_file.h), a new one readable by its owner only; what
// stood there before is replaced, unless it is one of the inputs. "-" and what is no regular file (a pipe, /dev/null) get the bytes
// at commit(). After an error nothing more is written; status() keeps the first.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "jrec/base/output_file.h"

namespace jrec {

class RecordingOutput {
 public:
  struct Places {  // in the chunk
    uint64_t checkpoint = 0;
    uint64_t metadata = 0;
  };

  // kUsage when the target is one of the inputs.
  static base::Result<RecordingOutput> create(const std::string& target, std::span<const std::string> inputs);

  void begin_chunk(std::span<const uint8_t> header);  // 68 bytes; size, places, state and flags are filled in later
  void add(std::span<const uint8_t> bytes);
  uint64_t chunk_size() const { return size() - chunk_at_; }
  void end_chunk(const Places& places);
  void add_chunk(std::span<const uint8_t> chunk);

  size_t chunks() const { return chunks_; }
  uint64_t size() const { return written_ + buffer_.size(); }
  const base::Status& status() const { return status_; }
  base::Status commit();

 private:
  RecordingOutput() = default;
  void start(std::span<const uint8_t> header);
  void put(uint64_t at, std::span<const uint8_t> bytes);  // over what has been added
  void flush();
  void fail(const base::Status& status);
  base::Status hand_over();
  int fd() const;

  std::unique_ptr<OutputFile> file_;  // null: standard output
  base::Descriptor scratch_;          // for these, and what is no regular file
  std::vector<uint8_t> buffer_;
  uint64_t written_ = 0;  // what is in front of the buffer
  uint64_t chunk_at_ = 0;
  size_t chunks_ = 0;
  uint16_t flags_ = 0;  // of the last chunk
  base::Status status_ = base::Done{};
};

}  // namespace jrec
