// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <numeric>
#include <vector>

#include "jrec/flame/flame.h"
#include "jrec/flame/page_json.h"
#include "jrec/flame/page_nodes.h"
#include "jrec/values/time_text.h"

namespace jrec {
namespace {

// Every number is itself.
std::vector<uint32_t> as_they_are(size_t count) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

void append_timeline(const FlameData& data, std::string& out) {
  append_list("threads", *data.threads, out, [&](const SampleThread& thread) {
    append_shown(thread.id() == 0 ? thread.name : fmt::format("{} ({})", thread.name, thread.id()), out);
  });
  append_format(out, ",\"timeline\":{{\"bucket_ms\":{},\"rows\":{},\"buckets\":{},",
                static_cast<double>(data.timeline->bucket_ns()) / 1e6, data.timeline->rows(), data.timeline->buckets());
  const std::vector<uint32_t> threads = as_they_are(data.threads->size());
  append_entries(*data.timeline, {threads}, out);
  out += '}';
}

}  // namespace

void append_flame_data(const FlameData& data, std::string& out) {
  const std::vector<PlacedNode>& order = *data.order;
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
  out += ",\"nodes\":";
  append_nodes(*data.tree, order, as_they_are(data.tree->names().size()), out);
  if (data.timeline != nullptr) append_timeline(data, out);
  if (data.before != nullptr) {
    out += ",\"before_name\":";
    append_shown(data.before_name, out);
    append_list("before", order, out, [&](const PlacedNode& at) { append_number((*data.before)[at.node], out); });
  }
  if (data.folded != 0) append_format(out, ",\"folded\":{},\"folded_weight\":{}", data.folded, data.folded_weight);
  if (!data.note.empty()) {
    out += ",\"note\":";
    append_shown(data.note, out);
  }
  out += '}';
}

}  // namespace jrec
