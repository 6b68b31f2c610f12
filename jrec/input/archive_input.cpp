// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/archive_input.h"

#include <unistd.h>

#include <vector>

#include "format/archive/catalogue.h"
#include "jrec/input/part_reader.h"
#include "jrec/input/scratch_file.h"
#include "jrec/input/side_by_side.h"

namespace jrec {
namespace {

using jfr::Error;
using jfr::ErrorCode;
using jfr::Result;
using jfr::Status;
using jfr::archive::Catalogue;
using jfr::archive::Member;
using jfr::read::MappedFile;
using jfr::read::Problems;

constexpr std::string_view kSuffix = ".recz:";

Status restore(PartReader& parts, const Member& member, int to, Problems& problems) {
  Status status = jfr::Done{};
  side_by_side(
      member.parts.size(), [&](size_t i) { return parts.read(member.parts[i]); },
      [&](size_t, Result<std::vector<uint8_t>>&& part) {
        if (part)
          status = write_all(to, part.value());
        else
          problems.add(part.error());
        return status.ok();
      });
  return status;
}

}  // namespace

std::optional<std::pair<std::string, std::string>> archive_and_member(const std::string& path) {
  const size_t at = path.find(kSuffix);
  if (at == std::string::npos || ::access(path.c_str(), F_OK) == 0) return std::nullopt;
  return std::pair(path.substr(0, at + kSuffix.size() - 1), path.substr(at + kSuffix.size()));
}

Result<MappedFile> open_member(const std::string& archive, const std::string& member, Problems& problems) {
  auto file = MappedFile::open(archive);
  if (!file) return file.error();
  auto catalogue = Catalogue::read(file->bytes(), problems);
  if (!catalogue) return catalogue.error();
  const Member* found = catalogue->find(member);
  if (found == nullptr) return Error{ErrorCode::kUsage, 0, "holds no member " + member};
  Result<Descriptor> scratch = make_scratch_file();
  if (!scratch) return scratch.error();
  PartReader parts(file->bytes());
  if (const Status done = restore(parts, *found, scratch->get(), problems); !done) return done.error();
  ::lseek(scratch->get(), 0, SEEK_SET);
  return MappedFile::of(scratch->get());
}

}  // namespace jrec
