// SPDX-License-Identifier: Apache-2.0
#include "recover/leftovers.h"

#include <algorithm>
#include <vector>

#include "recover/dead_repository.h"
#include "recover/done_mark.h"
#include "recover/files.h"
#include "recover/home_spools.h"
#include "recover/tally.h"

namespace rec {
namespace {

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

// The first damage is what the user is told of.
struct LeftoverTally final : Tally {
  std::string damage;
  void add_damage(const std::string& file, const base::Error& error) override {
    if (damage.empty()) damage = file + ": at byte " + std::to_string(error.offset) + ": " + error.what;
  }
};

class Leftovers {
 public:
  Leftovers(const LeftoverPlaces& places, void (*log)(const char*)) : places_(places), log_(log) {}

  void run() {
    for (const std::string& directory : dead_repositories()) recover_repository(directory);
  }

 private:
  void say(const std::string& what) const { log_(("rec: " + what).c_str()); }
  void left(const std::string& directory, const std::string& why) const { say("left " + directory + ": " + why); }

  // The recording that a directory of chunks is of, by its name: app-17.jfr.chunks.dead-0123... -> app-17.jfr
  static std::string recording_of(const std::string& directory) {
    const size_t ending = directory.rfind(".chunks");
    return ending == std::string::npos ? std::string() : directory.substr(0, ending);
  }

  // Of an earlier run under another name.
  bool is_other_run(const std::string& directory) const {
    const std::string recording = name_of(recording_of(directory));
    return !recording.empty() && recording != name_of(places_.filename) && places_.may_be_ours &&
           places_.may_be_ours(recording);
  }

  bool of_this_recording(const std::string& repository) const {
    return !places_.filename.empty() && repository.starts_with(places_.filename + ".chunks");
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
      const bool ours = beside_file ? name == prefix || name.starts_with(prefix + ".dead-") ||
                                          name.starts_with(prefix + "-") || is_other_run(name)
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
    if (only_one && is_other_run(directory)) return recording_of(directory);
    return directory + (only_one ? "" : "-" + std::to_string(process.pid)) + ".jfr";
  }

  void recover_repository(const std::string& directory) const {
    Result<DeadRepository> repository = DeadRepository::open(directory);
    if (!repository) return;  // its owner lives, or somebody else is at it
    HomeSpools spools(directory);
    spools.set_copies(HomeSpools::Copies::kLeave);
    LeftoverTally tally;
    const Status sealed = spools.seal({.more_places = {places_.spool_directory}}, tally);
    const bool whole = sealed && tally.damage.empty() && spools.left().empty();
    const bool other_run = is_other_run(directory);
    // Without its spools here it may be that of another container, which has them.
    if (whole && !(other_run && tally.spools.empty())) return finish(*repository, spools);
    spools.unseal();
    if (other_run) return;
    if (!sealed) return left(directory, sealed.error().what);
    if (!tally.damage.empty()) return left(directory, tally.damage);
    left(directory, "it was moved or copied, and " + spools.left().front() +
                        " has spools of that name; 'jrec recover' takes them");
  }

  void finish(DeadRepository& repository, HomeSpools& spools) const {
    const std::vector<DeadProcess> processes = repository.processes();
    bool all = true;
    for (const DeadProcess& process : processes)
      all = finish(repository, spools, process, processes.size() == 1) && all;
    if (!all) return spools.unseal();
    spools.remove();
    // Others may be about to lock an empty directory that they have just made; one that was renamed is nobody's.
    if (processes.empty() && repository.directory().find(".chunks.dead-") != std::string::npos) repository.remove({});
  }

  bool finish(DeadRepository& repository, HomeSpools& spools, const DeadProcess& process, bool only_one) const {
    if (done_recording(repository.directory(), process.pid)) {  // by a recovery that was killed before it removed these
      spools.remove(process.pid);
      repository.remove(process.chunks);
      return true;
    }
    const std::string target = target_of(repository.directory(), process, only_one);
    const Result<RecordingMade> made = make_recording(process.chunks, target);
    const std::string pid = std::to_string(process.pid);
    if (!made && !is_other_run(repository.directory())) left(repository.directory(), made.error().what);
    if (!made) return false;
    spools.remove(process.pid);  // before their directory: they may lie in it
    repository.remove(process.chunks);
    if (!is_other_run(repository.directory()))
      say("recovered what process " + pid + " left: " + grouped(made->samples) + " samples in " + made->path);
    return true;
  }

  const LeftoverPlaces& places_;
  void (*log_)(const char*);
};

}  // namespace

void recover_leftovers(const LeftoverPlaces& places, void (*log)(const char* line)) { Leftovers(places, log).run(); }

}  // namespace rec
