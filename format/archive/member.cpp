// SPDX-License-Identifier: Apache-2.0
#include "format/archive/member.h"

#include <xxhash.h>

#include <algorithm>

#include "format/archive/number_codec.h"

namespace jfr::archive {
namespace {

constexpr size_t kLongestName = 255;
constexpr uint64_t kMoreOfBases =
    1;  // instead of a distance, of which none is -1: 2 * their number + same_program follows

void append_text(std::string_view text, std::vector<uint8_t>& out) {
  append_varint(text.size(), out);
  out.insert(out.end(), text.begin(), text.end());
}

using TypeNames = std::vector<std::string>;  // of far events, in the order in which a member has them

// A new name follows its number.
void append_far(std::span<const FarStarts> far, int64_t begin_ns, TypeNames& types, std::vector<uint8_t>& out) {
  append_varint(far.size(), out);
  for (const FarStarts& starts : far) {
    const auto known = static_cast<size_t>(std::ranges::find(types, starts.type) - types.begin());
    append_varint(known, out);
    if (known == types.size()) append_text(types.emplace_back(starts.type), out);
    append_varint(zigzag(static_cast<uint64_t>(starts.first_ns) - static_cast<uint64_t>(begin_ns)), out);
    append_varint(static_cast<uint64_t>(starts.last_ns) - static_cast<uint64_t>(starts.first_ns), out);
  }
}

void append_bases(const Part& part, std::vector<uint8_t>& out) {
  if (part.bases.empty()) append_varint(0, out);
  if (part.bases.size() > 1 || part.same_program) {
    append_varint(kMoreOfBases, out);
    append_varint(2 * part.bases.size() + part.same_program, out);
  }
  for (const BaseChunk& base : part.bases) {
    append_varint(zigzag(base.chunk - part.piece), out);
    append_varint(zigzag(base.metadata - part.piece), out);
  }
}

int64_t later(int64_t time_ns, uint64_t by_ns) {
  int64_t later = 0;
  return __builtin_add_overflow(time_ns, by_ns, &later) ? INT64_MAX : later;
}

// Reads what write_member() wrote; fails for good.
struct MemberReader {
  std::span<const uint8_t> bytes;
  size_t at = 0;
  bool ok = true;
  uint64_t begin_ns = 0;  // of the first part
  TypeNames types;

  uint64_t leb() {
    uint64_t value = 0;
    ok = ok && take_varint(bytes, at, value);
    return ok ? value : 0;
  }
  // Of things that take a byte each at least.
  uint64_t count() {
    const uint64_t value = leb();
    if (value > bytes.size() - at) ok = false;
    return ok ? value : 0;
  }
  std::string text() {
    const uint64_t size = count();
    at += size;
    return std::string(reinterpret_cast<const char*>(bytes.data()) + at - size, size);
  }
  void bases(Part& part) {
    uint64_t first = leb(), count = first == 0 ? 0 : 1;
    if (first == kMoreOfBases) {
      const uint64_t more = leb();
      count = more / 2;
      part.same_program = (more & 1) != 0;
      first = leb();
      if (count == 0 || count > kMostBases) ok = false;
    }
    for (uint64_t i = 0; i < count && ok; ++i) {
      const uint64_t chunk = i == 0 ? first : leb();
      part.bases.push_back({part.piece + unzigzag(chunk), part.piece + unzigzag(leb())});
    }
  }
  void far(std::vector<FarStarts>& far) {
    for (uint64_t left = count(); left > 0 && ok; --left) {
      FarStarts& starts = far.emplace_back();
      const uint64_t type = leb();
      if (type > types.size()) ok = false;
      if (!ok) return;
      if (type == types.size()) types.push_back(text());
      starts.type = types[type];
      const uint64_t first = begin_ns + unzigzag(leb());
      starts.first_ns = static_cast<int64_t>(first);
      starts.last_ns = static_cast<int64_t>(first + leb());
    }
  }
};

}  // namespace

int64_t Part::end_ns() const { return later(start_ns, duration_ns); }
int64_t Part::last_event_ns() const { return later(end_ns(), late_ns); }

int64_t Part::first_event_ns() const {
  int64_t first = 0;
  return __builtin_sub_overflow(start_ns, early_ns, &first) ? INT64_MIN : first;
}

ContentHash content_hash(std::span<const uint8_t> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

bool is_member_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name != "." && name != ".." &&
         std::ranges::none_of(name, [](char c) { return c == '/' || static_cast<uint8_t>(c) < 0x20 || c == 0x7f; });
}

std::vector<uint8_t> write_member(const Member& member) {
  std::vector<uint8_t> out;
  append_text(member.name, out);
  append_varint(member.labels.size(), out);
  for (const std::string& label : member.labels) append_text(label, out);
  append_varint(zigzag(static_cast<uint64_t>(member.added_ns)), out);
  append_varint(member.size, out);
  for (const uint64_t half : member.hash) append_varint(half, out);
  append_varint(member.parts.size(), out);
  uint64_t before = 0;
  int64_t start = 0;
  TypeNames types;
  for (const Part& part : member.parts) {
    append_varint(zigzag(part.piece - before), out);
    append_varint(part.size, out);
    append_varint(zigzag(static_cast<uint64_t>(part.start_ns) - static_cast<uint64_t>(start)), out);
    append_varint(part.duration_ns, out);
    append_varint(part.early_ns, out);
    append_varint(part.late_ns, out);
    append_far(part.far, member.parts.front().start_ns, types, out);
    append_varint(part.metadata.size(), out);
    for (const uint64_t piece : part.metadata) append_varint(zigzag(piece - part.piece), out);
    append_bases(part, out);
    before = part.piece;
    start = part.start_ns;
  }
  return out;
}

std::optional<Member> read_member(std::span<const uint8_t> bytes) {
  MemberReader in{bytes};
  Member member;
  member.name = in.text();
  for (uint64_t labels = in.count(); labels > 0 && in.ok; --labels) member.labels.push_back(in.text());
  member.added_ns = static_cast<int64_t>(unzigzag(in.leb()));
  member.size = in.leb();
  for (uint64_t& half : member.hash) half = in.leb();
  uint64_t piece = 0, start = 0, size = 0;
  for (uint64_t parts = in.count(); parts > 0 && in.ok; --parts) {
    Part part;
    part.piece = piece += unzigzag(in.leb());
    part.size = in.leb();
    part.start_ns = static_cast<int64_t>(start += unzigzag(in.leb()));
    part.duration_ns = in.leb();
    part.early_ns = in.leb();
    part.late_ns = in.leb();
    if (member.parts.empty()) in.begin_ns = start;
    in.far(part.far);
    for (uint64_t count = in.count(); count > 0 && in.ok; --count)
      part.metadata.push_back(part.piece + unzigzag(in.leb()));
    in.bases(part);
    if (__builtin_add_overflow(size, part.size, &size)) in.ok = false;
    member.parts.push_back(std::move(part));
  }
  if (!in.ok || in.at != bytes.size() || size != member.size || !is_member_name(member.name)) return std::nullopt;
  return member;
}

}  // namespace jfr::archive
