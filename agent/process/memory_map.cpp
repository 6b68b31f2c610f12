// SPDX-License-Identifier: Apache-2.0
#include "agent/process/memory_map.h"

#include <fcntl.h>

#include <algorithm>

#include "agent/process/key_values.h"
#include "base/descriptor.h"
#include "base/file_io.h"
#include "base/text_lines.h"

namespace rec::agent {
namespace {

constexpr size_t kPiece = 64u << 10;
constexpr size_t kLongestLine = 8192;  // a path and some numbers
constexpr uint64_t kLargestGuard = 256u << 10, kArenaAlignment = 64u << 20;

bool overlaps(uint64_t begin, uint64_t end, uint64_t other_begin, uint64_t other_end) {
  return begin < other_end && other_begin < end;
}

}  // namespace

void MemorySums::add(std::string_view piece) {
  while (!piece.empty()) {
    const size_t end = piece.find('\n');
    const std::string_view part = piece.substr(0, end);
    if (rest_.size() + part.size() <= kLongestLine) rest_.append(part);
    if (end == piece.npos) return;
    line(rest_);
    rest_.clear();
    piece.remove_prefix(end + 1);
  }
}

void MemorySums::line(std::string_view text) {
  if (begins_mapping(text)) return;
  const int64_t resident = number_of(text, now_.several_times ? "Pss" : "Rss");
  if (resident != kNotTold) bytes_[static_cast<size_t>(now_.kind)] += resident;
  if (const int64_t swap = number_of(text, "Swap"); swap != kNotTold) swapped_ += swap;
}

bool MemorySums::begins_mapping(std::string_view text) {
  base::MappingLine next;
  if (!base::parse_mapping_line(text, next)) return false;
  before_ = now_;
  now_ = {.begin = next.begin, .end = next.end};
  now_.accessible = !next.rights.starts_with("---");
  now_.nameless = next.name.empty();
  now_.several_times = next.name.find("java_heap") != next.name.npos;
  now_.kind = kind_of(now_, next.name);
  return true;
}

MemoryKind MemorySums::kind_of(const Mapping& mapping, std::string_view name) const {
  if (mapping.several_times || overlaps(mapping.begin, mapping.end, known_.heap_begin, known_.heap_end))
    return MemoryKind::kHeap;
  if (overlaps(mapping.begin, mapping.end, known_.code_begin, known_.code_end)) return MemoryKind::kCode;
  if (name.starts_with("[stack")) return MemoryKind::kStacks;
  if (name.starts_with("/memfd:") || name.starts_with("/dev/shm/") || name.starts_with("/dev/zero") ||
      name.starts_with("/SYSV"))
    return MemoryKind::kShared;
  if (name.starts_with('/') || name.starts_with("[v")) return MemoryKind::kFiles;  // [vdso], [vvar]
  const bool guarded =
      !before_.accessible && before_.end == mapping.begin && before_.end - before_.begin <= kLargestGuard;
  if (mapping.nameless && mapping.accessible && guarded && mapping.begin % kArenaAlignment != 0)
    return MemoryKind::kStacks;
  return MemoryKind::kNative;
}

bool read_memory_map(MemorySums& sums) {
  const base::Descriptor file(open("/proc/self/smaps", O_RDONLY | O_CLOEXEC));
  if (!file) return false;
  std::string piece(kPiece, '\0');
  for (;;) {
    const ssize_t size = base::read_some(file.fd(), piece.data(), piece.size());
    if (size < 0) return false;
    if (size == 0) return true;
    sums.add({piece.data(), static_cast<size_t>(size)});
  }
}

}  // namespace rec::agent
