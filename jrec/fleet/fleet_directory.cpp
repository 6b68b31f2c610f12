// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "base/file_io.h"
#include "base/new_directory.h"
#include "base/small_file.h"
#include "jrec/base/escape.h"
#include "jrec/fleet/partition.h"
#include "jrec/input/recording.h"

namespace jrec {
namespace {

using base::Descriptor;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using base::system_error;
namespace fs = std::filesystem;

constexpr size_t kMostMoves = 64u << 20;

Descriptor open_new(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
}

// Directories of a data set are for others to read, as the umask has it.
Status make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return system_error("cannot make " + path, error.value());
  return base::Done{};
}

void sync_folder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) (void)::fsync(folder.fd());
}

Status write_file(const std::string& path, const std::string& text) {
  const std::string temporary = path + ".tmp";
  const Descriptor file = open_new(temporary);
  if (!file || !base::write_all(file.fd(), text.data(), text.size()) || ::fsync(file.fd()) != 0 ||
      ::rename(temporary.c_str(), path.c_str()) != 0)
    return system_error("cannot write " + path);
  return base::Done{};
}

// One line is for one file: where it belongs in the data set. Never out of it, whoever wrote that.
bool stays_inside(const std::string& relative) {
  return !relative.empty() && relative[0] != '/' && relative[0] != '_' && relative.find("../") == std::string::npos &&
         relative.find('\0') == std::string::npos;
}

// Moves what has not been moved yet. May be done again.
Status move_all(const std::string& staging, const std::string& root, const std::string& moves) {
  std::istringstream lines(moves);
  size_t number = 0;
  for (std::string target; std::getline(lines, target); ++number) {
    const std::string from = staging + "/" + std::to_string(number), to = root + "/" + target;
    if (!stays_inside(target)) return Error{ErrorCode::kCorrupt, 0, staging + "/moves names " + plain(target)};
    if (::access(from.c_str(), F_OK) != 0) continue;  // it was moved before
    if (const Status made = make_folder(to.substr(0, to.rfind('/'))); !made) return made.error();
    if (::rename(from.c_str(), to.c_str()) != 0) return system_error("cannot move to " + to);
    sync_folder(to.substr(0, to.rfind('/')));
  }
  std::error_code ignored;
  fs::remove_all(staging, ignored);
  return base::Done{};
}

}  // namespace

Result<FleetDirectory> FleetDirectory::open(const std::string& path) {
  std::error_code error;
  const std::string own = path + "/_rec";
  if (!fs::exists(own, error) && fs::exists(path, error) && !fs::is_empty(path, error))
    return Error{ErrorCode::kUsage, 0, "holds something else than a data set of jrec export"};
  if (const Status made = base::make_directories(path); !made) return made.error();
  if (const Status made = make_folder(own + "/new"); !made) return made.error();
  Descriptor lock(::open((own + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock) return system_error("cannot open " + own + "/lock");
  if (::flock(lock.fd(), LOCK_EX | LOCK_NB) != 0) {
    complain(path, Error{ErrorCode::kUsage, 0, "waits for another export to end"});
    if (base::restarting([&] { return ::flock(lock.fd(), LOCK_EX); }) != 0)
      return system_error("cannot lock " + own + "/lock");
  }
  FleetDirectory directory(path, std::move(lock));
  if (const Status known = directory.check_schema(); !known) return known.error();
  if (const Status clear = directory.clear_up(); !clear) return clear.error();
  return directory;
}

Status FleetDirectory::check_schema() const {
  const std::string path = path_ + "/_rec/schema";
  const auto said = base::read_small_file(path);
  if (!said) return write_file(path, std::to_string(kFleetSchema) + "\n");
  int version = 0;
  std::from_chars(said->data(), said->data() + said->size(), version);
  if (version == kFleetSchema) return base::Done{};
  return Error{ErrorCode::kUsage, 0,
               "its tables are of version " + plain(said->substr(0, said->find('\n'))) + ", this jrec writes version " +
                   std::to_string(kFleetSchema)};
}

Status FleetDirectory::clear_up() const {
  std::error_code error;
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(path_ + "/_rec/new", error)) left.push_back(entry.path().string());
  for (const std::string& staging : left) {
    const auto moves = base::read_small_file(staging + "/moves", kMostMoves);
    if (!moves)
      fs::remove_all(staging, error);
    else if (const Status moved = move_all(staging, path_, *moves); !moved)
      return moved;
  }
  return base::Done{};
}

bool FleetDirectory::has_file(const std::string& relative) const {
  return ::access((path_ + "/" + relative).c_str(), F_OK) == 0;
}

std::vector<std::string> FleetDirectory::files_in(const std::string& relative) const {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_ + "/" + relative, error))
    if (entry.path().extension() == ".parquet") files.push_back(entry.path().string());
  return files;
}

Status FleetFile::finish() {
  Status written = writer_.finish();
  if (written.ok() && ::fdatasync(fd_.fd()) != 0) written = system_error("cannot write");
  fd_.reset();
  return written;
}

FleetAppend::FleetAppend(const FleetDirectory& directory, std::string id)
    : directory_(directory), id_(std::move(id)), staging_(directory.in_the_making(id_)) {}

FleetAppend::~FleetAppend() {
  if (committed_) return;
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
}

Result<std::unique_ptr<FleetFile>> FleetAppend::begin(const std::string& table, const std::string& partition,
                                                      const ParquetColumns& columns) {
  if (targets_.empty())
    if (const Status made = make_folder(staging_); !made) return made.error();
  const std::string path = staging_ + "/" + std::to_string(targets_.size());
  Descriptor file = open_new(path);
  if (!file) return system_error("cannot make " + path);
  targets_.push_back(free_target(hive_value(table) + "/" + partition + "/" + id_));
  return std::make_unique<FleetFile>(
      std::move(file), columns,
      ParquetWriter::Facts{{"rec.schema", std::to_string(kFleetSchema)}, {"rec.table", table}, {"rec.recording", id_}});
}

// Two event types may have one table: what is no letter of theirs is an underscore.
std::string FleetAppend::free_target(const std::string& wanted) const {
  std::string target = wanted + ".parquet";
  for (int more = 2; std::ranges::find(targets_, target) != targets_.end(); ++more)
    target = wanted + "-" + std::to_string(more) + ".parquet";
  return target;
}

Status FleetAppend::commit() {
  std::string moves;
  for (const std::string& target : targets_) moves += target + "\n";
  sync_folder(staging_);
  if (const Status written = write_file(staging_ + "/moves", moves); !written) return written;
  committed_ = true;
  sync_folder(staging_);
  return move_all(staging_, directory_.path(), moves);
}

}  // namespace jrec
