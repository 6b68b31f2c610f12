// SPDX-License-Identifier: Apache-2.0
#include "jrec/recover/recover_directory.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "jrec/input/recording.h"
#include "jrec/recover/recover_repository.h"
#include "recover/recover_places.h"
#include "recover/recover_repository.h"

namespace jrec {
namespace {

using base::Error;
using base::ErrorCode;
using rec::Home;
using rec::LeftoverSpools;

bool is_spool_directory(const std::string& directory) {
  const std::vector<std::string> names = rec::names_in(directory, rec::kMostNames);
  return std::any_of(names.begin(), names.end(),
                     [](const std::string& name) { return name.starts_with("epoch-") && name.ends_with(".spool"); });
}

enum class Holds { kNothing, kForeign, kOurs };

// Chunks in the directory itself. One that has none may still have spools that say it is theirs.
Holds holds_chunks(const std::string& directory) {
  Holds holds = Holds::kNothing;
  for (const std::string& name : rec::names_in(directory, rec::kMostNames)) {
    if (rec::parse_chunk_name(name).ours) return Holds::kOurs;
    if (name.ends_with(".jfr") && name[0] != '.') holds = Holds::kForeign;
  }
  return holds;
}

std::vector<std::string> repositories_in(const std::string& directory) {
  std::vector<std::string> found;
  for (const std::string& name : rec::names_in(directory, rec::kMostNames)) {
    const std::string path = directory + "/" + name;
    if (rec::is_directory(path) && !is_spool_directory(path) && holds_chunks(path) != Holds::kNothing)
      found.push_back(path);
  }
  return found;
}

ExitCode refuse(const std::string& subject, const Error& error) {
  complain(subject, error);
  return kUsageError;
}

ExitCode recover_spool_directory(const RecoverOptions& options, const std::string& directory, Output& out) {
  std::string repository;
  {
    base::Result<LeftoverSpools> spools = LeftoverSpools::open(directory);
    if (!spools) {
      complain(directory, spools.error());
      return spools.error().code == ErrorCode::kCorrupt ? kNothingReadable : kUsageError;
    }
    const Home home = rec::find_home(*spools);
    if (home.state != Home::State::kFound) return recover_orphan(options, *spools, out);
    repository = home.directory;
  }  // its locks go: the repository looks for its spools itself
  return recover_repository(options, repository, {rec::parent_of(directory)}, out);
}

}  // namespace

ExitCode recover_directory(const RecoverOptions& options, Output& out) {
  std::string directory = options.input;
  while (directory.size() > 1 && directory.ends_with('/')) directory.pop_back();
  if (is_spool_directory(directory)) return recover_spool_directory(options, directory, out);
  const Holds holds = holds_chunks(directory);
  if (holds == Holds::kOurs) return recover_repository(options, directory, {}, out);
  const std::vector<std::string> repositories = repositories_in(directory);
  if (repositories.empty() && holds == Holds::kForeign) return recover_foreign(options, directory, out);
  if (repositories.empty()) return recover_repository(options, directory, {}, out);
  if (!options.out.empty() && repositories.size() > 1)
    return refuse(directory, Error{ErrorCode::kUsage, 0,
                                   fmt::format("holds {} directories of chunks, which one file cannot take",
                                               repositories.size())});
  ExitCode code = kDone;
  for (const std::string& repository : repositories) {
    const bool ours = holds_chunks(repository) == Holds::kOurs;
    const ExitCode one =
        ours ? recover_repository(options, repository, {}, out) : recover_foreign(options, repository, out);
    code = worse(code, one);
  }
  return code;
}

ExitCode recover_process(const RecoverOptions& options, uint32_t pid, Output& out) {
  ExitCode code = kDone;
  size_t found = 0;
  for (const std::string& directory : rec::spool_directories(rec::spool_places({"."}))) {
    if (rec::pid_of(directory) != pid) continue;
    ++found;
    code = worse(code, recover_spool_directory(options, directory, out));
  }
  if (found > 0) return code;
  complain(options.input, Error{ErrorCode::kUsage, 0,
                                fmt::format("there is no spool of a process {} and no file of that name; give the "
                                            "directory of its chunks",
                                            pid)});
  return kNothingReadable;
}

}  // namespace jrec
