// SPDX-License-Identifier: Apache-2.0
#include "recover/leftovers.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "recover/dead_repository.h"
#include "recover/leftover_spools.h"
#include "recover/spool_places.h"
#include "recover/tally.h"

namespace rec {
namespace {

using base::ErrorCode;

bool is_digits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// As the agent names its directory in repository=DIR: 2026_11_21_13_45_10_4711, and what it adds if that is taken.
bool is_repository_name(const std::string& name) {
  constexpr size_t kTime = 19;
  if (name.size() < kTime + 2 || name[kTime] != '_') return false;
  const std::string pid = name.substr(kTime + 1, name.find_first_of("-.", kTime + 1) - kTime - 1);
  return is_digits(pid) && parse_chunk_name(name.substr(0, kTime) + "-1-1.jfr").ours;
}

class Leftovers {
 public:
  Leftovers(const LeftoverPlaces& places, void (*log)(const char*)) : places_(places), log_(log) {}

  void run() {
    recover_spools();
    for (const std::string& directory : dead_repositories()) recover_repository(directory);
    // Those that belong to other recordings stay directories of chunks.
    for (const auto& [directory, found] : sealed_)
      if (found.samples > 0)
        say("recovered " + grouped(found.samples) + " samples that process " + std::to_string(found.pid) +
            " left, into " + directory);
  }

 private:
  struct Found {
    uint64_t samples = 0;
    uint32_t pid = 0;
  };

  void say(const std::string& what) const { log_(("rec: " + what).c_str()); }

  bool of_this_recording(const std::string& repository) const {
    return !places_.filename.empty() && repository.starts_with(places_.filename + ".chunks");
  }

  void recover_spools() {
    unsigned tried = 0;
    for (const std::string& directory : spool_directories(spool_places({places_.spool_directory}))) {
      base::Result<LeftoverSpools> spools = LeftoverSpools::open(directory);
      if (!spools) {  // of a process that lives, or of another version
        if (spools.error().code == ErrorCode::kCorrupt) unread_.emplace_back(directory, spools.error());
        continue;
      }
      if (++tried > kMostLeftovers) return;
      const Home home = find_home(*spools);
      if (home.state == Home::State::kFound) seal(*spools, home.directory);
      if (home.state == Home::State::kGone) sweep(*spools);
    }
  }

  void seal(LeftoverSpools& spools, const std::string& repository) {
    const Result<DeadRepository> locked = DeadRepository::open(repository);
    if (!locked) return;
    base::Result<Recovered> recovered = spools.seal(repository, repository);
    if (!recovered) return leave(spools, recovered.error());
    if (!spools.damage().empty()) return leave(spools, spools.damage().front());
    spools.remove();
    Found& found = sealed_[repository];
    found.samples += recovered->samples;
    found.pid = spools.pid();
  }

  void leave(const LeftoverSpools& spools, const base::Error& why) const {
    say("left what process " + std::to_string(spools.pid()) + " has in " + spools.directory() + ": " + why.what);
  }

  // The chunks are gone. What had not reached them is worth a file only where our own recording is.
  void sweep(LeftoverSpools& spools) {
    const std::string pid = std::to_string(spools.pid());
    if (of_this_recording(spools.repository())) {
      base::Result<Recovered> recovered = spools.seal(spools.directory(), spools.repository());
      if (!recovered) return leave(spools, recovered.error());
      const bool kept = recovered->samples == 0 || keep(spools, *recovered);
      for (const std::string& chunk : recovered->chunks) unlink(chunk.c_str());
      if (!kept) return;
      if (recovered->samples > 0) return spools.remove();
    }
    spools.remove();
    say("removed the spool of process " + pid + ": its chunks in " + spools.repository() + " are gone");
  }

  bool keep(const LeftoverSpools& spools, const Recovered& recovered) const {
    const std::string name = name_of(spools.directory());
    const std::string target = base() + "-recovered-" + name.substr(name.find('-') + 1) + ".jfr";
    Result<RecordingMade> made = make_recording(recovered.chunks, target, RecoveredFile::Replaces::kNothing);
    if (made)
      say_recovered(spools.pid(), made->samples, target);
    else
      leave(spools, made.error());
    return made.ok();
  }

  void say_recovered(uint32_t pid, uint64_t samples, const std::string& target) const {
    say("recovered what process " + std::to_string(pid) + " left: " + grouped(samples) + " samples in " + target);
  }

  std::string base() const {
    return places_.filename.ends_with(".jfr") ? places_.filename.substr(0, places_.filename.size() - 4)
                                              : places_.filename;
  }

  // Candidates by their names; the lock decides.
  std::vector<std::string> dead_repositories() const {
    const bool beside_file = of_this_recording(places_.repository);
    const std::string parent = parent_of(places_.repository);
    const std::string prefix = name_of(places_.filename) + ".chunks";
    std::vector<std::string> found;
    for (const std::string& name : names_in(parent)) {
      const bool ours = beside_file
                            ? name == prefix || name.starts_with(prefix + ".dead-") || name.starts_with(prefix + "-")
                            : is_repository_name(name);
      const std::string path = parent + "/" + name;
      if (ours && path != places_.repository && ours_alone(path) && found.size() < kMostLeftovers)
        found.push_back(path);
    }
    return found;
  }

  std::string target_of(const std::string& directory, const DeadProcess& process, bool only_one) const {
    if (of_this_recording(directory)) {
      const std::string time = process.time.empty() ? std::string("0") : process.time;
      return base() + "-recovered-" + time + "-" + std::to_string(process.pid) + ".jfr";
    }
    return directory + (only_one ? "" : "-" + std::to_string(process.pid)) + ".jfr";
  }

  void recover_repository(const std::string& directory) {
    Result<DeadRepository> repository = DeadRepository::open(directory);
    if (!repository) return;  // its owner lives, or somebody else is at it
    for (const auto& [spools, why] : unread_)
      if (says_home(spools, directory)) return say("left " + directory + " and " + spools + ": " + why.what);
    const std::vector<DeadProcess> processes = repository->processes();
    for (const DeadProcess& process : processes) {
      const std::string target = target_of(directory, process, processes.size() == 1);
      Result<RecordingMade> made = make_recording(process.chunks, target, RecoveredFile::Replaces::kNothing);
      if (!made) {
        say("left the chunks of process " + std::to_string(process.pid) + " in " + directory + ": " +
            made.error().what);
        continue;
      }
      repository->remove(process.chunks);
      sealed_.erase(directory);
      say_recovered(process.pid, made->samples, target);
    }
    // Others may be about to lock an empty directory that they have just made; one that was renamed is nobody's.
    if (processes.empty() && directory.find(".chunks.dead-") != std::string::npos) repository->remove({});
  }

  const LeftoverPlaces& places_;
  void (*log_)(const char*);
  std::map<std::string, Found> sealed_;                      // by repository
  std::vector<std::pair<std::string, base::Error>> unread_;  // directories of spools that another version wrote
};

}  // namespace

void recover_leftovers(const LeftoverPlaces& places, void (*log)(const char* line)) { Leftovers(places, log).run(); }

}  // namespace rec
