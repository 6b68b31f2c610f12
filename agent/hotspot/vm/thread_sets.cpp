// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/vm/thread_sets.h"

#include <algorithm>
#include <bit>

#include "agent/hotspot/vm/heap_object.h"

namespace rec::agent {
namespace {

constexpr size_t kMostTables = 1 << 12;
constexpr int kMostInBin = 64;
constexpr int kMostForwarded = 4;  // a table that grows while another one grows
constexpr uint64_t kLongestStride = 1 << 30;
constexpr uint64_t kMostBins = 1 << 20;  // after these, no more scopes are entered
constexpr int32_t kSuspended = 1 << 8;

}  // namespace

bool ThreadSets::table_of(uint64_t view, Table& table) {
  uint64_t map = 0, address = 0;
  view = object_of(*layout_, view, classes_.view);
  if (view == 0 || !load_reference(*layout_, view + fields_.map, map)) return false;
  map = object_of(*layout_, map, classes_.map);
  if (map == 0 || !load_reference(*layout_, map + fields_.table, address)) return false;
  return address == 0 || open_table(address, table);  // an empty one has none yet
}

bool ThreadSets::open_table(uint64_t address, Table& table) const {
  table.address = object_of(*layout_, address, classes_.table);
  table.length = table.address == 0 ? 0 : u32_at(table.address + fields_.length);
  return std::has_single_bit(table.length);
}

bool ThreadSets::find_tables(Search& search) {
  tables_.clear();
  owners_.clear();
  owners_met_ = 0;
  uint64_t view = 0;
  Table table, registry;
  if (root_ != 0) {
    if (!load_handle(*layout_, reinterpret_cast<uint64_t>(&root_), view) || !table_of(view, table)) return false;
    tables_.push_back(table);
  }
  if (registry_ == 0) return true;
  if (!load_handle(*layout_, reinterpret_cast<uint64_t>(&registry_), view) || !table_of(view, registry)) return false;
  bool known = true;
  for (uint32_t i = 0; i < registry.length && tables_.size() < kMostTables; ++i)
    if (!each_key(registry, i, 0, [&](uint64_t weak) { known = known && add_container(weak, search); })) return false;
  return known;
}

bool ThreadSets::add_container(uint64_t weak, Search& search) {
  uint64_t container = 0, set = 0;
  weak = object_of(*layout_, weak, classes_.weak);
  if (weak == 0 || !load_reference(*layout_, weak + fields_.referent, container)) return false;
  if (const uint64_t executor = object_of(*layout_, container, classes_.per_task)) {
    if (!load_reference(*layout_, executor + fields_.per_task, set)) return false;
  } else if (const uint64_t shared = object_of(*layout_, container, classes_.shared)) {
    if (!load_reference(*layout_, shared + fields_.shared, set)) return false;
  } else if (object_of(*layout_, container, classes_.flock_container) != 0) {
    note_owner({container, 1}, search);
  }
  Table table;
  if (set == 0) return true;  // none, or a container of another kind
  if (!table_of(set, table)) return false;
  tables_.push_back(table);
  return true;
}

// False: it is not sure that these are all.
template <typename Each>
bool ThreadSets::each_key(const Table& table, uint32_t index, int depth, Each each) {
  uint64_t node = 0;
  bool sure = load_reference(*layout_, table.address + fields_.elements + uint64_t{index} * fields_.scale, node);
  if (const uint64_t forwarding = object_of(*layout_, node, classes_.forwarding)) {
    Table next;
    uint64_t address = 0;
    if (!load_reference(*layout_, forwarding + fields_.next_table, address) || !open_table(address, next)) return false;
    if (next.length != 2 * table.length || depth == kMostForwarded) return false;
    return each_key(next, index, depth + 1, each) && each_key(next, index + table.length, depth + 1, each);
  }
  if (const uint64_t tree = object_of(*layout_, node, classes_.tree))
    sure = load_reference(*layout_, tree + fields_.first, node);
  for (int i = 0; i < kMostInBin && sure && node != 0; ++i) {
    uint64_t plain = object_of(*layout_, node, classes_.node), key = 0;
    if (plain == 0) plain = object_of(*layout_, node, classes_.tree_node);
    if (plain == 0) return false;
    if (!load_reference(*layout_, plain + fields_.key, key)) return false;
    if (key != 0) each(key);
    sure = load_reference(*layout_, plain + fields_.next, node);
  }
  return sure;
}

ThreadSets::Looked ThreadSets::look(uint64_t bins, const Pick& pick, const Visit& visit) {
  Search search{pick, visit, 1, {}};
  search.looked.sure = find_tables(search);
  const size_t others = tables_.size();
  const uint32_t looks = flock_looks_;
  const double more = search.pick(looks) == 0 ? find_flocks() : 0;
  uint64_t all = 0;
  for (const Table& table : tables_) all += table.length;
  search.stride = std::bit_floor(std::clamp<uint64_t>(all / std::max<uint64_t>(bins, 1), 1, kLongestStride));
  double missed = 0;  // bins
  for (size_t i = 0; i < tables_.size(); ++i) {
    const uint32_t stands_for = i < others ? 1 : looks;
    const uint32_t chosen =
        look_into(tables_[i], std::max<uint64_t>(search.stride / stands_for, 1), stands_for, search);
    search.looked.chosen += chosen;
    if (i >= others) missed += chosen * more;
  }
  search.looked.bins += static_cast<uint64_t>(missed);
  search.looked.unsure += static_cast<uint64_t>(missed);
  while (!owners_.empty() && search.looked.bins < kMostBins) look_into_flocks(search);
  return search.looked;
}

// stands_for: what who owns the table does. How many bins it looks into.
uint32_t ThreadSets::look_into(const Table& table, uint64_t stride, double stands_for, Search& search) {
  const uint32_t run = std::min(static_cast<uint32_t>(stride), table.length);
  uint32_t bins = 0;
  for (uint32_t from = 0; run != 0 && from < table.length; from += run, ++bins) {
    bool proved = true;
    const bool sure = each_key(table, from + (run == 1 ? 0 : search.pick(run)), 0, [&](uint64_t key) {
      const uint64_t thread = object_of(*layout_, key, layout_->thread_object.virtual_class);
      if (thread == 0) return void(proved = proved && object_of(*layout_, key, classes_.platform) != 0);
      ++search.looked.threads;
      search.visit(thread, run * stands_for);
      proved = note_thread({thread, run * stands_for}, search) && proved;
    });
    if (!sure || !proved) ++search.looked.unsure;
  }
  search.looked.bins += bins;
  return bins;
}

ThreadSets::Does ThreadSets::does(uint64_t thread) const {
  const auto state = static_cast<int32_t>(u32_at(thread + fields_.state)) & ~kSuspended;
  for (const State& known : states_)
    if (known.value == state) return known.does;
  return Does::kElse;
}

uint64_t ThreadSets::newest_chunk(uint64_t thread) const {
  uint64_t continuation = 0, chunk = 0;
  if (!load_reference(*layout_, thread + layout_->thread_object.continuation, continuation)) return 0;
  continuation = object_of(*layout_, continuation, layout_->continuation.virtual_klass);
  if (continuation == 0 || !load_reference(*layout_, continuation + layout_->continuation.tail, chunk)) return 0;
  return chunk;
}

uint64_t ThreadSets::park_blocker(uint64_t thread) const {
  uint64_t blocker = 0;
  if (fields_.park_blocker != kAbsent) load_reference(*layout_, thread + fields_.park_blocker, blocker);
  return blocker;
}

int64_t ThreadSets::id(uint64_t thread) const {
  const auto id = static_cast<int64_t>(u64_at(thread + layout_->thread_object.id));
  return object_of(*layout_, thread, layout_->thread_object.virtual_class) == thread && id > 0 ? id : 0;
}

}  // namespace rec::agent
