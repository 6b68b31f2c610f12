// SPDX-License-Identifier: Apache-2.0
#include "jrec/flame/page_nodes.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "jrec/flame/page_json.h"

namespace jrec {
namespace {

// By name: its place among all of them, sorted.
std::vector<uint32_t> name_ranks(const StackTree& tree) {
  std::vector<uint32_t> sorted(tree.names().size()), ranks(sorted.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, {}, [&](uint32_t name) -> const std::string& { return tree.names()[name]; });
  for (size_t i = 0; i < sorted.size(); ++i) ranks[sorted[i]] = static_cast<uint32_t>(i);
  return ranks;
}

// The children of a node onto the stack, the last first.
void push_children(const StackTree& tree, const std::vector<uint32_t>& ranks, const PlacedNode& of,
                   std::vector<PlacedNode>& todo) {
  const auto& nodes = tree.nodes();
  const auto first = static_cast<ptrdiff_t>(todo.size());
  for (uint32_t child = nodes[of.node].first_child; child != 0; child = nodes[child].next_sibling)
    todo.push_back({child, of.depth + 1});
  if (todo.size() - static_cast<size_t>(first) > 1)
    std::sort(todo.begin() + first, todo.end(), [&](const PlacedNode& a, const PlacedNode& b) {
      return ranks[nodes[a.node].name] > ranks[nodes[b.node].name];
    });
}

// "key":[number,number...]
template <typename Rows, typename NumberOf>
void append_column(const char* key, const Rows& rows, std::string& out, NumberOf number_of) {
  append_format(out, "\"{}\":", key);
  append_array(rows, out, [&](const auto& row) { append_number(number_of(row), out); });
}

}  // namespace

std::vector<PlacedNode> in_page_order(const StackTree& tree) {
  const std::vector<uint32_t> ranks = name_ranks(tree);
  std::vector<PlacedNode> order, todo;
  order.reserve(tree.nodes().size());
  push_children(tree, ranks, {0, 0}, todo);
  while (!todo.empty()) {
    order.push_back(todo.back());
    todo.pop_back();
    push_children(tree, ranks, order.back(), todo);
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
    append_number(names[node.name], out);
    out += ',';
    append_number(at.depth, out);
    out += ',';
    append_number(static_cast<uint64_t>(node.kind), out);
    out += ',';
    append_number(tree.self(at.node), out);
  });
}

void append_entries(const FlameTimeline& timeline, const EntryNumbers& numbers, std::string& out) {
  const auto& entries = timeline.entries();
  using Entry = FlameTimeline::Entry;
  const auto since_last = [last = int64_t{0}](uint32_t number) mutable { return number - std::exchange(last, number); };
  append_column("time", entries, out, [delta = since_last](const Entry& entry) mutable { return delta(entry.bucket); });
  out += ',';
  append_column("thread", entries, out, [&](const Entry& entry) { return numbers.threads[entry.thread]; });
  out += ',';
  if (numbers.states != nullptr) {
    append_column("state", entries, out, [&](const Entry& entry) { return (*numbers.states)[entry.state]; });
    out += ',';
  }
  append_column("node", entries, out, [delta = since_last](const Entry& entry) mutable { return delta(entry.node); });
  out += ',';
  append_column("weight", entries, out, [&](const Entry& entry) { return entry.weight; });
}

}  // namespace jrec
