// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/directory_recovery.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "jrec/input/recording.h"
#include "jrec/recover/missing_spool.h"
#include "jrec/recover/recover_report.h"
#include "jrec/recover/repository_recovery.h"
#include "recover/directories.h"
#include "recover/files.h"
#include "recover/spool_places.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using rec::Holds;
using rec::LeftoverSpools;

ExitCode refuse(const std::string& subject, const Error& error) {
  complain(subject, error);
  return kUsageError;
}

// One that was named, or that nobody claims.
ExitCode recover_alone(const RecoverOptions& options, const std::string& directory, Output& out) {
  base::Result<LeftoverSpools> spools = LeftoverSpools::open(directory);
  if (spools) return recover_orphan(options, *spools, out);
  complain(directory, spools.error());
  return spools.error().code == ErrorCode::kCorrupt ? kNothingReadable : kUsageError;
}

ExitCode recover_spool_directory(const RecoverOptions& options, const std::string& directory, Output& out) {
  const std::string repository = rec::find_repository(rec::home_of(directory));
  if (repository.empty()) return recover_alone(options, directory, out);
  return recover_repository(options, repository, {rec::parent_of(directory)}, out);
}

ExitCode refuse_unclaimed(const std::string& directory) {
  const std::string path = rec::home_of(directory).path;
  return refuse(directory, Error{ErrorCode::kUsage, 0,
                                 fmt::format("its chunks{} are not here, they may be another container's; give their "
                                             "directory, or --all",
                                             path.empty() ? "" : ", in " + path + ",")});
}

bool is_dead(const std::string& spool_directory) {
  const base::Result<LeftoverSpools> spools = LeftoverSpools::open(spool_directory);
  return spools || spools.error().code != ErrorCode::kUsage;
}

std::vector<std::string> leftover_directories(rec::Whose whose = rec::Whose::kOurs) {
  return rec::spool_directories(rec::spool_places({"."}), whose);
}

std::vector<std::string> dead_directories() {
  std::vector<std::string> dead;
  for (const std::string& directory : leftover_directories())
    if (rec::is_directory(directory) && is_dead(directory)) dead.push_back(directory);
  return dead;
}

ExitCode refuse_missing(const RecoverOptions& options, uint32_t pid) {
  ExitCode code = kDone;
  for (const std::string& directory : leftover_directories(rec::Whose::kOthers))
    if (rec::pid_of(directory) == pid) code = refuse(directory, not_ours(directory));
  if (code != kDone) return code;
  complain(options.input, no_spool_of(pid, dead_directories()));
  return kNothingReadable;
}

}  // namespace

ExitCode recover_directory(const RecoverOptions& options, Output& out) {
  std::string directory = options.input;
  while (directory.size() > 1 && directory.ends_with('/')) directory.pop_back();
  if (rec::is_spool_directory(directory)) return recover_spool_directory(options, directory, out);
  const Holds holds = rec::holds_chunks(directory);
  if (holds == Holds::kOurs) return recover_repository(options, directory, {}, out);
  const std::vector<std::string> repositories = rec::repositories_in(directory);
  if (repositories.empty() && holds == Holds::kForeign) return recover_foreign(options, directory, out);
  if (repositories.empty()) return recover_repository(options, directory, {}, out);
  if (!options.out.empty() && repositories.size() > 1)
    return refuse(directory, Error{ErrorCode::kUsage, 0,
                                   fmt::format("holds {} directories of chunks, which one file cannot take",
                                               repositories.size())});
  ExitCode code = kDone;
  for (const std::string& repository : repositories) {
    const bool ours = rec::holds_chunks(repository) == Holds::kOurs;
    const ExitCode one =
        ours ? recover_repository(options, repository, {}, out) : recover_foreign(options, repository, out);
    code = worse(code, one);
  }
  return code;
}

ExitCode recover_process(const RecoverOptions& options, uint32_t pid, Output& out) {
  ExitCode code = kDone;
  size_t found = 0;
  for (const std::string& directory : leftover_directories()) {
    if (rec::pid_of(directory) != pid || !rec::is_directory(directory)) continue;
    ++found;
    const bool claimed = options.all || !rec::find_repository(rec::home_of(directory)).empty();
    code = worse(code, claimed ? recover_spool_directory(options, directory, out) : refuse_unclaimed(directory));
  }
  return found > 0 ? code : refuse_missing(options, pid);
}

ExitCode recover_all(const RecoverOptions& options, Output& out) {
  ExitCode code = kDone;
  for (const std::string& directory : dead_directories())
    code = worse(code, recover_spool_directory(options, directory, out));
  return code;
}

}  // namespace jrec
