// SPDX-License-Identifier: Apache-2.0
// Input is how every command opens a recording: a file, a pipe, "-" for standard input; as it is, or wrapped by gzip,
// zstd or lz4, which is told by the first bytes and not by the name; an archive or its members, ARCHIVE.recz:MEMBER; each of them also
// at http://..., https://... and s3://... (docs/remote.md).
// It comes in stretches, none of which cuts a chunk:
//
//   regular file, plain      mapped                                                      one stretch; of several files one for each chunk
//   pipe, or wrapped         copied or unpacked into a scratch file, which is mapped       one: a pipe can be read once only
//   of version 0.9           translated into a scratch file of version 2 (format/old)       one
//   members of an archive    mapped; what is asked for is restored into memory            one for each part (archive_input.h)
//   wrapped or old ones      restored, unpacked and translated into a scratch file           one
//   on a server              copied into a scratch file; an archive in parts, as they are asked for (fetched_file.h)
//
// Several gzip members, zstd frames or lz4 frames one behind the other are one recording. Memory does not grow with
// the input: who reads a stretch of an archive owns its bytes. What is unpacked is limited: a small file must not fill
// the disk. At a limit, and where the wrapping is damaged, unpacking ends, a problem is noted with its offset in the
// wrapped file, and what came out so far is the input: its chunks are good.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/reader/problems.h"
#include "jrec/input/recording_span.h"

namespace jrec {

struct InputLimits {
  // Recordings shrink to a tenth, seldom to a twentieth; more than that is a bomb or a curiosity.
  uint64_t ratio = 64;
  uint64_t unpacked_bytes = uint64_t{16} << 30;
};

// Below this the ratio does not matter: whoever holds a recording of that size has the room.
inline constexpr uint64_t kFreeOfRatio = uint64_t{16} << 20;
// The largest window of zstd that is accepted (as `zstd --long` makes): 128 MiB of memory.
inline constexpr int kLargestZstdWindowLog = 27;

// What the user said, for all inputs of this process. Set before the first is opened.
InputLimits& input_limits();

// Bytes of a recording, and who keeps them.
struct Stretch {
  uint64_t offset = 0;  // in the recording
  std::span<const uint8_t> bytes;
  std::shared_ptr<const std::vector<uint8_t>> owner;  // null: they are the input's, and good as long as that is there
};

class Input {
 public:
  // What is known of a stretch before it is read.
  struct Outline {
    uint64_t offset = 0, size = 0;
    bool is_chunk = false;  // it is one chunk, of that time
    int64_t start_ns = 0;
    uint64_t duration_ns = 0;
    size_t file = 0;          // which of the files or members it is of
    bool mapped = false;      // reading it costs nothing
    int64_t start_ticks = 0;  // of one that is mapped
  };

  // kSystem and kUsage: there is nothing to read; kCorrupt: a server contradicts itself. Anything else is noted in `problems`, and there may be no bytes.
  // Of an archive, only what may be in the range that is chosen. What `choose` chooses is in `range`.
  static base::Result<std::unique_ptr<Input>> open(const std::string& path, jfr::read::Problems& problems,
                                                   const TimeChoice& choose, TimeRange& range);
  static base::Result<std::unique_ptr<Input>> open(const std::string& path, jfr::read::Problems& problems);

  virtual ~Input() = default;

  virtual uint64_t size() const = 0;  // of all stretches; of an archive, also of those that are damaged
  virtual size_t stretches() const = 0;
  virtual Outline outline(size_t stretch) const = 0;
  virtual RecordingSpan span() const = 0;  // by the headers of all chunks

  // Any thread, as often as one likes. kCorrupt, with the offset in the recording: these bytes cannot be had.
  virtual base::Result<Stretch> read(size_t stretch) = 0;
  // Whether read() takes time and memory, so that it is worth to have it done by another thread, and not too early.
  virtual bool restores() const = 0;
  // Where an offset of the recording is: of several files, in which of them. Empty: in the one that was opened.
  struct Place {
    std::string path;
    uint64_t offset = 0;
  };
  virtual Place place_of(uint64_t offset) const { return {{}, offset}; }
  // The same of what was read: also of several members, in which of them, as ARCHIVE.recz:MEMBER.
  virtual Place member_of(uint64_t offset) const { return place_of(offset); }
  // Damage that cost nothing so far, and should be mended.
  virtual std::optional<base::Error> advice() const { return std::nullopt; }
  // What is read from now on will be read once more: some of it may be kept until then.
  virtual void read_again_later(bool) {}
  // These bytes are done with.
  virtual void let_go(uint64_t /*offset*/, uint64_t /*size*/) {}
};

}  // namespace jrec
