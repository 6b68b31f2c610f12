// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/recover_repository.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "jrec/input/recording.h"
#include "jrec/recover/recover_file.h"
#include "recover/recover_chunk.h"
#include "recover/recover_places.h"
#include "recover/recover_repository.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using rec::DeadProcess;
using rec::DeadRepository;
using rec::Home;
using rec::LeftoverSpools;
using rec::RecoveredFile;
using Replaces = rec::RecoveredFile::Replaces;

bool is_free(const std::string& target) {
  struct stat st {};
  return lstat(target.c_str(), &st) != 0 || (S_ISREG(st.st_mode) && st.st_size == 0);
}

// app.jfr.chunks, app.jfr.chunks.dead-0123... -> app.jfr; 2026_11_21_13_45_10_4711 -> 2026_11_21_13_45_10_4711.jfr
std::string recording_of(const std::string& directory) {
  const size_t ending = directory.rfind(".chunks");
  if (ending == std::string::npos || directory.find('/', ending) != std::string::npos) return directory + ".jfr";
  return directory.substr(0, ending);
}

std::string with_suffix(const std::string& recording, const std::string& suffix) {
  const std::string stem = recording.ends_with(".jfr") ? recording.substr(0, recording.size() - 4) : recording;
  return stem + suffix + ".jfr";
}

// The recording's own name if that is free, or app-recovered.jfr, or app-recovered-2.jfr ...
std::string free_target(const std::string& recording) {
  if (is_free(recording)) return recording;
  std::string target = with_suffix(recording, "-recovered");
  for (int i = 2; !is_free(target) && i < 1000; ++i) target = with_suffix(recording, fmt::format("-recovered-{}", i));
  return target;
}

// Writes chunks one after the other, those that are not whole as far as they can be repaired.
class OneRecording {
 public:
  OneRecording(const RecoverOptions& options, std::string target) : options_(options), target_(std::move(target)) {}

  base::Status open() {
    if (options_.dry_run) return base::Done{};
    base::Result<RecoveredFile> made = RecoveredFile::create(target_);
    if (!made) return made.error();
    file_.emplace(std::move(*made));
    return base::Done{};
  }

  base::Status add(const std::string& path, bool last, RecoverReport& report) {
    const base::Result<rec::ChunkLook> look = rec::look_at_chunk(path);
    if (!look) return add_file(path, file_ ? &*file_ : nullptr, report);
    ++report.kept;
    report.bytes += look.value().used;
    report.samples += look.value().samples;
    return file_ ? rec::add_chunk(*file_, look.value(), last) : base::Status(base::Done{});
  }

  base::Status commit(RecoverReport& report) {
    if (!file_ || report.kept + report.repaired == 0) return base::Done{};
    base::Status done = file_->commit(options_.out.empty() ? Replaces::kEmpty : Replaces::kAnything);
    if (done) report.output = target_;
    return done;
  }

 private:
  const RecoverOptions& options_;
  std::string target_;
  std::optional<RecoveredFile> file_;
};

base::Status write_recording(const RecoverOptions& options, const std::string& target,
                             const std::vector<std::string>& chunks, RecoverReport& report) {
  OneRecording recording(options, target);
  if (base::Status opened = recording.open(); !opened) return opened;
  for (const std::string& path : chunks)
    if (base::Status added = recording.add(path, &path == &chunks.back(), report); !added) return added;
  return recording.commit(report);
}

ExitCode output_failed(const std::string& subject, const Error& error) {
  complain(subject, error);
  return error.code == ErrorCode::kUsage ? kUsageError : kOutputFailed;
}

// Recovery of one directory of ours.
class RepositoryRecovery {
 public:
  RepositoryRecovery(const RecoverOptions& options, const std::string& directory, Output& out)
      : options_(options), directory_(directory), out_(out) {}

  ExitCode run(const std::vector<std::string>& more_places) {
    base::Result<DeadRepository> repository = DeadRepository::open(directory_);
    if (!repository) return complain(directory_, repository.error()), kUsageError;
    if (base::Status sealed = seal(more_places); !sealed) return give_up(sealed.error());
    const std::vector<DeadProcess> processes = repository->processes();
    ExitCode code = processes.empty() ? nothing() : kDone;
    for (const DeadProcess& process : processes) code = worse(code, recover(process, processes.size() == 1));
    const bool all_went_well = code == kDone && !processes.empty();
    if (options_.keep || options_.dry_run || !all_went_well) {
      unseal();
      return code;
    }
    for (LeftoverSpools& spools : spools_) spools.remove();
    for (const DeadProcess& process : processes) repository->remove(process.chunks);
    return code;
  }

 private:
  base::Status seal(const std::vector<std::string>& more_places) {
    std::vector<std::string> places = more_places;
    places.push_back(directory_);
    for (const std::string& path : rec::spool_directories(rec::spool_places(places))) {
      base::Result<LeftoverSpools> spools = LeftoverSpools::open(path);
      if (!spools) continue;  // of a process that lives, or of none that we know
      const Home home = rec::find_home(*spools);
      if (home.state != Home::State::kFound || !rec::same_file(home.directory, directory_)) continue;
      if (base::Status sealed = seal(*spools); !sealed) return sealed;
      spools_.push_back(std::move(*spools));
    }
    return base::Done{};
  }

  base::Status seal(LeftoverSpools& spools) {
    for (const Error& one : spools.damage()) report_.add_damage(spools.directory(), one);
    if (options_.dry_run) {
      report_.spool_samples += spools.waiting_samples(directory_);
      return base::Done{};
    }
    base::Result<rec::Recovered> sealed = spools.seal(directory_, directory_);
    if (!sealed) return sealed.error();
    report_.spool_samples += sealed->samples;
    report_.lost += sealed->lost;
    sealed_.insert(sealed_.end(), sealed->chunks.begin(), sealed->chunks.end());
    return base::Done{};
  }

  // The spools stay, so what was made of them goes.
  void unseal() const {
    for (const std::string& chunk : sealed_) unlink(chunk.c_str());
  }

  ExitCode give_up(const Error& error) const {
    unseal();
    return output_failed(directory_, error);
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
    if (report.code() != kDone && !options_.dry_run) report.remark = "the chunks stay in " + directory_;
    report.print(out_, options_.json);
    return report.code();
  }

  const RecoverOptions& options_;
  const std::string& directory_;
  Output& out_;
  RecoverReport report_;
  std::vector<LeftoverSpools> spools_;
  std::vector<std::string> sealed_;
};

}  // namespace

ExitCode recover_repository(const RecoverOptions& options, const std::string& directory,
                            const std::vector<std::string>& more_places, Output& out) {
  return RepositoryRecovery(options, directory, out).run(more_places);
}

ExitCode recover_foreign(const RecoverOptions& options, const std::string& directory, Output& out) {
  std::vector<std::string> files;
  for (const std::string& name : rec::names_in(directory, rec::kMostNames))
    if (name.ends_with(".jfr") && name[0] != '.') files.push_back(directory + "/" + name);
  RecoverReport report;
  report.input = directory;
  const std::string target = options.out.empty() ? free_target(directory + ".jfr") : options.out;
  if (base::Status written = write_recording(options, target, files, report); !written)
    return output_failed(target, written.error());
  report.print(out, options.json);
  return report.code();
}

ExitCode recover_orphan(const RecoverOptions& options, LeftoverSpools& spools, Output& out) {
  RecoverReport report;
  report.input = spools.directory();
  report.remark = "its chunks, in " + spools.repository() + ", are not here";
  for (const Error& one : spools.damage()) report.add_damage(spools.directory(), one);
  const std::string target =
      options.out.empty() ? free_target(fmt::format("recovered-{}.jfr", spools.pid())) : options.out;
  if (options.dry_run) {
    report.spool_samples = spools.waiting_samples(spools.repository());
    report.from_spools = report.spool_samples > 0;
    report.print(out, options.json);
    return report.code();
  }
  std::string work = rec::parent_of(target) + "/.recovering-XXXXXX";
  if (mkdtemp(work.data()) == nullptr)
    return output_failed(target, Error{ErrorCode::kSystem, 0, "no directory can be made beside it", errno});
  base::Result<rec::Recovered> sealed = spools.seal(work, spools.repository());
  base::Status written = sealed ? base::Status(base::Done{}) : base::Status(sealed.error());
  if (sealed) {
    report.spool_samples = sealed->samples;
    report.lost = sealed->lost;
    written = write_recording(options, target, sealed->chunks, report);
    for (const std::string& chunk : sealed->chunks) unlink(chunk.c_str());
    std::swap(report.from_spools, report.kept);
  }
  rmdir(work.c_str());
  if (!written) return output_failed(target, written.error());
  if (report.code() == kDone && !options.keep && !options.dry_run) spools.remove();
  report.print(out, options.json);
  return report.code();
}

}  // namespace jrec
