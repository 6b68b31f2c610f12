// SPDX-License-Identifier: Apache-2.0
#include "format/archive/mending.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/file_io.h"
#include "format/reader/mapped_file.h"

namespace jfr::archive {

using base::Result;
using base::Status;
using base::system_error;
using read::MappedFile;
using Bytes = std::span<const uint8_t>;

namespace {

bool parity_is_whole(const Source& archive, const Band& band) {
  const auto piece = piece_at(archive, band.at);
  return piece && is_whole(archive, *piece);
}

// The pieces from there on, up to where parity would begin, are whole: where they end. 0: they are not.
uint64_t whole_up_to(const ArchiveBytes& archive, uint64_t from, uint64_t before) {
  uint64_t at = std::max<uint64_t>(from, first_piece(archive.raw()));
  while (at < before) {
    const auto piece = piece_at(archive.raw(), at);
    if (!piece) return at > from ? at : 0;
    if (piece->head.kind == PieceKind::kParity || piece->end() > before || !is_whole(archive.raw(), *piece)) return 0;
    at = piece->end();
  }
  return 0;
}

// The parity of what lies in front of the next band, if it takes the place that it had. Closed bands have blocks of one
// size.
Status write_parity(int fd, const ArchiveBytes& archive, const ParityCheck::Range& lost, uint64_t& written) {
  const uint64_t to = whole_up_to(archive, lost.from, lost.to);
  if (to == 0) return base::Done{};
  const Band band = new_band(lost.from, to, 0, BlockSizes::kOne);
  if (band.piece_end != lost.to) return base::Done{};
  const std::vector<uint8_t> parity = make_parity(archive.raw(), band);
  if (!base::write_all_at(fd, parity.data(), parity.size(), band.at)) return system_error("cannot write");
  ++written;
  return base::Done{};
}

}  // namespace

ParityCheck check_parity(const ArchiveBytes& archive, const Catalogue& catalogue) {
  ParityCheck check;
  uint64_t covered = 0;
  for (const Band& band : archive.bands()) {
    if (band.to > catalogue.committed || band.from < covered) continue;
    if (band.from > covered) check.uncovered.push_back({covered, band.from});
    covered = band.piece_end;
    archive.raw().read(band.from, band.to - band.from);  // at once
    for (uint64_t i = 0; i < band.blocks(); ++i) {
      if (is_whole(archive.raw(), band, i)) continue;
      const bool mendable = mend(archive.raw(), band, i).has_value();
      (mendable ? check.mendable : check.beyond).push_back(band.begin_of(i));
    }
    if (!fill_is_whole(archive.raw(), band)) check.mendable.push_back(band.to);
    if (!parity_is_whole(archive.raw(), band)) check.uncovered.push_back({band.from, band.piece_end});
  }
  if (covered < catalogue.committed && catalogue.last_end != 0)
    check.uncovered.push_back({covered, catalogue.committed});
  return check;
}

Result<uint64_t> mend_band(int fd, Bytes archive, const Band& band) {
  uint64_t mended = 0;
  for (uint64_t i = 0; i < band.blocks(); ++i) {
    if (is_whole(archive, band, i)) continue;
    auto was = mend(archive, band, i);
    if (!was) continue;
    was->resize(band.block);  // the zeros in front of parity
    if (!base::write_all_at(fd, was->data(), was->size(), band.begin_of(i))) return system_error("cannot write");
    ++mended;
  }
  if (fill_is_whole(archive, band)) return mended;
  const std::vector<uint8_t> zeros(band.at - band.to);
  if (!base::write_all_at(fd, zeros.data(), zeros.size(), band.to)) return system_error("cannot write");
  return mended + 1;
}

Result<Mended> mend_archive(const std::string& path) {
  const base::Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!file) return system_error("cannot open");
  Mended mended;
  {
    const auto mapped = MappedFile::of(file.fd());
    if (!mapped) return mapped.error();
    for (const Band& band : bands_of(mapped->bytes())) {
      const auto blocks = mend_band(file.fd(), mapped->bytes(), band);
      if (!blocks) return blocks.error();
      mended.blocks += *blocks;
    }
  }
  const auto mapped = MappedFile::of(file.fd());
  if (!mapped) return mapped.error();
  const ArchiveBytes archive(mapped->bytes());
  read::Problems unsaid;
  const auto catalogue = Catalogue::read(archive, unsaid);
  if (!catalogue) return catalogue.error();
  for (const auto& lost : check_parity(archive, *catalogue).uncovered)
    if (lost.to <= catalogue->committed)
      if (const Status written = write_parity(file.fd(), archive, lost, mended.parities); !written)
        return written.error();
  if (::fdatasync(file.fd()) != 0) return system_error("cannot write");
  return mended;
}

}  // namespace jfr::archive
