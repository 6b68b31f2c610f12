// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/type_ids.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <set>
#include <string_view>

#include "format/reader/wire_string.h"
#include "jrec/files/wire_bytes.h"

namespace jrec {
namespace {

using jfr::read::Cursor;
using jfr::read::Metadata;
using jfr::read::Type;

constexpr uint64_t kNoId = ~uint64_t{0};     // what the reader gives to a type whose id is none
constexpr uint64_t kLargestId = 0xffffffff;  // fresh ids start above the largest one below this

// Copies the tree of a metadata event, with other numbers in it.
class Renumbering {
 public:
  Renumbering(Cursor in, const TypeIds::Map& ids) : in_(in), ids_(ids) {}

  void run(WireBytes& out) {
    read_strings();
    element(0);
    out.leb(strings_.size());
    out.add(string_bytes_.bytes());
    out.add(tree_.bytes());
  }

 private:
  void read_strings() {
    for (uint64_t left = in_.leb(); left > 0 && in_.ok(); --left) {
      const jfr::read::WireString string = jfr::read::read_wire_string(in_);
      std::string text;
      jfr::read::append_text(string, text);
      add_string(std::move(text));
    }
  }

  uint64_t add_string(std::string text) {
    string_bytes_.utf8(text);
    strings_.push_back(std::move(text));
    return strings_.size() - 1;
  }

  void element(uint32_t depth) {
    if (depth > jfr::read::kMaxElementDepth) return;
    const uint64_t name = in_.leb();
    tree_.leb(name);
    const bool is_class = text(name) == "class";
    uint64_t attributes = in_.leb();
    tree_.leb(attributes);
    for (; attributes > 0 && in_.ok(); --attributes) {
      const uint64_t key = in_.leb(), value = in_.leb();
      const bool is_number = text(key) == "class" || (is_class && text(key) == "id");
      tree_.leb(key);
      tree_.leb(is_number ? renumbered(value) : value);
    }
    uint64_t children = in_.leb();
    tree_.leb(children);
    for (; children > 0 && in_.ok(); --children) element(depth + 1);
  }

  std::string_view text(uint64_t string) const {
    return string < strings_.size() ? strings_[string] : std::string_view();
  }

  // The string that holds the new number of what the string `old` holds.
  uint64_t renumbered(uint64_t old) {
    const auto [known, fresh] = renumbered_.try_emplace(old, old);
    if (!fresh) return known->second;
    uint64_t id = 0;
    const std::string_view digits = text(old);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
    const auto found = ids_.find(id);
    if (error == std::errc() && end == digits.data() + digits.size() && found != ids_.end() && found->second != id)
      known->second = add_string(std::to_string(found->second));
    return known->second;
  }

  Cursor in_;
  const TypeIds::Map& ids_;
  std::vector<std::string> strings_;
  std::unordered_map<uint64_t, uint64_t, jfr::read::KeyHash> renumbered_;
  WireBytes string_bytes_, tree_;
};

}  // namespace

void TypeIds::reserve(const Metadata& metadata) {
  for (const Type& type : metadata.types())
    if (type.id < kLargestId) largest_ = std::max(largest_, type.id);
}

TypeIds::Map TypeIds::map(const Metadata& metadata, size_t group) {
  Map ids;
  std::set<uint64_t> taken;
  for (const Type& type : metadata.types()) {
    if (type.id == kNoId) continue;
    assert((type.id >= kLargestId || type.id <= largest_) && "reserve() sees all metadata before the first is mapped");
    const auto [known, first] = known_.try_emplace({group, type.id}, std::string(type.name), type.id);
    const bool another = known->second.first != type.name;  // a program that gives numbers anew in each chunk
    uint64_t id = known->second.second;
    if (group != 0 && (first || another)) {
      const auto event = type.event ? events_.find(type.name) : events_.end();
      id = event != events_.end() ? event->second : fresh();
    }
    if (!taken.insert(id).second) id = fresh();
    known->second = {std::string(type.name), id};
    if (type.event) events_.try_emplace(std::string(type.name), id);
    ids.emplace(type.id, id);
  }
  return ids;
}

std::vector<uint8_t> renumbered_metadata(std::span<const uint8_t> chunk, uint64_t at, const TypeIds::Map& ids,
                                         uint64_t metadata_id, int64_t start_ticks) {
  Cursor head(chunk, at);
  const uint64_t size = head.leb();
  Cursor in(chunk, head.at(), std::min<uint64_t>(at + size, chunk.size()));
  WireBytes body;
  body.leb(in.leb());  // type
  in.skip_lebs(3);     // start, duration, id
  body.leb(static_cast<uint64_t>(start_ticks));
  body.leb(0);
  body.leb(metadata_id);
  Renumbering(in, ids).run(body);
  WireBytes event;
  put_event_size(body.size(), event);
  event.add(body.bytes());
  return {event.bytes().begin(), event.bytes().end()};
}

}  // namespace jrec
