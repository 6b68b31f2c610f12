// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "jrec/base/append_format.h"
#include "jrec/base/escape.h"
#include "jrec/flame/flame.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

struct Placed {
  uint32_t node = 0, depth = 0;
};

std::vector<uint32_t> sorted_children(const StackTree& tree, uint32_t node) {
  std::vector<uint32_t> children;
  for (uint32_t child = tree.nodes()[node].first_child; child != 0; child = tree.nodes()[child].next_sibling)
    children.push_back(child);
  std::sort(children.begin(), children.end(), [&](uint32_t a, uint32_t b) {
    return tree.names()[tree.nodes()[a].name] > tree.names()[tree.nodes()[b].name];
  });
  return children;  // last first: they go onto a stack
}

// All nodes but the root, depth first.
std::vector<Placed> in_page_order(const StackTree& tree) {
  std::vector<Placed> order, todo;
  for (const uint32_t child : sorted_children(tree, 0)) todo.push_back({child, 1});
  while (!todo.empty()) {
    order.push_back(todo.back());
    todo.pop_back();
    for (const uint32_t child : sorted_children(tree, order.back().node))
      todo.push_back({child, order.back().depth + 1});
  }
  return order;
}

// "key":[value,value...]
template <typename Rows, typename Append>
void append_list(const char* key, const Rows& rows, std::string& out, Append append) {
  append_format(out, ",\"{}\":[", key);
  const char* separator = "";
  for (const auto& row : rows) {
    out += std::exchange(separator, ",");
    append(row);
  }
  out += ']';
}

// What a page shows as text: its escapes are seen by people, where those of JSON would be undone by the browser.
void append_shown(std::string_view text, std::string& out) { append_json_string(plain(text), out); }

void append_number(uint64_t number, std::string& out) { append_format(out, "{}", number); }

void append_timeline(const FlameData& data, const std::vector<Placed>& order, std::string& out) {
  const auto& entries = data.timeline->entries();
  std::vector<uint32_t> places(data.tree->nodes().size());
  for (size_t i = 0; i < order.size(); ++i) places[order[i].node] = static_cast<uint32_t>(i + 1);
  append_list("threads", *data.threads, out, [&](const SampleThread& thread) {
    append_shown(thread.id() == 0 ? thread.name : fmt::format("{} ({})", thread.name, thread.id()), out);
  });
  append_format(out, ",\"timeline\":{{\"bucket_ms\":{},\"rows\":{},\"buckets\":{}",
                static_cast<double>(data.timeline->bucket_ns()) / 1e6, data.timeline->rows(), data.timeline->buckets());
  uint32_t last = 0;
  using Entry = FlameTimeline::Entry;
  append_list("time", entries, out,
              [&](const Entry& entry) { append_number(entry.bucket - std::exchange(last, entry.bucket), out); });
  append_list("thread", entries, out, [&](const Entry& entry) { append_number(entry.thread, out); });
  append_list("node", entries, out, [&](const Entry& entry) { append_number(places[entry.node], out); });
  append_list("weight", entries, out, [&](const Entry& entry) { append_number(entry.weight, out); });
  out += '}';
}

}  // namespace

void append_flame_data(const FlameData& data, std::string& out) {
  const std::vector<Placed> order = in_page_order(*data.tree);
  const auto& nodes = data.tree->nodes();
  out += "{\"event\":";
  append_shown(data.event, out);
  out += ",\"unit\":";
  append_json_string(data.unit, out);
  out += ",\"start\":\"";
  append_time_ns(data.start_ns, 0, out);
  append_format(out, "\",\"seconds\":{:.3f},\"view\":\"{}\",\"total\":{},\"samples\":{},\"truncated\":{}",
                static_cast<double>(data.duration_ns) / 1e9, data.heatmap ? "heatmap" : "flame", data.tree->total(),
                data.samples, data.truncated);
  append_list("names", data.tree->names(), out, [&](const std::string& name) { append_shown(name, out); });
  append_list("nodes", order, out, [&](const Placed& at) {
    const StackTree::Node& node = nodes[at.node];
    append_format(out, "{},{},{},{}", node.name, at.depth, static_cast<int>(node.kind), node.self);
  });
  if (data.timeline != nullptr && !data.timeline->none()) append_timeline(data, order, out);
  if (data.before != nullptr) {
    out += ",\"before_name\":";
    append_shown(data.before_name, out);
    append_list("before", order, out, [&](const Placed& at) { append_number((*data.before)[at.node], out); });
  }
  if (!data.note.empty()) {
    out += ",\"note\":";
    append_shown(data.note, out);
  }
  out += '}';
}

}  // namespace jrec
