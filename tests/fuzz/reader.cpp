// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: whatever the bytes, the reader and the commands built on it must neither crash, nor hang, nor take
// memory out of proportion. Seeds: any recordings.   fuzz_reader -max_len=300000 -rss_limit_mb=512 -timeout=5 CORPUS
// SEEDS
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "format/reader/chunk.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/event_range.h"
#include "format/reader/stack_frames.h"
#include "jrec/print/json_events.h"
#include "jrec/profile/frame_names.h"
#include "jrec/profile/stack_placer.h"
#include "jrec/profile/stack_tree.h"
#include "recover/repair.h"

namespace {

using namespace jfr::read;

// Texts are dropped as they are made; more than this of one input only costs time.
constexpr size_t kEnoughText = 8u << 20;

void read_stacks(Chunk& chunk) {
  jrec::StackTree tree;
  jrec::FrameNames names(chunk, tree);
  bool truncated = false;
  for (uint64_t key = 0; key < 32; ++key) tree.add(names.stack(key, truncated), key);
}

// Stacks that are placed by what they share with others end where each by itself does.
void place_stacks(Chunk& chunk) {
  jrec::StackTree tree, plain_tree;
  jrec::FrameNames names(chunk, tree), plain_names(chunk, plain_tree);
  jrec::StackPlacer placer(tree, names);
  bool truncated = false;
  for (uint64_t key = 0; key < 32; ++key) {
    const jrec::FrameNames::StackBytes bytes = names.find(key);
    if (bytes.count == 0) continue;
    const uint32_t node = plain_tree.add(plain_names.stack(key, truncated), key);
    if (placer.end(placer.path_of(bytes), key) != node) std::abort();
  }
  placer.finish();
  if (tree.totals() != plain_tree.totals()) std::abort();
}

void read_chunk(Chunk& chunk) {
  jrec::JsonEvents json(chunk, chunk.clock(), 64);
  std::string text;
  size_t made = 0;
  auto walk = chunk.events();
  for (Event event; walk.next(event) && made < kEnoughText;) {
    const Type* type = chunk.type_of(event);
    if (type == nullptr) continue;
    if (!json.append(event, *type, text))
      chunk.problems().add(base::Error{base::ErrorCode::kCorrupt, event.at, "cannot be decoded"});
    made += text.size();
    text.clear();
  }
  read_stacks(chunk);
  place_stacks(chunk);
}

// As a program does that was written against the library: its fields bound once, each asked for all that it may be.
void read_by_loops(Chunk& chunk) {
  constexpr size_t kSomeTypes = 16, kSomeFields = 6, kSomeEvents = 200, kSomeFrames = 500;
  const std::vector<Type>& types = chunk.metadata().types();
  for (size_t index = 0; index < std::min(types.size(), kSomeTypes); ++index) {
    const Type& type = types[index];
    std::vector<BoundField> fields;
    for (size_t i = 0; i < std::min(type.fields.size(), kSomeFields); ++i)
      fields.emplace_back(chunk, type, type.fields[i].name);
    size_t events = 0, frames = 0;
    for (const Event& event : EventRange(chunk, type)) {
      if (++events > kSomeEvents) break;
      for (BoundField& field : fields) {
        (void)field.integer(event), (void)field.real(event), (void)field.text(event), (void)field.nanos(event);
        for (const Frame& frame : StackFrames(field, event)) {
          if (++frames > kSomeFrames) break;
          (void)frame.name(field.fields()), (void)frame.kind_name(field.fields());
        }
      }
    }
  }
}

// A repair of what was repaired finds nothing to do.
void check_repair(std::span<const uint8_t> file, const ChunkExtent& extent) {
  const rec::Repair repair = rec::examine(file, extent);
  if (repair.verdict != rec::Repair::Verdict::kRepaired) return;
  std::vector<uint8_t> made(repair.header.begin(), repair.header.end());
  const auto kept = file.subspan(extent.offset, repair.size).subspan(jfr::kHeaderSize);
  made.insert(made.end(), kept.begin(), kept.end());
  for (const auto& patch : repair.patches)
    std::copy(patch.bytes.begin(), patch.bytes.end(), made.begin() + static_cast<std::ptrdiff_t>(patch.at));
  const auto header = parse_chunk_header(made, 0);
  if (!header) std::abort();
  const rec::Repair again = rec::examine(made, {0, made.size(), header.value(), true});
  if (again.verdict != rec::Repair::Verdict::kWhole) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const uint8_t> file(data, size);
  Problems problems;
  ChunkScanner scanner(file, problems);
  uint64_t end = 0;
  while (const auto extent = scanner.next()) {
    if (extent->offset < end || extent->size == 0 || extent->offset + extent->size > size)
      std::abort();  // chunks overlap, or stand still
    end = extent->offset + extent->size;
    Chunk chunk(file, *extent, problems);
    read_chunk(chunk);
    read_by_loops(chunk);
    check_repair(file, *extent);
  }
  return 0;
}
