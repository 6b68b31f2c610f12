// SPDX-License-Identifier: Apache-2.0
// `jrec flame`: a flame graph as one HTML page that needs nothing else. `jrec heatmap` is the same page with its time
// drawn as a map.
//
// The page is the template flame_page.html (page.h) with this data:
//
//   data: {"event","unit","start","seconds","view","total","samples","truncated","names":[...],
//          "nodes":[name, depth, kind, self, ...]        page_nodes.h
//          "threads":[name...],                          with a timeline
//          "timeline":{"bucket_ms","rows","buckets","time":[...],"thread":[...],"node":[...],"weight":[...]}
//          "before_name","before":[...],                 with two recordings: the weight of each node in the first
//          "folded","folded_weight",                     where there are more frames than the page has (folded_tree.h)
//          "note"}                                       where there are no samples
//
// A timeline is columns of entries (flame_timeline.h) in the order of time.
#pragma once

#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/flame/flame_timeline.h"
#include "jrec/flame/page_nodes.h"
#include "jrec/profile/profile.h"

namespace jrec {

struct FlameOptions {
  std::vector<std::string> files;  // treated as one
  std::string out;                 // path; empty: standard output
  std::string title;               // empty: the file's name
  std::string before;              // another recording to compare with; empty: none
  bool heatmap = false;
  uint32_t rows = 50;  // of the heatmap's columns
  // Of more frames than that the thinnest are folded (folded_tree.h), but where two recordings are compared; 0: none are.
  size_t frames = 200'000;
  bool text = false;  // lines, no page (flame_text.h):
  double least_percent = 1;
  size_t text_rows = 500;
  ProfileOptions profile;
};

ExitCode run_flame(const FlameOptions& options, Output& out);

// What a page shows. The tree, its order and the timeline belong to the caller.
struct FlameData {
  const StackTree* tree = nullptr;
  const std::vector<PlacedNode>* order = nullptr;  // of its nodes on the page
  std::string event, unit;
  int64_t start_ns = 0;
  uint64_t duration_ns = 0;
  uint64_t samples = 0, truncated = 0;
  const FlameTimeline* timeline = nullptr;  // with places on the page for nodes; may be missing
  const std::vector<SampleThread>* threads = nullptr;
  bool heatmap = false;
  const std::vector<uint64_t>* before = nullptr;  // by node; may be missing
  std::string before_name;
  size_t folded = 0;  // frames that the tree no longer has, and what they weigh
  uint64_t folded_weight = 0;
  std::string note;  // what to say where there is nothing to show
};

void append_flame_data(const FlameData& data, std::string& out);

}  // namespace jrec
