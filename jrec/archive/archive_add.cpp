// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/archive_add.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "base/redact.h"
#include "base/units.h"
#include "format/archive/archive_writer.h"
#include "format/archive/chunk_packer.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/mapped_file.h"
#include "jrec/archive/archive_file.h"
#include "jrec/archive/stored_change.h"
#include "jrec/base/deadline.h"
#include "jrec/base/escape.h"
#include "jrec/base/local_path.h"
#include "jrec/base/quiet.h"
#include "jrec/input/recording.h"
#include "jrec/input/remote_recording.h"
#include "jrec/input/side_by_side.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using jfr::archive::ArchiveWriter;
using jfr::archive::BaseShelf;
using jfr::archive::Member;
using jfr::archive::Part;
using Bytes = std::span<const uint8_t>;

constexpr auto kBetweenTries = std::chrono::milliseconds(50);

// A stretch of the file: a chunk, or what lies between chunks.
struct Stretch {
  Bytes bytes;
  std::optional<jfr::read::ChunkHeader> header;
};

std::vector<Stretch> stretches_of(Bytes file) {
  std::vector<Stretch> stretches;
  jfr::read::Problems problems;
  jfr::read::ChunkScanner scanner(file, problems);
  uint64_t at = 0;
  while (const auto extent = scanner.next()) {
    if (extent->offset > at) stretches.push_back({file.subspan(at, extent->offset - at), {}});
    stretches.push_back({file.subspan(extent->offset, extent->size), extent->header});
    at = extent->offset + extent->size;
  }
  if (at < file.size()) stretches.push_back({file.subspan(at), {}});
  return stretches;
}

// As it is; one on a server as a whole, or not at all.
Result<jfr::read::MappedFile> bytes_of_file(const std::string& path) {
  if (!is_remote(path)) {
    if (const Status local = check_local(path); !local) return local.error();
    return jfr::read::MappedFile::open(path);
  }
  jfr::read::Problems problems;
  const auto copy = copy_remote(path, problems);
  if (!copy) return copy.error();
  if (copy->is_archive) return Error{ErrorCode::kUsage, 0, "is an archive: jrec archive merge takes several"};
  if (!problems.empty()) return problems.kept().front();
  return jfr::read::MappedFile::of(copy->file.fd());
}

class Adder {
 public:
  Adder(const ArchiveAddOptions& options, ArchiveWriter& writer)
      : options_(options), writer_(writer), packer_(writer, options.level) {}

  // The error is about the file, or about the archive: archive_failed().
  Status add(const std::string& path) {
    const auto file = bytes_of_file(path);
    if (!file) return file.error();
    Member member;
    member.name = options_.name.empty() ? last_name(path) : options_.name;
    member.labels = options_.labels;
    member.added_ns = base::now_unix_ns();
    member.size = file->bytes().size();
    member.hash = jfr::archive::content_hash(file->bytes());
    if (!jfr::archive::is_member_name(member.name))
      return Error{ErrorCode::kUsage, 0, "has no name for a member; --name gives one"};
    if (const Member* there = writer_.catalogue().find(member.name)) {
      if (there->hash != member.hash)
        return Error{ErrorCode::kUsage, 0, "is the name of another member; --name gives a new one"};
      say(base::redact_userinfo(path) + ": already there\n");
      return base::Done{};
    }
    return add(path, file->bytes(), member);
  }

  bool archive_failed() const { return archive_failed_; }
  size_t members() const { return members_; }          // that were not there before
  const std::string& lines() const { return lines_; }  // what to say once they are committed

 private:
  Status add(const std::string& path, Bytes file, Member& member) {
    const std::vector<Stretch> stretches = stretches_of(file);
    stored_ = 0;
    for (size_t from = 0; from < stretches.size();) {
      const size_t to = from + ready(std::span(stretches).subspan(from));
      if (const Status added = add(std::span(stretches).subspan(from, to - from), member); !added) return added;
      from = to;
    }
    if (Status added = writer_.add_member(member); !added) return archive_failed_ = true, added;
    ++members_;
    say(fmt::format("{}: {} -> {} bytes ({:.1f} %)\n", base::redact_userinfo(path), file.size(), stored_,
                    file.empty() ? 0.0 : 100.0 * static_cast<double>(stored_) / static_cast<double>(file.size())));
    return base::Done{};
  }

  // How many of the next ones may be packed side by side: the first one, and those whose base is there.
  size_t ready(std::span<const Stretch> stretches) const {
    size_t count = 0;
    while (count < std::min<size_t>(stretches.size(), BaseShelf::kMostUses) &&
           (!stretches[count].header || packer_.is_ready(stretches[count].bytes)))
      ++count;
    return std::max<size_t>(count, 1);
  }

  Status add(std::span<const Stretch> stretches, Member& member) {
    Status status = base::Done{};
    side_by_side(
        stretches.size(),
        [&](size_t i) {
          return stretches[i].header ? packer_.pack(stretches[i].bytes) : packer_.pack_bytes(stretches[i].bytes);
        },
        [&](size_t i, jfr::archive::PackedChunk&& packed) {
          stored_ += packed.piece.size();
          Result<Part> part = packer_.write(packed);
          if (part) member.parts.push_back(described(std::move(*part), stretches[i]));
          if (!part) archive_failed_ = true, status = part.error();
          return part.ok();
        });
    packer_.learn();
    return status;
  }

  static Part described(Part part, const Stretch& stretch) {
    part.size = stretch.bytes.size();
    if (!stretch.header) return part;
    part.start_ns = stretch.header->start_ns;
    part.duration_ns = static_cast<uint64_t>(std::max<int64_t>(0, stretch.header->duration_ns));
    return part;
  }

  void say(const std::string& line) {
    if (!quiet()) lines_ += plain(line.substr(0, line.size() - 1)) + "\n";
  }

  const ArchiveAddOptions& options_;
  ArchiveWriter& writer_;
  jfr::archive::ChunkPacker packer_;
  bool archive_failed_ = false;
  size_t members_ = 0;
  std::string lines_;
  uint64_t stored_ = 0;  // of the file that is being added
};

ExitCode refused(const std::string& subject, const Error& error) {
  complain(subject, error);
  return error.code == ErrorCode::kUsage ? kUsageError : kOutputFailed;
}

Result<ArchiveWriter> open_patiently(const std::string& archive, int64_t wait_s) {
  const Deadline deadline{std::chrono::seconds(wait_s)};
  while (true) {
    auto writer = ArchiveWriter::open(archive);
    if (writer || writer.error().errno_value != EWOULDBLOCK || deadline.over()) return writer;
    std::this_thread::sleep_for(kBetweenTries);
  }
}

bool is_label(const std::string& text) {
  const size_t equals = text.find('=');
  return equals != 0 && equals != std::string::npos;
}

}  // namespace

std::optional<int> archive_level(const std::string& text) {
  if (text == "max") return jfr::archive::kBestLevel;
  const auto level = base::parse_count(text);
  if (!level || *level < 1 || *level > jfr::archive::kBestLevel) return std::nullopt;
  return static_cast<int>(*level);
}

namespace {

struct AddedFiles {
  ExitCode code = kDone;
  size_t members = 0;  // new ones
  std::string lines;   // for the user, if it is committed
};

// Asked before an archive is made for it.
Status can_be_opened(const std::string& file) {
  if (is_remote(file) || ::access(file.c_str(), R_OK) == 0) return base::Done{};
  return Error{ErrorCode::kUsage, 0, std::string("cannot open: ") + std::strerror(errno), errno};
}

// It would grow under the reader's eyes.
bool is_archive_itself(const ArchiveAddOptions& options, const std::string& path, const std::string& file) {
  std::error_code none;
  return file == options.archive || (!is_remote(file) && std::filesystem::equivalent(file, path, none));
}

// Into the archive at that path of this machine.
AddedFiles add_files(const ArchiveAddOptions& options, const std::string& path) {
  for (const std::string& file : options.files)
    if (const Status there = can_be_opened(file); !there) return {refused(file, there.error())};
  for (const std::string& file : options.files)
    if (is_archive_itself(options, path, file))
      return {refused(file, Error{ErrorCode::kUsage, 0, "is the archive itself; jrec archive merge makes a copy"})};
  auto writer = open_patiently(path, options.wait_s);
  if (!writer) return {refused(options.archive, writer.error())};
  Adder adder(options, *writer);
  for (const std::string& file : options.files)
    if (const Status added = adder.add(file); !added)
      return {refused(adder.archive_failed() ? options.archive : file, added.error())};
  if (const Status committed = writer->commit(); !committed) return {refused(options.archive, committed.error())};
  return {kDone, adder.members(), adder.lines()};
}

ExitCode add_to_file(const ArchiveAddOptions& options, Output& out) {
  const AddedFiles added = add_files(options, options.archive);
  out.add(added.lines);
  return added.code;
}

ExitCode add_to_store(const ArchiveAddOptions& options, Output& out) {
  const auto add = [&](StoredArchive& copy) -> ArchiveChange {
    const AddedFiles added = add_files(options, copy.path());
    return {added.code, added.members != 0, added.lines};
  };
  StoredChange change;
  change.archive = options.archive;
  change.wait_s = options.wait_s;
  change.make = add;
  change.refused = [&](const Error& why) { return refused(options.archive, why); };
  return change_in_store(change, out);
}

}  // namespace

ExitCode run_archive_add(const ArchiveAddOptions& options, Output& out) {
  if (!options.name.empty() && options.files.size() != 1)
    return refused(options.archive, Error{ErrorCode::kUsage, 0, "--name is for one file"});
  for (const std::string& label : options.labels)
    if (!is_label(label))
      return refused(options.archive, Error{ErrorCode::kUsage, 0, "a label is KEY=VALUE: " + label});
  if (has_scheme(options.archive, "s3")) return add_to_store(options, out);
  if (const Status local = check_local(options.archive); !local) return refused(options.archive, local.error());
  return add_to_file(options, out);
}

}  // namespace jrec
