// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/archive_restore.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <functional>

#include "base/new_directory.h"
#include "format/archive/member.h"
#include "format/archive/mending.h"
#include "format/reader/mapped_file.h"
#include "jrec/archive/archive_file.h"
#include "jrec/base/escape.h"
#include "jrec/base/inputs.h"
#include "jrec/base/local_path.h"
#include "jrec/base/output_file.h"
#include "jrec/base/quiet.h"
#include "jrec/input/recording.h"
#include "jrec/input/scratch_file.h"
#include "jrec/input/side_by_side.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using jfr::archive::Member;
using Bytes = std::span<const uint8_t>;

enum class Outcome { kWhole, kDamaged, kNotWritten };

// Gives the parts of a member in their order, those that can be had, and says whether the whole is what it was.
Outcome read_member(ArchiveFile& archive, const Member& member, const std::function<bool(Bytes)>& write) {
  XXH3_state_t* state = XXH3_createState();
  XXH3_128bits_reset(state);
  Outcome outcome = Outcome::kWhole;
  side_by_side(
      member.parts.size(), [&](size_t i) { return archive.parts().read(member.parts[i]); },
      [&](size_t, Result<std::vector<uint8_t>>&& part) {
        if (!part) {
          archive.problems().add(Error{part.error().code, part.error().offset, member.name + ": " + part.error().what});
          outcome = Outcome::kDamaged;
          return true;
        }
        XXH3_128bits_update(state, part->data(), part->size());
        if (!write(part.value())) outcome = Outcome::kNotWritten;
        return outcome != Outcome::kNotWritten;
      });
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  if (outcome != Outcome::kWhole || (hash.low64 == member.hash[0] && hash.high64 == member.hash[1])) return outcome;
  archive.problems().add(Error{ErrorCode::kCorrupt, 0, member.name + ": its bytes are not those that were added"});
  return Outcome::kDamaged;
}

void note_damage(ArchiveFile& archive, uint64_t at, std::string what) {
  archive.problems().add(Error{ErrorCode::kCorrupt, at, std::move(what)});
}

void note_parity(ArchiveFile& archive) {
  const auto check = jfr::archive::check_parity(archive.bytes(), archive.catalogue());
  for (const uint64_t block : check.mendable)
    note_damage(archive, block, "a damaged block, which jrec archive repair mends: nothing is lost");
  for (const uint64_t block : check.beyond)
    note_damage(archive, block, "a damaged block, and no parity left to mend it");
  for (const auto& [from, to] : check.uncovered)
    note_damage(archive, from,
                fmt::format("no parity up to {:#x}, which jrec archive repair makes: nothing is lost", to));
}

// How many there are.
size_t note_pieces(ArchiveFile& archive) {
  jfr::archive::PieceWalk walk(archive.bytes(), jfr::archive::first_piece(archive.bytes().raw()));
  const bool by_ends = archive.catalogue().last_end != 0;
  size_t pieces = 0;
  while (const auto piece = walk.next()) {
    if (piece->at >= archive.catalogue().committed) break;
    ++pieces;
    if (!by_ends || piece->head.kind == jfr::archive::PieceKind::kParity) continue;  // told already
    if (walk.skipped() > 0) note_damage(archive, piece->at - walk.skipped(), "bytes that are no part of the archive");
    if (!archive.bytes().whole_piece(piece->at)) note_damage(archive, piece->at, "a damaged piece");
  }
  return pieces;
}

ExitCode not_written(const std::string& path, int number) {
  complain(path, Error{ErrorCode::kSystem, 0, "cannot write: " + output_error_text(number), number});
  return kOutputFailed;
}

// Where the file system does not take the name, or another thing has it, the other members go on.
bool is_of_the_name(int number) {
  return number == ENAMETOOLONG || number == EISDIR || number == EILSEQ || number == kIsAnInput;
}

// What has a member's name already.
enum class There { kNothing, kMember, kOther };

There what_is_there(const std::string& path, const Member& member) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return There::kNothing;
  if (static_cast<uint64_t>(status.st_size) != member.size) return There::kOther;
  const auto file = jfr::read::MappedFile::open(path);
  return file && jfr::archive::content_hash(file->bytes()) == member.hash ? There::kMember : There::kOther;
}

ExitCode kept_as_it_is(const std::string& path) {
  complain(path,
           Error{ErrorCode::kUsage, 0, "is there already, and is not the member; --overwrite puts that in its place"});
  return kUsageError;
}

// What is left of it; the name as far as it can be.
std::string damaged_name(const std::string& name) {
  constexpr std::string_view kEnding = ".damaged";
  return name.substr(0, NAME_MAX - kEnding.size()) + std::string(kEnding);
}

// errno of what could not be written; 0: it is.
int restore(ArchiveFile& archive, const Member& member, const std::string& directory) {
  Outcome outcome = Outcome::kDamaged;
  for (const bool damaged : {false, true}) {
    OutputFile file(directory + "/" + (damaged ? damaged_name(member.name) : member.name));
    if (file.fd() < 0) return errno;
    const auto write = [&](Bytes bytes) { return write_all(file.fd(), bytes).ok(); };
    jfr::read::Problems told_already = archive.problems();
    outcome = read_member(archive, member, write);
    if (damaged) archive.problems() = told_already;
    if (outcome == Outcome::kNotWritten) return errno;
    if (damaged == (outcome == Outcome::kDamaged) && !file.commit()) return errno;
    if (outcome == Outcome::kWhole) break;
  }
  return 0;
}

// goes_on: not where nothing more can be written.
ExitCode bring(ArchiveFile& archive, const Member& member, const ArchiveRestoreOptions& options, bool& goes_on,
               Output& out) {
  const std::string path = options.directory + "/" + member.name;
  const There there = what_is_there(path, member);
  if (there == There::kOther && !options.overwrite) return kept_as_it_is(path);
  if (there != There::kMember) {
    if (const int number = restore(archive, member, options.directory); number != 0) {
      goes_on = is_of_the_name(number);
      return not_written(path, number);
    }
  }
  if (!quiet()) out.add(plain(path) + (there == There::kMember ? ": already there\n" : "\n"));
  return kDone;
}

}  // namespace

ExitCode run_archive_restore(const ArchiveRestoreOptions& options, Output& out) {
  ArchiveFile archive(options.archive);
  if (!archive.open()) return archive.finish();
  if (struct stat status{}; ::stat(options.archive.c_str(), &status) == 0) note_input(status);
  if (const base::Status local = check_local(options.directory); !local) {
    complain(options.directory, local.error());
    return kUsageError;
  }
  if (const base::Status made = base::make_directories(options.directory); !made)
    return not_written(options.directory, made.error().errno_value);
  ExitCode written = kDone;
  bool goes_on = true;
  for (const Member* member : archive.members(options.members))
    if (goes_on) written = std::max(written, bring(archive, *member, options, goes_on, out));
  return std::max(archive.finish(), written);
}

ExitCode run_archive_cat(const ArchiveRestoreOptions& options, Output& out) {
  if (out.is_terminal()) {
    complain(options.archive, {base::ErrorCode::kUsage, 0,
                               "members may be binary, and this is a terminal; -o FILE or a pipe takes them"});
    return kUsageError;
  }
  ArchiveFile archive(options.archive);
  if (!archive.open()) return archive.finish();
  for (const Member* member : archive.members(options.members)) {
    const auto write = [&](Bytes bytes) {
      out.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      return out.flush();
    };
    if (read_member(archive, *member, write) == Outcome::kNotWritten) return kOutputFailed;
  }
  return archive.finish();
}

// While somebody adds, the parity at the end is written over: what was read of it before and after makes no whole.
ExitCode run_archive_verify(const ArchiveRestoreOptions& options, Output& out) {
  constexpr int kMostLooks = 5;
  for (int look = 1;; ++look) {
    ArchiveFile archive(options.archive);
    if (!archive.open()) return archive.finish();
    note_parity(archive);
    const size_t pieces = note_pieces(archive);
    for (const Member& member : archive.catalogue().members) read_member(archive, member, [](Bytes) { return true; });
    if (!archive.problems().empty() && look < kMostLooks && archive.changed()) continue;
    if (archive.problems().empty())
      out.add(fmt::format("{}: {} members, {} pieces, {} bytes: no problem\n", plain(options.archive),
                          archive.catalogue().members.size(), pieces, archive.bytes().size()));
    return archive.finish();
  }
}

}  // namespace jrec
