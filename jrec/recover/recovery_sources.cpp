// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/recovery_sources.h"

#include <utility>

namespace jrec {

using base::Status;
using rec::DeadProcess;

Status RecoverySources::open() {
  base::Result<rec::DeadRepository> repository = rec::DeadRepository::open(directory_);
  if (!repository) return repository.error();
  repository_.emplace(std::move(*repository));
  return base::Done{};
}

Status RecoverySources::seal(const std::vector<std::string>& more_places, rec::Tally& tally) {
  rec::HomeSpools::SealOptions how{more_places, {}, options_.dry_run};
  if (!options_.out.empty() && !options_.dry_run) {
    base::Result<rec::WorkDirectory> work = rec::WorkDirectory::beside(options_.out);
    if (!work) return work.error();
    how.into = work_.emplace(std::move(*work)).path();
  }
  Status sealed = spools_.seal(how, tally);
  if (!sealed) spools_.unseal();
  return sealed;
}

std::optional<std::string> RecoverySources::made_before(uint32_t pid, const std::vector<std::string>& names) {
  auto recording = rec::done_recording(directory_, pid, names);
  made_before_ = made_before_ || recording;
  return recording;
}

void RecoverySources::mark(uint32_t pid, int file, const std::string& recording) {
  may_remove_ = rec::set_done_mark(directory_, pid, file, recording);
}

std::string RecoverySources::why_kept() const {
  if (!may_remove_ && !options_.dry_run && !options_.keep)
    return directory_ + " cannot be written to, so its chunks and spools stay";
  return spools_.left().empty() ? "" : "the spools in " + spools_.left().front() + " are the original's";
}

void RecoverySources::end(const std::vector<DeadProcess>& processes, bool all_made, bool had_spools) {
  if (go() && !had_spools && repository_->is_finished()) repository_->remove({});
  if (all_made && go()) return remove(processes);
  spools_.unseal();
  if (!options_.dry_run && !made_before_) rec::clear_done_marks(directory_);
}

// The marks that they are done with go last.
void RecoverySources::remove(const std::vector<DeadProcess>& processes) {
  std::vector<std::string> chunks;
  for (const DeadProcess& process : processes)
    chunks.insert(chunks.end(), process.chunks.begin(), process.chunks.end());
  spools_.remove();
  repository_->remove(chunks);
}

}  // namespace jrec
