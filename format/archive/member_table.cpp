// SPDX-License-Identifier: Apache-2.0
#include "format/archive/member_table.h"

#include <cassert>

namespace jfr::archive {
namespace {

constexpr size_t kOfOneSize = 3;  // so many tables are taken into the next one
constexpr uint64_t kOneSize = 4;  // a table is of the size of what comes, if it is less than so many times as large

// Of those in front of `end`, where the ones begin that are of the size of what comes.
size_t first_of_size(std::span<const CommitSpan> spans, size_t end, uint64_t members) {
  while (end > 0 && spans[end - 1].members / kOneSize < members) --end;
  return end;
}

uint64_t members_of(std::span<const CommitSpan> spans) {
  uint64_t sum = 0;
  for (const CommitSpan& span : spans) sum += span.members;
  return sum;
}

}  // namespace

size_t spans_left_alone(std::span<const CommitSpan> spans, uint64_t added) {
  size_t left = spans.size();
  while (left > 0 && !spans[left - 1].has_table) --left;
  uint64_t sum = added + members_of(spans.subspan(left));
  if (sum < kFewestInTable) return spans.size();
  for (size_t first = first_of_size(spans, left, sum); left - first >= kOfOneSize;
       first = first_of_size(spans, left, sum)) {
    sum += members_of(spans.subspan(first, left - first));
    left = first;
  }
  return left;
}

std::vector<uint8_t> write_table(const CommitSpan& span, std::span<const Member> members, uint64_t at) {
  assert(span.members == members.size() && "a table has the members of its span");
  std::vector<uint8_t> out;
  append_back_or_none(at, span.before, out);
  append_varint(members.size(), out);
  for (const Member& member : members) {
    const std::vector<uint8_t> content = write_member(member);
    append_varint(content.size(), out);
    out.insert(out.end(), content.begin(), content.end());
  }
  append_metadata(span.metadata, at, out);
  return out;
}

std::optional<MemberTable> read_table(std::span<const uint8_t> bytes, uint64_t at) {
  MemberTable table;
  size_t cursor = 0;
  uint64_t count = 0;
  if (!take_back_or_none(bytes, cursor, at, table.before) || !take_varint(bytes, cursor, count) || count > bytes.size())
    return std::nullopt;
  for (; count > 0; --count) {
    uint64_t size = 0;
    if (!take_varint(bytes, cursor, size) || size > bytes.size() - cursor) return std::nullopt;
    auto member = read_member(bytes.subspan(cursor, size));
    if (!member) return std::nullopt;
    table.members.push_back(std::move(*member));
    cursor += size;
  }
  if (!take_metadata(bytes, cursor, at, table.metadata) || cursor != bytes.size()) return std::nullopt;
  return table;
}

}  // namespace jfr::archive
