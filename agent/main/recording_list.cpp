// SPDX-License-Identifier: Apache-2.0
#include "agent/main/recording_list.h"

#include <algorithm>

namespace rec::agent {
namespace {

Error usage(std::string what) { return {base::ErrorCode::kUsage, 0, std::move(what), 0}; }

}  // namespace

void RecordingList::remove(uint64_t id) {
  std::erase_if(all_, [id](const ListedRecording& each) { return each.id == id; });
}

ListedRecording* RecordingList::named(const std::string& name) {
  for (ListedRecording& each : all_)
    if (each.options.name == name) return &each;
  return nullptr;
}

Result<ListedRecording*> RecordingList::meant(const Options& command) {
  if (all_.empty()) return usage("there is no recording");
  if (command.name_given) {
    if (ListedRecording* const found = named(command.name)) return found;
    return usage("there is no recording called " + command.name + "; there is " + text());
  }
  if (several()) return usage("there are several recordings, say which one (name=): " + text());
  return &all_.front();
}

ListedRecording* RecordingList::overdue(int64_t now_ticks) {
  for (ListedRecording& each : all_)
    if (each.end_ticks() <= now_ticks) return &each;
  return nullptr;
}

int64_t RecordingList::first_end_ticks() const {
  int64_t first = INT64_MAX;
  for (const ListedRecording& each : all_) first = std::min(first, each.end_ticks());
  return first;
}

std::vector<Options> RecordingList::wishes() const {
  std::vector<Options> all;
  for (const ListedRecording& each : all_) all.push_back(each.options);
  return all;
}

std::string RecordingList::text() const {
  std::string text;
  for (const ListedRecording& each : all_)
    text += (text.empty() ? "" : ", ") + each.options.name + " to " + each.target.filename;
  return text;
}

}  // namespace rec::agent
