// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/hot.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "jrec/escape.h"
#include "jrec/profile/profile.h"

namespace jrec {
namespace {

constexpr size_t kNumberColumns = 37;  // in front of the name
constexpr size_t kNarrowestName = 20;

size_t terminal_width() {
  if (winsize size{}; ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size.ws_col;
  if (const char* columns = std::getenv("COLUMNS")) {
    const long value = std::strtol(columns, nullptr, 10);
    if (value > 0 && value < 1000) return static_cast<size_t>(value);
  }
  return 100;
}

size_t characters(std::string_view utf8) {
  return static_cast<size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::string fitted(std::string name, size_t width) {
  size_t excess = characters(name);
  if (excess <= width) return name;
  excess -= width - 3;
  size_t at = 0;
  while (excess > 0 && at < name.size()) {
    ++at;
    while (at < name.size() && (name[at] & 0xc0) == 0x80) ++at;
    --excess;
  }
  return "..." + name.substr(at);
}

namespace {

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::vector<HotMethod> hot_methods(const StackTree& tree) {
  const auto& nodes = tree.nodes();
  std::vector<HotMethod> methods(tree.names().size());
  for (size_t i = 0; i < methods.size(); ++i) methods[i].name = static_cast<uint32_t>(i);
  // Depth first, with a count of each name on the way down: only the outermost of a recursion adds to the total.
  std::vector<uint32_t> open(methods.size());
  for (uint32_t at = nodes[0].first_child; at != 0;) {
    HotMethod& method = methods[nodes[at].name];
    method.self += nodes[at].self;
    if (open[nodes[at].name]++ == 0) method.total += nodes[at].total;
    if (nodes[at].first_child != 0) {
      at = nodes[at].first_child;
      continue;
    }
    for (;; at = nodes[at].parent) {
      if (at == 0) break;
      --open[nodes[at].name];
      if (nodes[at].next_sibling == 0) continue;
      at = nodes[at].next_sibling;
      break;
    }
  }
  std::erase_if(methods, [](const HotMethod& method) { return method.total == 0; });
  std::stable_sort(methods.begin(), methods.end(), [](const HotMethod& a, const HotMethod& b) {
    return a.self != b.self ? a.self > b.self : a.total > b.total;
  });
  return methods;
}

ExitCode run_hot(const HotOptions& options, Output& out) {
  Recording recording(options.file);
  if (!recording.open()) return recording.finish();
  const Profile profile = read_profile(recording, options.profile);
  const uint64_t whole = profile.tree.total();
  auto end = std::back_inserter(out.text());
  fmt::format_to(end, "{}: {} {}", plain(profile.event_type), whole, profile.unit);
  if (profile.unit != "samples" || whole != profile.samples) fmt::format_to(end, " in {} events", profile.samples);
  if (profile.truncated != 0) fmt::format_to(end, ", {} with truncated stacks", profile.truncated);
  out.text() += "\n\n";
  const size_t width = options.width != 0 ? options.width : terminal_width();
  const size_t name_width = std::max(kNarrowestName, width > kNumberColumns ? width - kNumberColumns : 0);
  std::vector<HotMethod> methods = hot_methods(profile.tree);
  if (methods.size() > options.rows) methods.resize(options.rows);
  if (!methods.empty()) fmt::format_to(end, "{:>10} {:>6} {:>10} {:>6}  {}\n", "self", "%", "total", "%", "method");
  for (const HotMethod& method : methods)
    fmt::format_to(end, "{:>10} {:>6.2f} {:>10} {:>6.2f}  {}\n", method.self, percent(method.self, whole), method.total,
                   percent(method.total, whole), fitted(plain(profile.tree.names()[method.name]), name_width));
  return recording.finish();
}

}  // namespace jrec
