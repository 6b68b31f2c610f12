// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "jrec/escape.h"
#include "jrec/flame_page.h"
#include "jrec/time_text.h"

namespace jrec {
namespace {

constexpr std::string_view kTitlePlace = "{{title}}";
constexpr std::string_view kDataPlace = "{{data}}";

std::vector<uint32_t> sorted_children(const StackTree& tree, uint32_t node) {
  std::vector<uint32_t> children;
  for (uint32_t child = tree.nodes()[node].first_child; child != 0; child = tree.nodes()[child].next_sibling)
    children.push_back(child);
  std::sort(children.begin(), children.end(), [&](uint32_t a, uint32_t b) {
    return tree.names()[tree.nodes()[a].name] > tree.names()[tree.nodes()[b].name];
  });
  return children;  // last first: they go onto a stack
}

void append_nodes(const StackTree& tree, std::string& out) {
  std::vector<std::pair<uint32_t, uint32_t>> todo;  // node, depth
  for (const uint32_t child : sorted_children(tree, 0)) todo.emplace_back(child, 1);
  const char* separator = "";
  while (!todo.empty()) {
    const auto [at, depth] = todo.back();
    todo.pop_back();
    const StackTree::Node& node = tree.nodes()[at];
    fmt::format_to(std::back_inserter(out), "{}{},{},{},{}", std::exchange(separator, ","), node.name, depth,
                   static_cast<int>(node.kind), node.self);
    for (const uint32_t child : sorted_children(tree, at)) todo.emplace_back(child, depth + 1);
  }
}

}  // namespace

void append_flame_data(const Profile& profile, std::string& out) {
  out += "{\"event\":";
  append_json_string(profile.event_type, out);
  out += ",\"unit\":";
  append_json_string(profile.unit, out);
  out += ",\"start\":\"";
  append_time_ns(profile.start_ns, 0, out);
  fmt::format_to(
      std::back_inserter(out), "\",\"seconds\":{:.3f},\"total\":{},\"samples\":{},\"truncated\":{},\"names\":[",
      static_cast<double>(profile.duration_ns) / 1e9, profile.tree.total(), profile.samples, profile.truncated);
  const char* separator = "";
  for (const std::string& name : profile.tree.names()) {
    out += std::exchange(separator, ",");
    append_json_string(name, out);
  }
  out += "],\"nodes\":[";
  append_nodes(profile.tree, out);
  out += "]}";
}

void append_flame_page(const Profile& profile, const std::string& title, std::string& out) {
  std::string_view page = kFlamePage;
  while (!page.empty()) {
    const size_t at_title = page.find(kTitlePlace), at_data = page.find(kDataPlace);
    const size_t at = std::min(at_title, at_data);
    out += page.substr(0, at);
    if (at == std::string_view::npos) return;
    if (at == at_title)
      append_html(plain(title), out);
    else
      append_flame_data(profile, out);
    page.remove_prefix(at + (at == at_title ? kTitlePlace : kDataPlace).size());
  }
}

ExitCode run_flame(const FlameOptions& options, Output& out) {
  Recording recording(options.file);
  if (!recording.open()) return recording.finish();
  const Profile profile = read_profile(recording, options.profile);
  const ExitCode code = recording.finish();
  if (code == kNothingReadable) return code;
  const std::string title = options.title.empty() ? options.file.substr(options.file.rfind('/') + 1) : options.title;
  if (options.out.empty() || options.out == "-") {
    append_flame_page(profile, title, out.text());
    return code;
  }
  OutputFile file(options.out);
  Output page(file.fd());
  append_flame_page(profile, title, page.text());
  if (file.fd() >= 0 && page.flush() && file.commit()) return code;
  complain(options.out,
           jfr::Error{jfr::ErrorCode::kSystem, 0, std::string("cannot write: ") + std::strerror(errno), errno});
  return kOutputFailed;
}

}  // namespace jrec
