// SPDX-License-Identifier: Apache-2.0
#include "tests/format/reader_builder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>

namespace test {
namespace {

void be(Bytes& out, uint64_t value, int width) {
  for (int shift = 8 * (width - 1); shift >= 0; shift -= 8) out.push_back(static_cast<uint8_t>(value >> shift));
}

void utf8(Bytes& out, std::string_view text) {
  out.push_back(3);
  RecordingBuilder::leb(out, text.size());
  out.insert(out.end(), text.begin(), text.end());
}

// The string table and the elements of a metadata event.
class Tree {
 public:
  using Attributes = std::vector<std::pair<std::string, std::string>>;

  void open(const std::string& name, const Attributes& attributes, size_t children) {
    RecordingBuilder::leb(elements_, index(name));
    RecordingBuilder::leb(elements_, attributes.size());
    for (const auto& [key, value] : attributes) {
      RecordingBuilder::leb(elements_, index(key));
      RecordingBuilder::leb(elements_, index(value));
    }
    RecordingBuilder::leb(elements_, children);
  }

  using Member = RecordingBuilder::Member;

  void type(uint64_t id, const std::string& name, const std::string& super, const std::vector<Member>& fields,
            bool simple = false) {
    Attributes attributes = {{"name", name}, {"id", std::to_string(id)}};
    if (!super.empty()) attributes.emplace_back("superType", super);
    if (simple) attributes.emplace_back("simpleType", "true");
    open("class", attributes, fields.size());
    for (const Member& field : fields) {
      Attributes of = {{"name", field.name}, {"class", std::to_string(field.type)}};
      if (field.constant) of.emplace_back("constantPool", "true");
      if (field.array) of.emplace_back("dimension", "1");
      open("field", of, field.ticks == 0 ? 0 : 1);
      const char* const unit = field.ticks == RecordingBuilder::kBits ? "BITS" : "TICKS";
      if (field.ticks != 0) open("annotation", {{"class", std::to_string(field.ticks)}, {"value", unit}}, 0);
    }
  }

  Bytes bytes() const {
    Bytes out;
    RecordingBuilder::leb(out, strings_.size());
    for (const std::string& string : strings_) utf8(out, string);
    out.insert(out.end(), elements_.begin(), elements_.end());
    return out;
  }

 private:
  size_t index(const std::string& text) {
    const auto found = std::find(strings_.begin(), strings_.end(), text);
    if (found != strings_.end()) return static_cast<size_t>(found - strings_.begin());
    strings_.push_back(text);
    return strings_.size() - 1;
  }

  std::vector<std::string> strings_;
  Bytes elements_;
};

}  // namespace

void RecordingBuilder::leb(Bytes& out, uint64_t value) {
  for (int i = 0; i < 8 && value >= 0x80; ++i, value >>= 7) out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

void RecordingBuilder::open_chunk() {
  start_ = out_.size();
  last_checkpoint_ = 0;
  pools_.clear();
  out_.resize(start_ + 68);
  metadata();
}

void RecordingBuilder::event(Bytes body) {
  Bytes head;
  leb(head, body.size() + 1);
  if (head.size() > 1) head.clear(), leb(head, body.size() + 2);
  put(head);
  put(body);
}

void RecordingBuilder::metadata() {
  Tree tree;
  tree.open("root", {}, 2);
  tree.open("metadata", {}, 16 + (more_.empty() ? 0 : more_.size() + 7));
  tree.type(
      kSample, "jdk.ExecutionSample", "jdk.jfr.Event",
      {{"startTime", kLong}, {"sampledThread", kThread, true}, {"stackTrace", kStackTrace, true}, {"weight", kInt}});
  tree.type(kText, "test.Text", "jdk.jfr.Event", {{"startTime", kLong}, {"text", kString}});
  tree.type(kLoss, "jdk.DataLoss", "jdk.jfr.Event", {{"startTime", kLong}, {"amount", kLong}, {"total", kLong}});
  std::vector<Member> of_thread = {{"osName", kString}};
  if (!more_.empty()) of_thread.push_back({"javaThreadId", kLong});
  tree.type(kThread, "java.lang.Thread", "", of_thread);
  tree.type(kClass, "java.lang.Class", "", {{"name", kSymbol, true}});
  tree.type(kMethod, "jdk.types.Method", "", {{"type", kClass, true}, {"name", kSymbol, true}});
  tree.type(kSymbol, "jdk.types.Symbol", "", {{"string", kString}}, true);
  tree.type(kStackTrace, "jdk.types.StackTrace", "", {{"truncated", kBoolean}, {"frames", kStackFrame, false, true}});
  tree.type(kStackFrame, "jdk.types.StackFrame", "",
            {{"method", kMethod, true}, {"lineNumber", kInt}, {"type", kFrameType, true}});
  tree.type(kFrameType, "jdk.types.FrameType", "", {{"description", kString}}, true);
  tree.type(kLinked, "test.Linked", "jdk.jfr.Event", {{"startTime", kLong}, {"link", kLink, true}});
  tree.type(kLink, "test.Link", "", {{"left", kLink, true}, {"right", kLink, true}});
  tree.type(kBoolean, "boolean", "", {});
  tree.type(kInt, "int", "", {});
  tree.type(kLong, "long", "", {});
  tree.type(kString, "java.lang.String", "", {});
  if (!more_.empty()) {
    tree.type(kDouble, "double", "", {});
    tree.type(kTimestamp, "jdk.jfr.Timestamp", "java.lang.annotation.Annotation", {});
    tree.type(kTimespan, "jdk.jfr.Timespan", "java.lang.annotation.Annotation", {});
    tree.type(kFloat, "float", "", {});
    tree.type(kBits, "jdk.jfr.DataAmount", "java.lang.annotation.Annotation", {});
    tree.type(kAddress, "jdk.jfr.MemoryAddress", "java.lang.annotation.Annotation", {});
    tree.type(kChar, "char", "", {});
  }
  for (const EventType& type : more_) tree.type(type.id, type.name, "jdk.jfr.Event", type.fields);
  tree.open("region", {{"locale", "en_US"}, {"gmtOffset", "3600000"}}, 0);
  metadata_ = out_.size() - start_;
  Bytes body = {0, 0, 0, 1};  // type, start, duration, metadata id
  const Bytes content = tree.bytes();
  body.insert(body.end(), content.begin(), content.end());
  event(body);
}

Bytes& RecordingBuilder::entry(Type type, uint64_t key) {
  auto pool = std::find_if(pools_.begin(), pools_.end(), [&](const Pool& p) { return p.type == type; });
  if (pool == pools_.end()) pool = pools_.insert(pools_.end(), Pool{type, 0, {}});
  ++pool->count;
  leb(pool->body, key);
  return pool->body;
}

RecordingBuilder& RecordingBuilder::symbol(uint64_t key, std::string_view text) {
  utf8(entry(kSymbol, key), text);
  return *this;
}

RecordingBuilder& RecordingBuilder::klass(uint64_t key, uint64_t name) {
  leb(entry(kClass, key), name);
  return *this;
}

RecordingBuilder& RecordingBuilder::method(uint64_t key, uint64_t klass, uint64_t name) {
  Bytes& body = entry(kMethod, key);
  leb(body, klass);
  leb(body, name);
  return *this;
}

RecordingBuilder& RecordingBuilder::stack(uint64_t key, const std::vector<FrameRef>& top_first, bool truncated) {
  Bytes& body = entry(kStackTrace, key);
  body.push_back(truncated ? 1 : 0);
  leb(body, top_first.size());
  for (const FrameRef& frame : top_first) {
    leb(body, frame.method);
    leb(body, static_cast<uint32_t>(frame.line));
    leb(body, frame.type);
  }
  return *this;
}

RecordingBuilder& RecordingBuilder::frame_type(uint64_t key, std::string_view description) {
  utf8(entry(kFrameType, key), description);
  return *this;
}

RecordingBuilder& RecordingBuilder::simple_stack(uint64_t key, std::string_view class_name,
                                                 std::string_view method_name) {
  return symbol(key * 2, class_name)
      .symbol(key * 2 + 1, method_name)
      .klass(key, key * 2)
      .method(key, key, key * 2 + 1)
      .stack(key, {{key, 7}});
}

RecordingBuilder& RecordingBuilder::thread(uint64_t key, std::string_view name, uint64_t java_id) {
  Bytes& body = entry(kThread, key);
  utf8(body, name);
  leb(body, java_id);
  return *this;
}

RecordingBuilder& RecordingBuilder::link(uint64_t key, uint64_t left, uint64_t right) {
  Bytes& body = entry(kLink, key);
  leb(body, left);
  leb(body, right);
  return *this;
}

RecordingBuilder& RecordingBuilder::linked(int64_t ticks, uint64_t link) {
  Bytes body = {kLinked};
  leb(body, static_cast<uint64_t>(ticks));
  leb(body, link);
  event(body);
  return *this;
}

RecordingBuilder& RecordingBuilder::other(uint64_t type, const Bytes& fields) {
  Bytes body;
  leb(body, type);
  body.insert(body.end(), fields.begin(), fields.end());
  event(body);
  return *this;
}

RecordingBuilder& RecordingBuilder::sample(int64_t ticks, uint64_t stack, int32_t weight) {
  Bytes body = {kSample};
  leb(body, static_cast<uint64_t>(ticks));
  leb(body, 0);
  leb(body, stack);
  leb(body, static_cast<uint32_t>(weight));
  event(body);
  return *this;
}

RecordingBuilder& RecordingBuilder::text(int64_t ticks, std::string_view text) {
  Bytes body = {kText};
  leb(body, static_cast<uint64_t>(ticks));
  utf8(body, text);
  event(body);
  return *this;
}

RecordingBuilder& RecordingBuilder::loss(int64_t ticks, int64_t amount) {
  Bytes body = {kLoss};
  leb(body, static_cast<uint64_t>(ticks));
  leb(body, static_cast<uint64_t>(amount));
  leb(body, static_cast<uint64_t>(amount));
  event(body);
  return *this;
}

RecordingBuilder& RecordingBuilder::flush() {
  const size_t at = out_.size() - start_;
  Bytes body = {1, 0, 0};
  leb(body, last_checkpoint_ == 0 ? 0 : last_checkpoint_ - at);
  body.push_back(1);
  leb(body, pools_.size());
  for (const Pool& pool : pools_) {
    leb(body, pool.type);
    leb(body, pool.count);
    body.insert(body.end(), pool.body.begin(), pool.body.end());
  }
  pools_.clear();
  last_checkpoint_ = at;
  event(body);
  return *this;
}

void RecordingBuilder::close_chunk() {
  if (last_checkpoint_ == 0 || !pools_.empty()) flush();
  Bytes header = {'F', 'L', 'R', 0, 0, 2, 0, 1};
  be(header, out_.size() - start_, 8);
  be(header, last_checkpoint_, 8);
  be(header, metadata_, 8);
  be(header, 1'700'000'000'000'000'000, 8);  // 2023-11-14T22:13:20Z
  be(header, duration_ns, 8);
  be(header, 1000, 8);
  be(header, 1'000'000'000, 8);
  header.insert(header.end(), {state, 0, 0, 1});
  std::copy(header.begin(), header.end(), out_.begin() + static_cast<ptrdiff_t>(start_));
}

RecordingBuilder& RecordingBuilder::next_chunk() {
  close_chunk();
  open_chunk();
  return *this;
}

Bytes RecordingBuilder::bytes() {
  close_chunk();
  return out_;
}

}  // namespace test

TEST_CASE("the test's own encoder knows the nine-byte form") {
  test::Bytes out;
  test::RecordingBuilder::leb(out, ~uint64_t{0});
  CHECK(out == test::Bytes(9, 0xff));
}
