// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/recover_file.h"

#include <fmt/core.h>

#include <optional>

#include "format/reader/chunk_header.h"
#include "format/reader/chunk_scanner.h"
#include "jrec/input/input.h"
#include "jrec/input/recording.h"
#include "recover/repair.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using jfr::read::ChunkExtent;
using jfr::read::ChunkScanner;
using jfr::read::Problems;
using rec::RecoveredFile;

std::string default_target(const std::string& input) {
  const std::string stem = input.ends_with(".jfr") ? input.substr(0, input.size() - 4) : input;
  return stem + "-recovered.jfr";
}

RecoveredFile::Replaces replaced_by(const RecoverOptions& options) {
  return options.out.empty() ? RecoveredFile::Replaces::kNothing : RecoveredFile::Replaces::kAnything;
}

void count(const Repair& repair, RecoverReport& report) {
  switch (repair.verdict) {
    case Repair::Verdict::kWhole: ++report.kept; break;
    case Repair::Verdict::kRepaired: ++report.repaired; break;
    case Repair::Verdict::kDropped: ++report.dropped; return;
  }
  report.bytes += repair.size;
  report.samples += repair.samples;
}

// `base`: where the stretch begins that the chunk is in.
void tell(const std::string& path, const Repair& repair, uint64_t base, RecoverReport& report) {
  for (Error loss : repair.losses) {
    loss.offset += base;
    report.add_damage(path, loss);
  }
  if (repair.more_losses > 0)
    report.add_damage(path, Error{ErrorCode::kCorrupt, base + repair.offset,
                                  fmt::format("{} more places of this kind in this chunk", repair.more_losses)});
}

// Goes from chunk to chunk of a stretch. Where the header's size leads to a whole chunk it is believed; the scanner, which has to
// guess at damage, takes a copy of the header inside a chunk (JFR writes those) for the next chunk at times.
class Chunks {
 public:
  Chunks(const Stretch& stretch, bool alone)
      : file_(stretch.bytes), base_(stretch.offset), alone_(alone), budget_(file_.size() * 4) {}

  std::optional<Repair> next(const std::string& path, RecoverReport& report) {
    if (std::optional<Repair> whole = believe_header()) return whole;
    Problems problems;
    ChunkScanner scanner(file_.subspan(at_), problems);
    std::optional<ChunkExtent> extent = scanner.next();
    for (Error problem : problems.kept()) {
      const bool rest_is_none = (at_ > 0 || !alone_) && problem.offset == 0 && !extent;
      if (rest_is_none) problem.what = fmt::format("{} bytes belong to no chunk", file_.size() - at_);
      problem.offset += base_ + at_;
      report.add_damage(path, problem);
    }
    if (!extent) return std::nullopt;
    extent->offset += at_;
    at_ = extent->offset + extent->size;
    return examine(file_, *extent);
  }

 private:
  std::optional<Repair> believe_header() {
    const auto rest = file_.subspan(at_);
    const base::Result<jfr::read::ChunkHeader> header = jfr::read::parse_chunk_header(rest, at_);
    if (!header) return std::nullopt;
    const uint64_t size = header.value().size;
    const bool sane = size >= jfr::kHeaderSize && size <= rest.size() && size <= ChunkScanner::kMaxChunkSize;
    if (!sane || size > budget_) return std::nullopt;
    budget_ -= size;  // headers inside each other must not make this a long walk
    Repair repair = examine(file_, {at_, size, header.value(), true});
    if (repair.verdict == Repair::Verdict::kDropped || !repair.losses.empty()) return std::nullopt;
    at_ += size;
    return repair;
  }

  std::span<const uint8_t> file_;
  const uint64_t base_;
  const bool alone_;  // the stretch is all of the input
  uint64_t at_ = 0;
  uint64_t budget_;  // bytes that may be walked in vain
};

base::Status add_stretch(const std::string& path, const Stretch& stretch, bool alone, RecoveredFile* to,
                         RecoverReport& report) {
  Chunks chunks(stretch, alone);
  while (const std::optional<Repair> repair = chunks.next(path, report)) {
    count(*repair, report);
    tell(path, *repair, stretch.offset, report);
    if (to == nullptr || repair->verdict == Repair::Verdict::kDropped) continue;
    if (base::Status added = add_repaired(*to, stretch.bytes, *repair); !added) return added;
  }
  return base::Done{};
}

}  // namespace

base::Status add_file(const std::string& path, RecoveredFile* to, RecoverReport& report) {
  Problems wrapping;
  const base::Result<std::unique_ptr<Input>> opened = Input::open(path, wrapping);
  if (!opened) return opened.error();
  Input& input = **opened;
  for (const Error& problem : wrapping.kept()) report.add_damage(path, problem);
  for (size_t i = 0; i < input.stretches(); ++i) {
    const base::Result<Stretch> stretch = input.read(i);
    if (!stretch)
      report.add_damage(path, stretch.error());
    else if (base::Status added = add_stretch(path, *stretch, input.stretches() == 1, to, report); !added)
      return added;
  }
  if (input.size() == 0) report.add_damage(path, Error{ErrorCode::kUsage, 0, "is empty"});
  return base::Done{};
}

ExitCode recover_file(const RecoverOptions& options, Output& out) {
  RecoverReport report;
  report.input = options.input;
  const std::string target = options.out.empty() ? default_target(options.input) : options.out;
  std::optional<RecoveredFile> file;
  if (!options.dry_run) {
    base::Result<RecoveredFile> made = RecoveredFile::create(target);
    if (!made) return complain(target, made.error()), kOutputFailed;
    file.emplace(std::move(*made));
  }
  if (base::Status added = add_file(options.input, file ? &*file : nullptr, report); !added) {
    const bool unread = report.kept + report.repaired + report.dropped == 0;
    return complain(unread ? options.input : target, added.error()), unread ? kUsageError : kOutputFailed;
  }
  const ExitCode code = report.code();
  const bool as_it_is = code == kDone && report.repaired == 0 && options.out.empty();
  if (as_it_is) report.remark = "nothing to repair";
  if (file && code != kNothingReadable && !as_it_is) {
    if (base::Status done = file->commit(replaced_by(options)); !done)
      return complain(target, done.error()), done.error().code == ErrorCode::kUsage ? kUsageError : kOutputFailed;
    report.output = target;
  }
  report.print(out, options.json);
  return code;
}

}  // namespace jrec
