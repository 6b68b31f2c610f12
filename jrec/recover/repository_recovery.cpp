// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/repository_recovery.h"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <utility>

#include "jrec/input/recording.h"
#include "jrec/recover/recover_report.h"
#include "jrec/recover/recovery_sources.h"
#include "jrec/recover/target_name.h"
#include "jrec/recover/target_room.h"
#include "recover/dead_repository.h"
#include "recover/directories.h"
#include "recover/merge.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using rec::DeadProcess;
using Replaces = rec::RecoveredFile::Replaces;

rec::MergeTarget target_at(const std::string& path, const RecoverOptions& options,
                           std::function<void(int)> before_its_name = {}) {
  return {path, options.out.empty() ? Replaces::kEmpty : Replaces::kAnything, options.dry_run,
          std::move(before_its_name)};
}

bool is_the_disk(const Error& error) {
  const int why = error.errno_value;
  return why == ENOSPC || why == EDQUOT || why == EROFS || why == EACCES || why == EPERM;
}

ExitCode output_failed(const RecoverOptions& options, const std::string& subject, Error error) {
  if (options.out.empty() && is_the_disk(error)) error.what += "; -o OUT writes it to another place";
  complain(subject, error);
  return error.code == ErrorCode::kUsage ? kUsageError : kOutputFailed;
}

// A dry run says, too, that the recording could not be written.
ExitCode missing_room(const RecoverOptions& options, const std::string& target, const RecoverReport& report) {
  if (!options.dry_run) return kDone;
  const base::Status room = room_for(target, report.bytes + report.spool_bytes);
  return room ? kDone : output_failed(options, target, room.error());
}

base::Status write_recording(const rec::MergeTarget& target, const std::vector<std::string>& chunks,
                             RecoverReport& report) {
  const base::Result<bool> written = rec::merge_chunks(chunks, target, report);
  if (!written) return written.error();
  if (*written) report.output = target.path;
  return base::Done{};
}

// The recordings of one directory of ours, and what is said of them.
class RepositoryRecovery {
 public:
  RepositoryRecovery(const RecoverOptions& options, const std::string& directory, Output& out)
      : options_(options),
        directory_(directory),
        out_(out),
        names_(directory, options.out),
        sources_(options, directory) {}

  ExitCode run(const std::vector<std::string>& more_places) {
    if (const base::Status opened = sources_.open(); !opened) return complain(directory_, opened.error()), kUsageError;
    if (!options_.out.empty() && rec::same_file(rec::parent_of(options_.out), directory_))
      return output_failed(options_, options_.out,
                           Error{ErrorCode::kUsage, 0, "would stand among the chunks that it is made of"});
    if (const base::Status sealed = sources_.seal(more_places, sealed_); !sealed)
      return output_failed(options_, directory_, sealed.error());
    const std::vector<DeadProcess> processes = sources_.processes();
    ExitCode code = processes.empty() ? only_spools() : kDone;
    for (const DeadProcess& process : processes) code = worse(code, recover(process, processes.size() == 1));
    sources_.end(processes, code == kDone && !processes.empty(), !sealed_.spools.empty());
    return code;
  }

 private:
  // What no chunk has yet stands in the spools; a dry run makes none of it.
  ExitCode only_spools() {
    if (!options_.dry_run || sealed_.spool_samples == 0) {
      complain(directory_, Error{ErrorCode::kUsage, 0, "holds no chunks of a recording"});
      return kNothingReadable;
    }
    sealed_.input = directory_;
    count_spools(sealed_);
    sealed_.print(out_, options_.json);
    return worse(sealed_.code(), missing_room(options_, names_.only(), sealed_));
  }

  static void count_spools(RecoverReport& report) {
    report.from_spools = report.spools.size();
    report.samples += report.spool_samples;
  }

  ExitCode recover(const DeadProcess& process, bool only_one) {
    if (const auto made = sources_.made_before(process.pid, names_.earlier(only_one))) return tell_made(process, *made);
    RecoverReport report = std::exchange(sealed_, {});  // what the spools had is told once
    report.input = directory_;
    const std::string target = only_one ? names_.only() : names_.of(process.pid);
    const auto mark = [&](int file) {
      if (sources_.go() && report.code() == kDone) sources_.mark(process.pid, file, target);
    };
    if (base::Status written = write_recording(target_at(target, options_, mark), process.chunks, report); !written)
      return output_failed(options_, target, written.error());
    for (const std::string& chunk : process.chunks)
      if (rec::parse_chunk_name(rec::name_of(chunk)).recovered) ++report.from_spools;
    report.kept -= std::min(report.kept, report.from_spools);
    if (options_.dry_run && report.spool_samples > 0) count_spools(report);
    const bool is_damaged = report.code() != kDone && !options_.dry_run;
    report.remark = is_damaged ? "the chunks stay in " + directory_ : sources_.why_kept();
    report.print(out_, options_.json);
    return worse(report.code(), missing_room(options_, target, report));
  }

  // What a recovery had made that was killed before it removed what it was made of: some of that may be gone.
  ExitCode tell_made(const DeadProcess& process, const std::string& recording) {
    RecoverReport report;
    report.input = directory_;
    report.output = recording;
    report.kept = process.chunks.size();
    report.remark = "it was made by a recovery that did not live to its end; what is left of its sources ";
    report.remark += sources_.go() ? "goes" : "stays";
    sealed_ = {};
    report.print(out_, options_.json);
    return kDone;
  }

  const RecoverOptions& options_;
  const std::string& directory_;
  Output& out_;
  const TargetNames names_;
  RecoverySources sources_;
  RecoverReport sealed_;  // what came of the spools, until a recording tells it
};

}  // namespace

ExitCode recover_repository(const RecoverOptions& options, const std::string& directory,
                            const std::vector<std::string>& more_places, Output& out) {
  return RepositoryRecovery(options, directory, out).run(more_places);
}

ExitCode recover_foreign(const RecoverOptions& options, const std::string& directory, Output& out) {
  RecoverReport report;
  report.input = directory;
  const std::string target = options.out.empty() ? free_target(directory + ".jfr") : options.out;
  if (base::Status written = write_recording(target_at(target, options), rec::recordings_in(directory), report);
      !written)
    return output_failed(options, target, written.error());
  report.print(out, options.json);
  return worse(report.code(), missing_room(options, target, report));
}

ExitCode recover_orphan(const RecoverOptions& options, rec::LeftoverSpools& spools, Output& out) {
  RecoverReport report;
  report.input = spools.directory();
  report.remark = "its chunks, in " + spools.home().path + ", are not here";
  report.spools = {spools.directory()};
  for (const rec::LeftoverSpools::Damage& one : spools.damage()) report.add_damage(one.file, one.error);
  const std::string target =
      options.out.empty() ? free_target("recovered-" + std::to_string(spools.pid()) + ".jfr") : options.out;
  const base::Result<bool> written = rec::merge_orphan(spools, target_at(target, options), report);
  if (!written) return output_failed(options, target, written.error());
  if (*written) report.output = target;
  // Their owner may be somewhere else: without a person's word they stay.
  if (report.code() == kDone && options.all && !options.keep && !options.dry_run)
    spools.remove();
  else if (!options.dry_run)
    report.remark += "; the spools stay";
  report.print(out, options.json);
  return report.code();
}

}  // namespace jrec
