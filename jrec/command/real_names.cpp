// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "jrec/base/append_format.h"
#include "jrec/base/deadline.h"
#include "jrec/base/local_path.h"
#include "jrec/command/suggest.h"
#include "jrec/control/jvm_list.h"
#include "jrec/input/open_archive.h"
#include "jrec/input/recording.h"
#include "jrec/profile/sample_names.h"
#include "jrec/profile/sample_reader.h"
#include "jrec/select/event_names.h"
#include "jrec/view/asked_views.h"

namespace jrec {
namespace {

constexpr std::chrono::milliseconds kPatience{300};  // of a person at a prompt

// visit(chunk) of one chunk after the other, as long as it says true and there is time. Damage is not told here.
template <typename Visit>
void each_soon(const std::string& path, Visit visit) {
  if (path.empty() || is_remote(path)) return;  // nobody waits for a server while typing
  const Deadline deadline(kPatience);
  Recording recording(path);
  if (!recording.open()) return;
  recording.unsaid(
      [&] { recording.each_chunk([&](jfr::read::Chunk& chunk) { return visit(chunk) && !deadline.over(); }); });
}

Suggestions sorted(const std::set<std::string>& names) {
  Suggestions all;
  for (const std::string& name : names) all.push_back({name, ""});
  return all;
}

enum class Which : uint8_t { kAll, kWithStacks };

// Each chunk declares all of its recording's types, unless it is damaged.
Suggestions types_of(const std::string& recording, Which which) {
  std::set<std::string> names;
  each_soon(recording, [&](jfr::read::Chunk& chunk) {
    const auto& types = chunk.metadata().types();
    for (const jfr::read::Type& type : types)
      if (type.event && (which == Which::kAll || has_stacks(chunk, type))) names.emplace(type.name);
    return types.empty();
  });
  return sorted(names);
}

Suggestions types_in(const std::string& recording) { return types_of(recording, Which::kAll); }

Suggestions kinds_and_types(const std::string& recording, Which which) {
  Suggestions all;
  for (const EventName& event : event_names())
    if (event.has_stacks || which == Which::kAll)
      all.push_back(
          {std::string(event.name), joined(std::vector<std::string>(event.types.begin(), event.types.end()), ", ")});
  for (Suggestion& type : types_of(recording, which)) all.push_back(std::move(type));
  return all;
}

Suggestions events_in(const std::string& recording) { return kinds_and_types(recording, Which::kAll); }
Suggestions samples_in(const std::string& recording) { return kinds_and_types(recording, Which::kWithStacks); }

// As a pattern: --thread takes several names with commas between them, and no terminal the signs that are none.
std::string as_pattern(std::string name) {
  std::ranges::replace_if(
      name, [](unsigned char c) { return c == ',' || c < ' ' || c == 0x7f; }, '?');
  return name;
}

Suggestions threads_in(const std::string& recording) {
  std::set<std::string> names;
  each_soon(recording, [&](jfr::read::Chunk& chunk) {
    const jfr::read::Type* type = chunk.metadata().find("java.lang.Thread");
    if (type == nullptr) return true;
    const uint32_t index = chunk.metadata().index_of(type->id);
    for (const uint64_t key : chunk.constants().keys(index))
      names.insert(as_pattern(read_thread(chunk, index, key).name));
    return true;
  });
  return sorted(names);
}

Suggestions members_of(const std::string& path) {
  Suggestions all;
  if (is_remote(path)) return all;
  jfr::read::Problems problems;
  const auto archive = OpenArchive::open(path, problems);
  if (!archive) return all;
  for (const auto& member : (*archive)->catalogue().members) all.push_back({member.name, ""});
  return all;
}

Suggestions all_jvms() {
  Suggestions all;
  for (const Jvm& jvm : running_jvms()) all.push_back({std::to_string(jvm.process.pid), jvm.main});
  return all;
}

Suggestions view_words() {
  Suggestions all;
  for (std::string& name : view_names()) all.push_back({std::move(name), ""});
  return all;
}

}  // namespace

NameSources real_names() { return {events_in, samples_in, types_in, threads_in, members_of, view_words, all_jvms}; }

}  // namespace jrec
