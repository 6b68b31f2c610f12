// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/repository_recovery.h"

#include "jrec/input/recording.h"
#include "jrec/recover/recover_report.h"
#include "jrec/recover/target_name.h"
#include "recover/dead_repository.h"
#include "recover/directories.h"
#include "recover/home_spools.h"
#include "recover/merge.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using rec::DeadProcess;
using rec::DeadRepository;
using Replaces = rec::RecoveredFile::Replaces;

rec::MergeTarget target_at(const std::string& path, const RecoverOptions& options) {
  return {path, options.out.empty() ? Replaces::kEmpty : Replaces::kAnything, options.dry_run};
}

ExitCode output_failed(const std::string& subject, const Error& error) {
  complain(subject, error);
  return error.code == ErrorCode::kUsage ? kUsageError : kOutputFailed;
}

base::Status write_recording(const RecoverOptions& options, const std::string& target,
                             const std::vector<std::string>& chunks, RecoverReport& report) {
  const base::Result<bool> written = rec::merge_chunks(chunks, target_at(target, options), report);
  if (!written) return written.error();
  if (*written) report.output = target;
  return base::Done{};
}

// Recovery of one directory of ours.
class RepositoryRecovery {
 public:
  RepositoryRecovery(const RecoverOptions& options, const std::string& directory, Output& out)
      : options_(options), directory_(directory), out_(out), spools_(directory) {}

  ExitCode run(const std::vector<std::string>& more_places) {
    base::Result<DeadRepository> repository = DeadRepository::open(directory_);
    if (!repository) return complain(directory_, repository.error()), kUsageError;
    if (base::Status sealed = spools_.seal(more_places, options_.dry_run, report_); !sealed) {
      spools_.unseal();
      return output_failed(directory_, sealed.error());
    }
    const std::vector<DeadProcess> processes = repository->processes();
    ExitCode code = processes.empty() ? only_spools() : kDone;
    for (const DeadProcess& process : processes) code = worse(code, recover(process, processes.size() == 1));
    const bool all_went_well = code == kDone && !processes.empty();
    if (options_.keep || options_.dry_run || !all_went_well) {
      spools_.unseal();
      return code;
    }
    spools_.remove();
    for (const DeadProcess& process : processes) repository->remove(process.chunks);
    return code;
  }

 private:
  // What no chunk has yet stands in the spools; a dry run makes none of it.
  ExitCode only_spools() {
    if (!options_.dry_run || report_.spool_samples == 0) return nothing();
    report_.input = directory_;
    report_.from_spools = report_.spools.size();
    report_.print(out_, options_.json);
    return report_.code();
  }

  ExitCode nothing() const {
    complain(directory_, Error{ErrorCode::kUsage, 0, "holds no chunks of a recording"});
    return kNothingReadable;
  }

  ExitCode recover(const DeadProcess& process, bool only_one) {
    RecoverReport report = report_;  // what the spools had is told once
    report_ = {};
    report.input = directory_;
    const std::string recording = recording_of(directory_);
    const std::string named =
        only_one ? recording : with_suffix(recording, "-recovered-" + std::to_string(process.pid));
    const std::string target = !options_.out.empty() && only_one ? options_.out : free_target(named);
    if (base::Status written = write_recording(options_, target, process.chunks, report); !written)
      return output_failed(target, written.error());
    for (const std::string& chunk : process.chunks)
      if (rec::parse_chunk_name(rec::name_of(chunk)).recovered) ++report.from_spools;
    report.kept -= std::min(report.kept, report.from_spools);
    if (!spools_.left().empty()) report.remark = "the spools in " + spools_.left().front() + " are the original's";
    if (report.code() != kDone && !options_.dry_run) report.remark = "the chunks stay in " + directory_;
    report.print(out_, options_.json);
    return report.code();
  }

  const RecoverOptions& options_;
  const std::string& directory_;
  Output& out_;
  RecoverReport report_;
  rec::HomeSpools spools_;
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
  if (base::Status written = write_recording(options, target, rec::recordings_in(directory), report); !written)
    return output_failed(target, written.error());
  report.print(out, options.json);
  return report.code();
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
  if (!written) return output_failed(target, written.error());
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
