// SPDX-License-Identifier: Apache-2.0
#include "jrec/findings/deadlock_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace jrec {
namespace {

constexpr std::string_view kHeading = "\nFound one Java-level deadlock:\n====";

std::string_view last_line(std::string_view text) {
  const size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  return text.substr(text.rfind('\n') + 1);
}

// "Found 2 deadlocks."; 0: the line says something else.
size_t deadlocks_found(std::string_view line) {
  constexpr std::string_view kFound = "Found ";
  if (!line.starts_with(kFound)) return 0;
  line.remove_prefix(kFound.size());
  size_t count = 0;
  const auto [end, wrong] = std::from_chars(line.data(), line.data() + line.size(), count);
  const std::string_view rest = line.substr(static_cast<size_t>(end - line.data()));
  return wrong == std::errc() && (rest == " deadlock." || rest == " deadlocks.") ? count : 0;
}

}  // namespace

std::string_view deadlock_text(std::string_view dump) {
  size_t at = std::string_view::npos;
  for (size_t left = deadlocks_found(last_line(dump)); left != 0; --left) {
    const size_t before =
        at == 0 ? std::string_view::npos : dump.rfind(kHeading, at == std::string_view::npos ? at : at - 1);
    if (before == std::string_view::npos) break;
    at = before;
  }
  return at == std::string_view::npos ? std::string_view() : dump.substr(at + 1);
}

std::vector<std::string> deadlocked_threads(std::string_view text) {
  constexpr size_t kMostThreads = 8;
  std::vector<std::string> names;
  for (size_t at = text.find("\n\""); at != std::string_view::npos && names.size() < kMostThreads;
       at = text.find("\n\"", at + 1)) {
    const size_t end = text.find('"', at + 2);
    if (end == std::string_view::npos || !text.substr(end).starts_with("\":")) continue;
    std::string name(text.substr(at + 2, end - at - 2));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace jrec
