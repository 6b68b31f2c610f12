// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/chunk_copies.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "format/reader/chunk_flaws.h"
#include "format/reader/chunk_header.h"
#include "format/reader/chunk_scanner.h"
#include "jrec/input/chunk_content.h"

namespace jrec {
namespace {

// What a reader would meet, and what it would not look at.
bool is_whole(const Stretch& stretch) {
  jfr::read::Problems problems;
  jfr::read::ChunkScanner scanner(stretch.bytes, problems);
  const auto extent = scanner.next();
  if (!extent || !extent->whole) return false;
  jfr::read::Chunk chunk(stretch.bytes, *extent, problems);
  jfr::read::note_flaws(chunk);
  return problems.empty();
}

bool hold_same_events(const Stretch& ours, const Stretch& theirs) {
  jfr::read::Problems problems;
  jfr::read::ChunkScanner our_scanner(ours.bytes, problems), their_scanner(theirs.bytes, problems);
  const auto our_extent = our_scanner.next(), their_extent = their_scanner.next();
  if (!our_extent || !their_extent) return false;
  jfr::read::Chunk one(ours.bytes, *our_extent, problems), other(theirs.bytes, *their_extent, problems);
  return same_events(one, other) && problems.empty();
}

// 0: it cannot be read.
int64_t start_ticks_of(Input& input, size_t stretch) {
  if (const Input::Outline outline = input.outline(stretch); outline.mapped) return outline.start_ticks;
  const auto bytes = input.read(stretch);
  if (!bytes) return 0;
  const auto header = jfr::read::parse_chunk_header(bytes->bytes, 0);
  return header ? header->start_ticks : 0;
}

bool begin_together(Input& input, size_t first, size_t second) {
  const int64_t ticks = start_ticks_of(input, first);
  return ticks != 0 && ticks == start_ticks_of(input, second);
}

}  // namespace

ChunkCopies::Which ChunkCopies::compare(Input& input, size_t first, size_t second) {
  if (!input.outline(first).mapped || !input.outline(second).mapped) return Which::kAlike;
  const auto ours = input.read(first), theirs = input.read(second);
  const bool are_alike = ours && theirs && same_bytes(*ours, *theirs);
  const bool is_first = !are_alike && ours && is_whole(*ours), is_second = !are_alike && theirs && is_whole(*theirs);
  for (const size_t each : {first, second}) input.let_go(input.outline(each).offset, input.outline(each).size);
  return are_alike ? Which::kAlike : is_first == is_second ? Which::kBoth : is_first ? Which::kFirst : Which::kSecond;
}

ChunkCopies::ChunkCopies(Input& input, jfr::read::Problems& problems) : taken_(input.stretches()) {
  for (size_t i = 0; i < taken_.size(); ++i) taken_[i] = i;
  if (taken_.empty() || input.outline(taken_.size() - 1).file == 0) return;
  find_equals(input, problems);
  find_early_copies(input);
}

// By merge, which gives chunks of several programs another clock.
bool ChunkCopies::is_rewritten(Input& input, size_t first, size_t second) {
  if (input.outline(first).file == input.outline(second).file || is_copy(first)) return false;
  const auto ours = input.read(first), theirs = input.read(second);
  const bool are_alike = ours && theirs && hold_same_events(*ours, *theirs);
  for (const size_t each : {first, second}) input.let_go(input.outline(each).offset, input.outline(each).size);
  return are_alike;
}

void ChunkCopies::find_equals(Input& input, jfr::read::Problems& problems) {
  std::map<std::array<uint64_t, 3>, size_t> known;
  std::map<std::array<uint64_t, 2>, size_t> first_of;  // such a time
  for (size_t i = 0; i < taken_.size(); ++i) {
    const Input::Outline outline = input.outline(i);
    if (!outline.is_chunk) continue;
    const auto [found, is_new] =
        known.try_emplace({static_cast<uint64_t>(outline.start_ns), outline.duration_ns, outline.size}, i);
    const auto [first, is_first] =
        first_of.try_emplace({static_cast<uint64_t>(outline.start_ns), outline.duration_ns}, i);
    if (is_new) {
      if (!is_first && is_rewritten(input, first->second, i)) leave_out(i, first->second);
      continue;
    }
    const Which which = compare(input, found->second, i);
    if (which == Which::kBoth) continue;
    const size_t left_out = which == Which::kSecond ? found->second : i;
    if (which != Which::kAlike)
      problems.add(base::Error{base::ErrorCode::kCorrupt, input.outline(left_out).offset,
                               "is damaged, and left out: another of the files has this chunk whole"});
    if (which == Which::kSecond) found->second = i;
    leave_out(left_out, found->second);
  }
}

// Of those that would have to be restored, that they begin together is enough.
bool ChunkCopies::is_early_copy(Input& input, size_t shorter, size_t longer) {
  if (!input.outline(shorter).mapped || !input.outline(longer).mapped) return true;
  const auto ours = input.read(shorter), theirs = input.read(longer);
  return ours && theirs && is_beginning_of(*ours, *theirs);
}

// No two chunks begin at one moment of both clocks. The second clock of one that has to be restored is looked at only where the first is the same.
void ChunkCopies::find_early_copies(Input& input) {
  std::multimap<int64_t, size_t> longest;
  for (size_t i = 0; i < taken_.size(); ++i) {
    const Input::Outline outline = input.outline(i);
    if (!outline.is_chunk || is_copy(i)) continue;
    const auto [first, last] = longest.equal_range(outline.start_ns);
    const auto found =
        std::find_if(first, last, [&](const auto& other) { return begin_together(input, other.second, i); });
    if (found == last) {
      longest.emplace(outline.start_ns, i);
      continue;
    }
    const uint64_t other_ns = input.outline(found->second).duration_ns;
    if (outline.duration_ns == other_ns || input.outline(found->second).file == outline.file) continue;
    const bool is_longer = outline.duration_ns > other_ns;
    const size_t shorter = is_longer ? found->second : i, longer = is_longer ? i : found->second;
    if (!is_early_copy(input, shorter, longer)) continue;
    found->second = longer;
    leave_out(shorter, longer);
  }
}

void ChunkCopies::leave_out(size_t stretch, size_t for_this) {
  std::ranges::replace(taken_, stretch, for_this);
  ++count_;
}

std::vector<size_t> ChunkCopies::copies_of(size_t stretch) const {
  std::vector<size_t> copies;
  for (size_t i = 0; i < taken_.size(); ++i)
    if (i != stretch && taken_[i] == stretch) copies.push_back(i);
  return copies;
}

}  // namespace jrec
