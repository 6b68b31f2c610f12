// SPDX-License-Identifier: Apache-2.0
#include "recorder/repository/recordings.h"

#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>

#include "recorder/repository/assemble.h"

namespace rec {
namespace {

std::string name_in(const std::string& directory, const std::string& path) {
  return directory + path.substr(path.find_last_of('/'));
}

// Under a name that is no chunk's first, so that what stands there is whole.
Status share(const std::string& path, const std::string& to) {
  const std::string making =
      to.substr(0, to.find_last_of('/') + 1) + "." + to.substr(to.find_last_of('/') + 1) + ".tmp";
  ::unlink(making.c_str());
  if (::link(path.c_str(), making.c_str()) != 0)
    if (Status copied = copy_chunk(path, making); !copied) return ::unlink(making.c_str()), copied;
  if (::rename(making.c_str(), to.c_str()) != 0) return base::system_error("cannot rename", making);
  ::unlink(making.c_str());  // rename(2) leaves two links to one file as they are
  return base::Done{};
}

}  // namespace

Recording& Recordings::add(std::unique_ptr<Recording> recording) {
  all_.push_back(std::move(recording));
  return *all_.back();
}

std::unique_ptr<Recording> Recordings::take_out(uint64_t id) {
  assert(all_.size() > 1 && "the last one ends with the engine");
  const auto found = std::find_if(all_.begin(), all_.end(), [id](const auto& each) { return each->config.id == id; });
  assert(found != all_.end());
  std::unique_ptr<Recording> recording = std::move(*found);
  const bool was_home = found == all_.begin();
  all_.erase(found);
  if (was_home) home().repository.succeed(recording->repository);
  return recording;
}

Recording* Recordings::find(uint64_t id) {
  for (const auto& each : all_)
    if (each->config.id == id) return each.get();
  return nullptr;
}

Status Recordings::prepare() {
  for (const auto& each : all_) {
    Status ready = each->repository.prepare();
    if (!ready && each == all_.front()) return ready;
  }
  return base::Done{};
}

void Recordings::hold() {
  for (const auto& each : all_) each->repository.hold();
}

void Recordings::chunk_opened(const std::string& path) {
  forget_open();
  for (size_t i = 1; i < all_.size(); ++i) {
    const std::string to = name_in(all_[i]->repository.directory(), path);
    if (::link(path.c_str(), to.c_str()) == 0) open_links_.push_back(to);
  }
}

void Recordings::chunk_given_up() { forget_open(); }

void Recordings::forget_open() {
  for (const std::string& link : open_links_) ::unlink(link.c_str());
  open_links_.clear();
}

// The finished chunk may be another file than the open one was.
void Recordings::chunk_finished(const std::string& path, int64_t end_ticks, uint64_t filler) {
  for (size_t i = 1; i < all_.size(); ++i) {
    Recording& recording = *all_[i];
    const std::string to = name_in(recording.repository.directory(), path);
    if (Status shared = share(path, to); !shared) {
      if (log_) log_((shared.error().what + ": the recording " + recording.config.name + " lacks this chunk").c_str());
      continue;
    }
    std::erase(open_links_, to);
    recording.hook.chunk_finished(to);
    recording.repository.add(to, end_ticks, filler);
  }
  forget_open();
  home().hook.chunk_finished(path);
  home().repository.add(path, end_ticks, filler);
}

bool Recordings::uses(const std::string& path) const {
  return std::any_of(all_.begin(), all_.end(), [&](const auto& each) {
    return each->hook.uses(path) || each->hook.uses(name_in(each->repository.directory(), path));
  });
}

void Recordings::drop_old(int64_t now_ticks, uint64_t open_bytes) {
  for (const auto& each : all_) each->repository.drop_old(now_ticks, open_bytes);
}

void Recordings::poll_hooks() {
  for (const auto& each : all_) each->hook.poll();
}

}  // namespace rec
