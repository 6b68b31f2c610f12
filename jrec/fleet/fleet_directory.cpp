// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/fleet_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/file_io.h"
#include "base/new_directory.h"
#include "base/new_file.h"
#include "base/small_file.h"
#include "format/reader/mapped_file.h"
#include "jrec/base/escape.h"
#include "jrec/fleet/fleet_folder.h"
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

constexpr size_t kMostMoves = 64u << 20, kMostText = 64u << 20;

Status write_file(const std::string& path, const std::string& text) {
  const std::string temporary = path + ".tmp";
  const Descriptor file = open_new(temporary);
  if (!file || !base::write_all(file.fd(), text.data(), text.size()) || ::fsync(file.fd()) != 0 ||
      ::rename(temporary.c_str(), path.c_str()) != 0)
    return system_error("cannot write " + path);
  return base::Done{};
}

// Moves what has not been moved yet; one line is for one file: where it belongs in the data set. May be done again.
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

Result<std::unique_ptr<FleetStore>> FleetDirectory::open(const std::string& path, bool must_be_there) {
  std::error_code error;
  const std::string own = path + "/_rec";
  if (must_be_there && !fs::exists(own + "/schema", error))
    return Error{ErrorCode::kUsage, 0, "is no data set of jrec export"};
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
  std::unique_ptr<FleetDirectory> directory(new FleetDirectory(path, std::move(lock)));
  if (const Status known = directory->check_schema(); !known) return known.error();
  if (const Status clear = directory->clear_up(); !clear) return clear.error();
  return std::unique_ptr<FleetStore>(std::move(directory));
}

Status FleetDirectory::check_schema() const {
  const std::string path = path_ + "/_rec/schema";
  const auto said = base::read_small_file(path);
  if (!said) return write_file(path, std::to_string(kFleetSchema) + "\n");
  return check_fleet_schema(*said);
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

Result<bool> FleetDirectory::has_file(const std::string& relative) {
  return ::access((path_ + "/" + relative).c_str(), F_OK) == 0;
}

Result<std::vector<std::string>> FleetDirectory::files_in(const std::string& relative) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_ + "/" + relative, error))
    if (entry.path().extension() == ".parquet") files.push_back(entry.path().string());
  return files;
}

Status FleetDirectory::publish(const std::string& id, const std::vector<std::string>& targets, bool& kept) {
  const std::string staging = in_the_making(id);
  std::string moves;
  for (const std::string& target : targets) moves += target + "\n";
  if (const Status written = write_file(staging + "/moves", moves); !written) return written;
  kept = true;
  published_.insert(targets.begin(), targets.end());
  sync_folder(staging);
  return move_all(staging, path_, moves);
}

// Links are not followed: a data set has none.
Result<std::vector<std::string>> FleetDirectory::all_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator at(path_, error), end; !error && at != end; at.increment(error)) {
    if (at.depth() == 0 && at->path().filename() == "_rec")
      at.disable_recursion_pending();
    else if (at->is_regular_file(error))
      names.push_back(at->path().lexically_relative(path_).string());
  }
  if (error) return system_error("cannot list " + path_, error.value());
  std::ranges::sort(names);
  return names;
}

Result<FleetStore::End> FleetDirectory::end_of(const std::string& relative, uint64_t from_end) {
  const auto file = jfr::read::MappedFile::open(path_ + "/" + relative);
  if (!file) return file.error();
  const auto end = file->bytes().last(std::min<uint64_t>(from_end, file->bytes().size()));
  return End{{end.begin(), end.end()}, file->bytes().size()};
}

Result<std::optional<std::string>> FleetDirectory::text_of(const std::string& relative) {
  const std::string path = path_ + "/" + relative;
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) return std::optional<std::string>();
  auto text = base::read_small_file(path, kMostText);
  if (!text) return system_error("cannot read " + path);
  return text;
}

Status FleetDirectory::put(const std::string& relative, const std::string& text) {
  const std::string path = path_ + "/" + relative;
  if (const Status folder = make_folder(path.substr(0, path.rfind('/'))); !folder) return folder;
  return write_file(path, text);
}

Result<bool> FleetDirectory::put_new(const std::string& relative, const std::string& text) {
  const std::string path = path_ + "/" + relative, made = path_ + "/_rec/new-text";
  if (const Status folder = make_folder(path.substr(0, path.rfind('/'))); !folder) return folder.error();
  if (const Status written = write_file(made, text); !written) return written.error();
  const bool named = base::rename_to(AT_FDCWD, made, AT_FDCWD, path, false);
  const int why = errno;
  if (!named) (void)::unlink(made.c_str());
  sync_folder(path.substr(0, path.rfind('/')));
  if (!named && why != EEXIST) return system_error("cannot write " + path, why);
  return named;
}

}  // namespace jrec
