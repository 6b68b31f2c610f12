// SPDX-License-Identifier: Apache-2.0
// ArchiveWriter appends to an archive. What was committed is never touched: what is added counts once commit() has
// written its END, and goes away if that does not happen. Only the parity behind the last END is written over; where an
// add ends without a commit it is made again, and where it is killed the next writer does that.
//
//   open -> add_metadata, add_piece ... -> add_member -> ... -> commit
//
// One writer at a time: others are refused. One thread.
#pragma once

#include <string>

#include "format/archive/catalogue.h"
#include "format/archive/metadata_piece.h"
#include "format/archive/piece.h"
#include "format/reader/mapped_file.h"

namespace jfr::archive {

class ArchiveWriter {
 public:
  // The archive is made when it is not there. kUsage: it is no archive, or another process writes to it; then
  // with EWOULDBLOCK: later it may work.
  static base::Result<ArchiveWriter> open(const std::string& path);
  // A new one, in a file that is empty and that nobody else has; takes a descriptor of its own.
  static base::Result<ArchiveWriter> make(int fd);
  ~ArchiveWriter();
  ArchiveWriter(ArchiveWriter&& other) noexcept;
  ArchiveWriter& operator=(ArchiveWriter&&) = delete;

  // What was there when it was opened.
  const Catalogue& catalogue() const { return catalogue_; }

  // Blocks that it mended when it was opened: those whose parity it makes anew.
  uint64_t mended_blocks() const { return mended_blocks_; }

  // The archive as it is now, with what was added.
  base::Result<read::MappedFile> map() const { return read::MappedFile::of(fd_); }

  // Where the piece begins. Behind it may come the parity of a band. kSystem, as for all below: the disk is full, ...
  base::Result<uint64_t> add_piece(std::span<const uint8_t> piece);
  // The same content is kept once. level: as of pack_blocks().
  base::Result<uint64_t> add_metadata(std::span<const uint8_t> content, int level = kBestLevel);
  base::Status add_member(const Member& member);
  // On the disk when it returns; nothing to do when no member was added.
  base::Status commit();
  // If nothing is added, what stands behind what was committed stays, too.
  void leave_rest() { tail_lost_ = false; }

 private:
  ArchiveWriter(int fd, Catalogue catalogue) : fd_(fd), catalogue_(std::move(catalogue)), at_(catalogue_.committed) {}
  void find_bases();
  CommitSpan span_behind(size_t alone) const;
  base::Result<uint64_t> add_table(CommitSpan& span);
  base::Result<uint64_t> add_end();
  base::Status mend_last_band();
  base::Status append(std::span<const uint8_t> bytes);
  Band band_to(uint64_t to, uint64_t end) const;
  base::Status close_band();
  base::Status end_with_parity(uint64_t end);
  base::Status reserve(uint64_t end_size);

  int fd_ = -1;
  Catalogue catalogue_;
  uint64_t at_ = 0;    // where the next piece will begin
  uint64_t band_ = 0;  // where the band begins that it is in
  uint64_t mended_blocks_ = 0;
  bool tail_lost_ = false;  // behind what was committed is something else than its parity
  EndContent added_;
  std::optional<std::vector<MetadataBase>> bases_;  // the newest; found when they are first needed
};

}  // namespace jfr::archive
