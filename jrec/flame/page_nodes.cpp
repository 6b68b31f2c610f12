// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame/page_nodes.h"

#include <algorithm>
#include <utility>

#include "jrec/flame/page_json.h"

namespace jrec {
namespace {

std::vector<uint32_t> sorted_children(const StackTree& tree, uint32_t node) {
  std::vector<uint32_t> children;
  for (uint32_t child = tree.nodes()[node].first_child; child != 0; child = tree.nodes()[child].next_sibling)
    children.push_back(child);
  std::sort(children.begin(), children.end(), [&](uint32_t a, uint32_t b) {
    return tree.names()[tree.nodes()[a].name] > tree.names()[tree.nodes()[b].name];
  });
  return children;  // last first: they go onto a stack
}

// "key":[number,number...]
template <typename Rows, typename NumberOf>
void append_column(const char* key, const Rows& rows, std::string& out, NumberOf number_of) {
  append_format(out, "\"{}\":", key);
  append_array(rows, out, [&](const auto& row) { append_format(out, "{}", number_of(row)); });
}

}  // namespace

std::vector<PlacedNode> in_page_order(const StackTree& tree) {
  std::vector<PlacedNode> order, todo;
  for (const uint32_t child : sorted_children(tree, 0)) todo.push_back({child, 1});
  while (!todo.empty()) {
    order.push_back(todo.back());
    todo.pop_back();
    for (const uint32_t child : sorted_children(tree, order.back().node))
      todo.push_back({child, order.back().depth + 1});
  }
  return order;
}

std::vector<uint32_t> page_places(const StackTree& tree, const std::vector<PlacedNode>& order) {
  std::vector<uint32_t> places(tree.nodes().size());
  for (size_t i = 0; i < order.size(); ++i) places[order[i].node] = static_cast<uint32_t>(i + 1);
  return places;
}

void append_nodes(const StackTree& tree, const std::vector<PlacedNode>& order, const std::vector<uint32_t>& names,
                  std::string& out) {
  append_array(order, out, [&](const PlacedNode& at) {
    const StackTree::Node& node = tree.nodes()[at.node];
    append_format(out, "{},{},{},{}", names[node.name], at.depth, static_cast<int>(node.kind), node.self);
  });
}

void append_entries(const FlameTimeline& timeline, const EntryNumbers& numbers, std::string& out) {
  const auto& entries = timeline.entries();
  using Entry = FlameTimeline::Entry;
  uint32_t last = 0;
  append_column("time", entries, out,
                [&](const Entry& entry) { return entry.bucket - std::exchange(last, entry.bucket); });
  out += ',';
  append_column("thread", entries, out, [&](const Entry& entry) { return numbers.threads[entry.thread]; });
  out += ',';
  if (numbers.states != nullptr) {
    append_column("state", entries, out, [&](const Entry& entry) { return (*numbers.states)[entry.state]; });
    out += ',';
  }
  append_column("node", entries, out, [&](const Entry& entry) { return numbers.places[entry.node]; });
  out += ',';
  append_column("weight", entries, out, [&](const Entry& entry) { return entry.weight; });
}

}  // namespace jrec
