// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/file_recovery.h"

#include <memory>
#include <optional>

#include "jrec/base/inputs.h"
#include "jrec/input/input.h"
#include "jrec/input/recording.h"
#include "jrec/recover/recover_report.h"
#include "jrec/recover/target_name.h"
#include "recover/files.h"
#include "recover/repair_recording.h"

namespace jrec {
namespace {

using base::ErrorCode;
using rec::RecoveredFile;

RecoveredFile::Replaces replaced_by(const RecoverOptions& options) {
  return options.out.empty() ? RecoveredFile::Replaces::kNothing : RecoveredFile::Replaces::kAnything;
}

// Appends what can be saved of a file, in whatever wrapping, to `to` (null: only looks). The error is that of the output
// or of a file that cannot be opened; damage is none.
base::Status repair_file(const std::string& path, RecoveredFile* to, rec::Tally& tally) {
  jfr::read::Problems wrapping;
  const base::Result<std::unique_ptr<Input>> opened = Input::open(path, wrapping);
  if (!opened) return opened.error();
  Input& input = **opened;
  for (const base::Error& problem : wrapping.kept()) tally.add_damage(path, problem);
  for (size_t i = 0; i < input.stretches(); ++i) {
    const base::Result<Stretch> stretch = input.read(i);
    if (!stretch) {
      tally.add_damage(path, stretch.error());
      continue;
    }
    const rec::RecordingPart part{stretch->bytes, stretch->offset, input.stretches() == 1};
    if (base::Status added = rec::repair_part(part, path, to, tally); !added) return added;
  }
  if (input.size() == 0) tally.add_damage(path, base::Error{ErrorCode::kUsage, 0, "is empty"});
  return base::Done{};
}

}  // namespace

ExitCode recover_file(const RecoverOptions& options, Output& out) {
  RecoverReport report;
  report.input = options.input;
  const std::string target = options.out.empty() ? beside(options.input) : options.out;
  if (!options.out.empty() && rec::same_file(options.input, options.out))
    return complain(options.out, base::Error{ErrorCode::kUsage, 0, kInputIsKept}), kUsageError;
  std::optional<RecoveredFile> file;
  if (!options.dry_run) {
    base::Result<RecoveredFile> made = RecoveredFile::create(target);
    if (!made) return complain(target, made.error()), kOutputFailed;
    file.emplace(std::move(*made));
  }
  if (base::Status added = repair_file(options.input, file ? &*file : nullptr, report); !added) {
    const bool unread = report.chunks_met() == 0;
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
