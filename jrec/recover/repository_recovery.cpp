// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/repository_recovery.h"

#include <cerrno>
#include <functional>
#include <optional>
#include <utility>

#include "jrec/input/recording.h"
#include "jrec/recover/recover_report.h"
#include "jrec/recover/target_name.h"
#include "jrec/recover/target_room.h"
#include "recover/dead_repository.h"
#include "recover/directories.h"
#include "recover/done_mark.h"
#include "recover/home_spools.h"
#include "recover/merge.h"
#include "recover/work_directory.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using rec::DeadProcess;
using rec::DeadRepository;
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

// Recovery of one directory of ours.
class RepositoryRecovery {
 public:
  RepositoryRecovery(const RecoverOptions& options, const std::string& directory, Output& out)
      : options_(options), directory_(directory), out_(out), spools_(directory) {}

  ExitCode run(const std::vector<std::string>& more_places) {
    base::Result<DeadRepository> repository = DeadRepository::open(directory_);
    if (!repository) return complain(directory_, repository.error()), kUsageError;
    if (!options_.out.empty() && rec::same_file(rec::parent_of(options_.out), directory_))
      return output_failed(options_, options_.out,
                           Error{ErrorCode::kUsage, 0, "would stand among the chunks that it is made of"});
    if (base::Status sealed = seal(more_places); !sealed) {
      spools_.unseal();
      return output_failed(options_, directory_, sealed.error());
    }
    const std::vector<DeadProcess> processes = repository->processes(work_ ? work_->path() : "");
    ExitCode code = processes.empty() ? only_spools() : kDone;
    for (const DeadProcess& process : processes) code = worse(code, recover(process, processes.size() == 1));
    const bool all_went_well = code == kDone && !processes.empty();
    if (removes() && report_.spools.empty() && repository->is_finished()) repository->remove({});
    if (all_went_well && removes()) {
      remove(*repository, processes);
    } else {
      spools_.unseal();
      if (!options_.dry_run && !had_made_) rec::clear_done_marks(directory_);
    }
    return code;
  }

 private:
  bool removes() const { return !options_.keep && !options_.dry_run && may_remove_; }

  // The marks that they are done with go last.
  void remove(DeadRepository& repository, const std::vector<DeadProcess>& processes) {
    spools_.remove();
    std::vector<std::string> chunks;
    for (const DeadProcess& process : processes)
      chunks.insert(chunks.end(), process.chunks.begin(), process.chunks.end());
    repository.remove(chunks);
  }

  // What a recovery had made that was killed before it removed what it was made of: some of that may be gone.
  ExitCode finished(const DeadProcess& process, const std::string& recording) {
    RecoverReport report;
    report.input = directory_;
    report.output = recording;
    report.kept = process.chunks.size();
    report.remark = "it was made by a recovery that did not live to its end; what is left of its sources ";
    report.remark += removes() ? "goes" : "stays";
    report_ = {};
    had_made_ = true;
    report.print(out_, options_.json);
    return kDone;
  }

  // With a place for the recording, nothing is written to the directory: its disk may be full, or read-only.
  base::Status seal(const std::vector<std::string>& more_places) {
    rec::HomeSpools::SealOptions how{more_places, {}, options_.dry_run};
    if (!options_.out.empty() && !options_.dry_run) {
      base::Result<rec::WorkDirectory> work = rec::WorkDirectory::beside(options_.out);
      if (!work) return work.error();
      how.into = work_.emplace(std::move(*work)).path();
    }
    return spools_.seal(how, report_);
  }

  // What no chunk has yet stands in the spools; a dry run makes none of it.
  ExitCode only_spools() {
    if (!options_.dry_run || report_.spool_samples == 0) return nothing();
    report_.input = directory_;
    report_.from_spools = report_.spools.size();
    report_.samples += report_.spool_samples;
    report_.print(out_, options_.json);
    return worse(report_.code(), missing_room(options_, target_of(recording_of(directory_), true), report_));
  }

  ExitCode nothing() const {
    complain(directory_, Error{ErrorCode::kUsage, 0, "holds no chunks of a recording"});
    return kNothingReadable;
  }

  // -o is the name of one recording; of several it is what theirs are made of.
  std::string target_of(const std::string& named, bool only_one) const {
    return !options_.out.empty() && only_one ? options_.out : free_target(named);
  }

  std::optional<std::string> done_recording(const DeadProcess& process, bool only_one) const {
    const std::string own = recording_of(directory_);
    std::vector<std::string> others = {own, beside(own)};
    if (!options_.out.empty() && only_one) others.push_back(options_.out);
    return rec::done_recording(directory_, process.pid, others);
  }

  std::string remark_of(const RecoverReport& report) const {
    if (report.code() != kDone && !options_.dry_run) return "the chunks stay in " + directory_;
    if (!may_remove_ && !options_.dry_run && !options_.keep)
      return directory_ + " cannot be written to, so its chunks and spools stay";
    return spools_.left().empty() ? "" : "the spools in " + spools_.left().front() + " are the original's";
  }

  ExitCode recover(const DeadProcess& process, bool only_one) {
    if (const auto recording = done_recording(process, only_one)) return finished(process, *recording);
    RecoverReport report = report_;  // what the spools had is told once
    report_ = {};
    report.input = directory_;
    const std::string recording = options_.out.empty() ? recording_of(directory_) : options_.out;
    const std::string named =
        only_one ? recording : with_suffix(recording, "-recovered-" + std::to_string(process.pid));
    const std::string target = target_of(named, only_one);
    const auto mark = [&](int file) {
      if (removes() && report.code() == kDone) may_remove_ = rec::set_done_mark(directory_, process.pid, file, target);
    };
    if (base::Status written = write_recording(target_at(target, options_, mark), process.chunks, report); !written)
      return output_failed(options_, target, written.error());
    for (const std::string& chunk : process.chunks)
      if (rec::parse_chunk_name(rec::name_of(chunk)).recovered) ++report.from_spools;
    report.kept -= std::min(report.kept, report.from_spools);
    if (options_.dry_run && report.spool_samples > 0) {
      report.from_spools = report.spools.size();
      report.samples += report.spool_samples;
    }
    report.remark = remark_of(report);
    report.print(out_, options_.json);
    return worse(report.code(), missing_room(options_, target, report));
  }

  const RecoverOptions& options_;
  const std::string& directory_;
  Output& out_;
  RecoverReport report_;
  rec::HomeSpools spools_;
  bool had_made_ = false;                         // an earlier one, which a mark tells
  bool may_remove_ = can_be_written(directory_);  // and there is room for a mark
  std::optional<rec::WorkDirectory> work_;        // where the spools' chunks are made, if not in the directory
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
