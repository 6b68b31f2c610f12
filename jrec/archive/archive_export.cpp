// SPDX-License-Identifier: Apache-2.0
#include "jrec/archive/archive_export.h"

#include <cerrno>
#include <cstring>

#include "base/new_directory.h"
#include "jrec/archive/archive_file.h"
#include "jrec/archive/seekable_zstd.h"
#include "jrec/base/escape.h"
#include "jrec/base/local_path.h"
#include "jrec/base/output_file.h"
#include "jrec/base/quiet.h"
#include "jrec/input/recording.h"
#include "jrec/input/scratch_file.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using jfr::archive::Member;
using jfr::archive::Part;

ExitCode export_failed(const std::string& path, int number) {
  complain(path, Error{ErrorCode::kSystem, 0, std::string("cannot write: ") + std::strerror(number), number});
  return kOutputFailed;
}

// kDamaged is told at the end.
ExitCode export_member(ArchiveFile& archive, const Member& member, const std::string& path, int level) {
  OutputFile file(path);
  if (file.fd() < 0) return export_failed(path, errno);
  SeekableZstd zstd(level);
  for (const Part& part : member.parts) {
    const auto bytes = archive.parts().read(part);
    if (!bytes) {
      archive.problems().add(Error{bytes.error().code, bytes.error().offset, member.name + ": " + bytes.error().what});
      return kDamaged;
    }
    const std::vector<uint8_t> frame = zstd.frame(*bytes);
    if (frame.empty() || !write_all(file.fd(), frame).ok()) return export_failed(path, errno);
  }
  if (!write_all(file.fd(), zstd.seek_table()).ok() || !file.commit()) return export_failed(path, errno);
  return kDone;
}

}  // namespace

ExitCode run_archive_export(const ArchiveExportOptions& options, Output& out) {
  ArchiveFile archive(options.archive);
  if (!options.zst) {
    complain(options.archive, Error{ErrorCode::kUsage, 0, "--zst says as what to export"});
    return kUsageError;
  }
  if (const base::Status local = check_local(options.directory); !local) {
    complain(options.directory, local.error());
    return kUsageError;
  }
  if (!archive.open()) return archive.finish();
  if (const base::Status made = base::make_directories(options.directory); !made)
    return export_failed(options.directory, made.error().errno_value);
  for (const Member* member : archive.members(options.members)) {
    const std::string path = options.directory + "/" + member->name + ".zst";
    const ExitCode code = export_member(archive, *member, path, options.level);
    if (code == kOutputFailed) return code;
    if (code == kDone && !quiet()) out.add(plain(path) + "\n");
  }
  return archive.finish();
}

}  // namespace jrec
