// SPDX-License-Identifier: Apache-2.0
// ChunkFile writes one JFR chunk that is a valid, finished JFR file at every instant of its life.
//
//   +--------+----------+------------+-----+---------+---------+- - - - - - - - - - - - - - - - -+
//   | header | metadata | checkpoint | sum | segment | segment |  rec.Filler: one event up to EOF |
//   +--------+----------+------------+-----+---------+---------+- - - - - - - - - - - - - - - - -+
//   0        68                                                 ^ tail_          capacity (file size)
//
// The file is extended to its capacity when it is made and the unused rest is covered by one event, rec.Filler, whose
// four padded size bytes reach to the end. Readers skip it by its size. Blocks are allocated, so that a full disk shows
// here and not later; where there are not so many, the file is sparse, and takes what the disk has.
//
// append() puts a segment over the filler, each step one pwrite, or two where events are many:
//
//   segment:  | events ... | checkpoint | sum | head of the next filler |
//             ^ tail_      ^ cp               ^ tail_ of the next append, a multiple of 8
//
// sum: rec.Checksum (format/segment_sum.h).
//
//   1. everything of the segment but its first eight bytes. It lies in the filler's body, which nobody reads.
//   2. the header: the offset of the checkpoint just written, and the duration. That checkpoint is whole and found by
//      its offset, though no walk over the events meets it yet: some more constants, which no event refers to.
//   3. the segment's first eight bytes, 8-aligned: its first event's size and type replace the filler's. This commits.
//
// A copy taken, or a process killed, between any two steps is a valid file that lacks the segment. The checkpoint
// cannot come first: until step 3 its own head would still be the filler's, and readers check size and type there.
//
// pwrite and not a mapping: a disk that fails or a file that somebody truncates gives an error code here, and would
// give SIGBUS there, in somebody else's process. It also keeps the chunk out of the process' resident memory.
//
// close() cannot trim in place: whether the header's size or the file's end moves first, the JDK's tools refuse what
// is between the two. So the used bytes, with their final header, go to a new file that is renamed over the old one.
// Only where there is no room for that the file is trimmed in place, and is refused for that instant.
//
// State byte 0 throughout: JDK 25's tools refuse everything else. The bytes: docs/chunk-format.md.
// Recorder thread only; not thread safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/kept_descriptor.h"
#include "base/result.h"
#include "format/writer/byte_sink.h"
#include "format/writer/checkpoint_builder.h"
#include "format/writer/untrimmed_chunk.h"

namespace jfr {

// When a chunk starts, on both clocks. Ticks are CLOCK_MONOTONIC nanoseconds: ticks per second is 1e9.
struct ChunkClock {
  int64_t start_unix_ns = 0;
  int64_t start_ticks = 0;
  int32_t gmt_offset_ms = 0;  // local time minus UTC; the JDK's tools print times by it
};

class ChunkFile {
 public:
  // Makes `directory/name` (0600, O_EXCL|O_NOFOLLOW; written under a temporary name and renamed when it is valid) with
  // the metadata and the enumerations in it. capacity: bytes of the whole file, at most kMaxPaddedSize; rounded down to
  // a multiple of 8. While it is made or closed the temporary `directory/.name.tmp` may exist; one that a dead process
  // left may be deleted.
  static base::Result<ChunkFile> create(const std::string& directory, const std::string& name, uint64_t capacity,
                                        ChunkClock clock);

  ChunkFile(ChunkFile&& other) noexcept;
  ChunkFile& operator=(ChunkFile&& other) noexcept;
  ~ChunkFile();  // an unclosed chunk stays on disk as it is: valid

  // Adds one flush. `constants` may be empty. `events` are whole encoded events back to back, or nothing; their sizes
  // are padded to four bytes, their types one byte, startTime comes first (between steps 1 and 3 a reader takes the
  // first event's time for the filler's). now_ticks becomes the end of the chunk's duration.
  // constants.body_size() + events.size() <= remaining() always fits. kLimit if not: nothing was written, open the next
  // chunk. After a kSystem error the chunk stays failed; what was committed before is safe.
  base::Status append(const CheckpointBuilder& constants, std::span<const uint8_t> events, int64_t now_ticks);

  // Of events that happened before the chunk was made, because the disk was full then: its start is moved to them, but
  // not in front of the start of the chunk before, by either clock. What is earlier still stays in it: events may begin
  // before their chunk.
  void begin_at_latest(int64_t ticks, const ChunkClock& before = {});
  const ChunkClock& clock() const { return clock_; }

  uint64_t size() const { return tail_; }  // bytes in use; the next segment, hence its first event, will be here
  uint64_t remaining() const;              // bytes that append() may still take, its own needs subtracted
  const std::string& path() const { return path_; }

  bool is_open() const { return open_; }
  // False: somebody removed the file, or put another one in its place. What was written can still be had from the
  // descriptor.
  bool linked() const;
  // Not that either: somebody closed the descriptor, too.
  bool gone() const { return !file_.is_own() && !linked(); }
  // Whether somebody closed the descriptor, and the file was opened again. append() and close() see to that before they
  // write, so that no file of his gets what was meant for this one.
  bool opened_again() const { return opened_again_; }
  // close() will put the chunk there, where there is no file yet. For one that is not linked any more; then close()
  // may be tried again until it works.
  void move_to(const std::string& directory, const std::string& name);

  // Trims the file to what is in use and marks it as the recording's last chunk if it is. The data is on disk when this
  // returns. Where even that cannot be done, the chunk keeps its filler, gives the filler's blocks back, and is valid and
  // closed all the same: left_untrimmed(). So is a chunk that failed before, with the error. A chunk on its way to another
  // place stays open.
  base::Status close(int64_t end_ticks, bool final_chunk);
  const std::optional<UntrimmedChunk>& left_untrimmed() const { return untrimmed_; }

 private:
  ChunkFile() = default;
  // A segment as step 1 to 3 need it.
  struct Segment {
    std::span<const uint8_t> events;  // that are not copied; none: they are in `bytes`
    ByteSink bytes;                   // what stands behind them
    size_t size() const { return events.size() + bytes.size(); }
    uint64_t checkpoint_at = 0;  // offsets in the chunk
    uint64_t end = 0;            // of its checksum; the next filler starts here
  };

  ByteSink encode_start();
  ByteSink encode_header(uint64_t chunk_size) const;
  Segment encode_segment(const CheckpointBuilder& constants, std::span<const uint8_t> events) const;
  base::Status hold();
  base::Status write_new(std::span<const uint8_t> start);
  base::Status write_segment(const Segment& segment);
  base::Status write_header(int fd, uint64_t chunk_size) const;
  base::Status finish();
  base::Status finish_elsewhere();
  UntrimmedChunk as_untrimmed() const;
  base::Status trim_or_leave();
  base::Status replace_by_trimmed_copy();
  base::Status write_trimmed_copy(int to) const;
  void release();

  std::string path_;
  std::string temporary_;  // directory/.name.tmp
  base::KeptDescriptor file_;
  uint64_t capacity_ = 0;
  uint64_t tail_ = 0;     // a multiple of 8; a filler of at least kMinFiller bytes starts here
  uint64_t written_ = 0;  // end of what may be referred to: beyond tail_ after a segment that failed
  uint64_t last_checkpoint_ = 0;
  uint64_t metadata_ = 0;
  int64_t end_ticks_ = 0;
  ChunkClock clock_{};
  bool open_ = false;
  bool opened_again_ = false;
  bool final_ = false;
  bool failed_ = false;
  bool moved_ = false;  // path_ is where it will be
  std::optional<UntrimmedChunk> untrimmed_;
};

}  // namespace jfr
