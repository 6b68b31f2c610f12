// SPDX-License-Identifier: Apache-2.0
// A second opinion on what the writer wrote: a small strict decoder that shares no code with format/. It throws Fault
// with an offset for whatever a reader would stumble over (sizes that do not match content, types not declared, events
// past the end), and lists what a reader would miss: references without a constant, checkpoints that no chain leads to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace walk {

using Bytes = std::vector<uint8_t>;

struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// `what` is a text, or a function that makes one: only what is thrown is made.
template <typename What>
void require(bool condition, const What& what, uint64_t at) {
  if (condition) return;
  if constexpr (std::is_invocable_v<What>)
    throw Fault("at " + std::to_string(at) + ": " + what());
  else
    throw Fault("at " + std::to_string(at) + ": " + std::string(what));
}

class Cursor {
 public:
  Cursor(const Bytes& bytes, uint64_t at) : bytes_(bytes), at_(at) {}
  uint64_t at() const { return at_; }
  uint8_t u8() {
    require(at_ < bytes_.size(), "the file ends", at_);
    return bytes_[at_++];
  }
  uint64_t leb() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) {
      const uint8_t byte = u8();
      value |= uint64_t{byte & 0x7fu} << (7 * i);
      if (byte < 0x80) return value;
    }
    return value | uint64_t{u8()} << 56;
  }
  uint64_t be(int width) {
    uint64_t value = 0;
    for (int i = 0; i < width; ++i) value = value << 8 | u8();
    return value;
  }
  std::string text() {
    const uint8_t encoding = u8();
    if (encoding <= 1) return {};
    require(encoding == 3, "text encoding " + std::to_string(encoding), at_);
    std::string out;
    for (uint64_t left = leb(); left > 0; --left) out.push_back(static_cast<char>(u8()));
    return out;
  }

 private:
  const Bytes& bytes_;
  uint64_t at_;
};

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::vector<Element> children;
  uint64_t number(const std::string& key) const { return std::stoull(attributes.at(key)); }
};

struct Event {
  std::string type;
  uint64_t offset, size, start_ticks;
};

struct Chunk {
  uint64_t size, checkpoint, metadata, start_nanos, duration, start_ticks, metadata_id = 0;
  uint16_t flags;
  Element root;
  std::map<uint64_t, const Element*> types;
  std::set<std::pair<uint64_t, uint64_t>> constants;  // type, key
  std::vector<std::pair<uint64_t, uint64_t>> references;
  std::set<std::pair<uint64_t, uint64_t>> dangling;  // references without a constant
  std::vector<uint64_t> chained;                     // offsets of checkpoints by the chain
  std::set<uint64_t> walked;                         // and by the walk over the events
  std::set<uint64_t> unchained;                      // walked, but not on the chain
  std::vector<Event> events;

  size_t count(const std::string& type) const {
    size_t n = 0;
    for (const Event& event : events) n += event.type == type;
    return n;
  }
};

class Walker {
 public:
  explicit Walker(const Bytes& bytes) : bytes_(bytes) {}

  Chunk chunk() {
    read_header();
    read_metadata();
    read_pools();
    walk_events();
    for (const auto& reference : chunk_.references)
      if (reference.second != 0 && chunk_.constants.count(reference) == 0) chunk_.dangling.insert(reference);
    for (uint64_t at : chunk_.walked)
      if (std::count(chunk_.chained.begin(), chunk_.chained.end(), at) != 1) chunk_.unchained.insert(at);
    return std::move(chunk_);
  }

 private:
  void read_header() {
    Cursor in(bytes_, 0);
    require(in.be(4) == 0x464c5200, "magic", 0);
    require(in.be(4) == 0x00020001, "version", 4);
    chunk_.size = in.be(8);
    chunk_.checkpoint = in.be(8);
    chunk_.metadata = in.be(8);
    chunk_.start_nanos = in.be(8);
    chunk_.duration = in.be(8);
    chunk_.start_ticks = in.be(8);
    require(in.be(8) == 1'000'000'000, "ticks per second", 56);
    require(in.be(2) == 0, "state and pad", 64);
    chunk_.flags = static_cast<uint16_t>(in.be(2));
    require(chunk_.size == bytes_.size(),
            "the header says " + std::to_string(chunk_.size) + " bytes, the file has " + std::to_string(bytes_.size()),
            8);
  }

  Element read_element(Cursor& in, const std::vector<std::string>& strings) {
    Element element;
    element.name = strings.at(in.leb());
    for (uint64_t n = in.leb(); n > 0; --n) {
      const std::string key = strings.at(in.leb());
      const bool is_new = element.attributes.emplace(key, strings.at(in.leb())).second;
      require(
          is_new, [&] { return "attribute " + key + " twice"; }, in.at());
    }
    const uint64_t children = in.leb();
    element.children.reserve(std::min<uint64_t>(children, 256));
    for (uint64_t n = children; n > 0; --n) element.children.push_back(read_element(in, strings));
    return element;
  }

  void read_metadata() {
    Cursor in(bytes_, chunk_.metadata);
    const uint64_t size = in.leb();
    require(in.leb() == 0, "metadata has type 0", chunk_.metadata);
    in.leb();
    require(in.leb() == 0, "metadata has no duration", chunk_.metadata);
    chunk_.metadata_id = in.leb();
    std::vector<std::string> strings(in.leb());
    for (std::string& string : strings) string = in.text();
    chunk_.root = read_element(in, strings);
    require(in.at() == chunk_.metadata + size, "metadata size", chunk_.metadata);
    require(chunk_.root.children.size() == 2 && chunk_.root.children[1].name == "region", "a region", chunk_.metadata);
    for (const Element& type : chunk_.root.children[0].children)
      require(chunk_.types.emplace(type.number("id"), &type).second, "type id twice", chunk_.metadata);
  }

  void read_value(Cursor& in, uint64_t type_id) {
    const auto found = chunk_.types.find(type_id);
    require(
        found != chunk_.types.end(), [&] { return "type " + std::to_string(type_id) + " is not declared"; }, in.at());
    const Element& type = *found->second;
    const std::string& name = type.attributes.at("name");
    if (name == "boolean" || name == "byte") return static_cast<void>(in.u8());
    if (name == "float") return static_cast<void>(in.be(4));
    if (name == "double") return static_cast<void>(in.be(8));
    if (name == "java.lang.String") return static_cast<void>(in.text());
    if (type.children.empty()) return static_cast<void>(in.leb());
    read_fields(in, type);
  }

  void read_fields(Cursor& in, const Element& type) {
    for (const Element& field : type.children) {
      if (field.name != "field") continue;
      uint64_t count = field.attributes.count("dimension") ? in.leb() : 1;
      for (; count > 0; --count) {
        if (!field.attributes.count("constantPool"))
          read_value(in, field.number("class"));
        else
          chunk_.references.emplace_back(field.number("class"), in.leb());
      }
    }
  }

  void read_pools() {
    for (uint64_t at = chunk_.checkpoint;;) {
      chunk_.chained.push_back(at);
      Cursor in(bytes_, at);
      const uint64_t size = in.leb();
      require(in.leb() == 1, "no checkpoint here", at);
      in.leb();
      in.leb();
      const int64_t delta = static_cast<int64_t>(in.leb());
      in.u8();
      for (uint64_t pools = in.leb(); pools > 0; --pools) read_pool(in);
      require(in.at() == at + size, "checkpoint size", at);
      if (delta == 0) return;
      require(delta < 0 && static_cast<uint64_t>(-delta) < at, "checkpoint delta", at);
      at -= static_cast<uint64_t>(-delta);
    }
  }

  void read_pool(Cursor& in) {
    const uint64_t type = in.leb();
    const uint64_t count = in.leb();
    require(count > 0, "a pool without an entry", in.at());
    for (uint64_t i = 0; i < count; ++i) {
      require(chunk_.constants.emplace(type, in.leb()).second, "a key twice", in.at());
      read_value(in, type);
    }
  }

  void walk_events() {
    uint64_t at = 68;
    while (at < chunk_.size) {
      Cursor in(bytes_, at);
      const uint64_t size = in.leb();
      require(
          size > 0 && size <= chunk_.size - at, [&] { return "event size " + std::to_string(size); }, at);
      walk_event(in, at, size);
      at += size;
    }
  }

  void walk_event(Cursor& in, uint64_t at, uint64_t size) {
    const uint64_t type = in.leb();
    if (type == 0) return require(at == chunk_.metadata, "another metadata event", at);
    if (type == 1) return static_cast<void>(chunk_.walked.insert(at));
    require(
        chunk_.types.count(type) == 1, [&] { return "event type " + std::to_string(type); }, at);
    const std::string& name = chunk_.types[type]->attributes.at("name");
    Cursor start = in;
    chunk_.events.push_back({name, at, size, start.leb()});
    read_fields(in, *chunk_.types[type]);
    require(
        name == "rec.Filler" ? in.at() <= at + size : in.at() == at + size,
        [&] { return name + " has another size than its content"; }, at);
  }

  const Bytes& bytes_;
  Chunk chunk_;
};

inline Chunk chunk(const Bytes& bytes) { return Walker(bytes).chunk(); }

}  // namespace walk
