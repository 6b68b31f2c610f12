// SPDX-License-Identifier: Apache-2.0
// OldBuilder writes tiny recordings of version 0.9 byte by byte, from the page that describes it; it shares no code with
// what reads them.
//
//   OldBuilder().thread(7, "main").java_thread(1, 7).simple_stack(5, "a/A", "run").checkpoint(2000)
//       .sample(1500, 7, 5).bytes()
//
// A chunk begins at 1,000 ms since the epoch and 1,000 ticks, of which there are a million in a second: 1 tick is 1 us.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/format/reader_builder.h"

namespace test {

class OldBuilder {
 public:
  enum Event : uint32_t { kEnter = 3, kSample, kCache, kOrder = 100, kSetting = 200 };
  enum Pool : uint32_t {
    kThreads = 7,
    kJavaThreads = 8,
    kStacks = 9,
    kClasses = 10,
    kGroups = 31,
    kMethods,
    kNames,
    kStates,
    kFrames
  };

  OldBuilder() { open(); }

  // Constants of the next checkpoint.
  OldBuilder& thread(uint32_t id, std::string_view name) { return constant(kThreads).u32(id).utf8(name); }
  OldBuilder& java_thread(uint64_t id, uint32_t thread, uint32_t group = 1) {
    return constant(kJavaThreads).u64(id).u32(thread).u64(0).u64(0).u32(group);
  }
  OldBuilder& group(uint32_t id, uint32_t parent, std::string_view name) {
    return constant(kGroups).u32(id).u32(parent).utf8(name);
  }
  OldBuilder& name(uint64_t id, std::string_view text) { return constant(kNames).u64(id).utf8(text); }
  OldBuilder& klass(uint64_t id, uint64_t name, uint64_t loader = 0) {
    return constant(kClasses).u64(id).u64(loader).u64(name).u16(1);
  }
  OldBuilder& method(uint64_t id, uint64_t klass, uint64_t name, uint64_t signature) {
    return constant(kMethods).u64(id).u64(klass).u64(name).u64(signature).u16(1);
  }
  OldBuilder& stack(uint64_t id, const std::vector<uint64_t>& methods) {
    constant(kStacks).u64(id).u8(0).u32(static_cast<uint32_t>(methods.size()));
    for (const uint64_t method : methods) to().u64(method).u32(42).u32(3).u8(1);
    return *this;
  }
  OldBuilder& state(uint16_t id, std::string_view name) { return constant(kStates).u16(id).utf8(name); }
  OldBuilder& frame_type(uint8_t id, std::string_view text) { return constant(kFrames).u8(id).utf8(text); }
  // A stack of one frame; its method, class and names have keys from id * 10 on.
  OldBuilder& simple_stack(uint64_t id, std::string_view class_name, std::string_view method_name) {
    name(id * 10, class_name).name(id * 10 + 1, method_name).name(id * 10 + 2, "()V");
    return klass(id * 10, id * 10).method(id * 10, id * 10, id * 10 + 1, id * 10 + 2).stack(id, {id * 10});
  }
  OldBuilder& checkpoint(int64_t ticks);

  OldBuilder& sample(int64_t ticks, uint32_t thread, uint64_t stack, uint16_t state = 1) {
    return event(kSample, Put().i64(ticks).u32(thread).u64(stack).u16(state));
  }
  OldBuilder& enter(int64_t start, int64_t end, uint32_t thread, uint64_t stack, uint64_t klass, uint64_t owner) {
    return event(kEnter, Put().i64(end).i64(start).u32(thread).u64(stack).u64(klass).u64(owner).u64(0xabc));
  }
  OldBuilder& cache(int64_t ticks, uint64_t kilobytes) { return event(kCache, Put().i64(ticks).u64(kilobytes)); }
  // What an application has told: a text, numbers, places.
  OldBuilder& order(int64_t ticks, std::u16string_view text, const std::vector<uint32_t>& numbers, uint8_t places);
  OldBuilder& setting(int64_t ticks, uint32_t id, int64_t threshold_ns, int64_t period_ms) {
    return event(kSetting, Put().i64(ticks).i64(period_ms).i64(threshold_ns).u8(1).u8(1).u32(id));
  }
  OldBuilder& lost(int64_t ticks, uint32_t thread, uint32_t bytes) {
    return event(2, Put().i64(ticks).u32(thread).u32(bytes));
  }
  OldBuilder& raw(const Bytes& bytes) { return out_.insert(out_.end(), bytes.begin(), bytes.end()), *this; }

  OldBuilder& next_chunk() {
    close();
    open();
    return *this;
  }
  Bytes bytes() {
    close();
    return out_;
  }
  size_t size() const { return out_.size(); }

 private:
  // Big-endian numbers, one behind the other.
  struct Put {
    Bytes bytes = {};
    Put& number(uint64_t value, int width) {
      for (int i = width - 1; i >= 0; --i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
      return *this;
    }
    Put& u8(uint64_t value) { return number(value, 1); }
    Put& u16(uint64_t value) { return number(value, 2); }
    Put& u32(uint64_t value) { return number(value, 4); }
    Put& u64(uint64_t value) { return number(value, 8); }
    Put& i64(int64_t value) { return number(static_cast<uint64_t>(value), 8); }
    Put& utf8(std::string_view text) {
      u16(text.size());
      bytes.insert(bytes.end(), text.begin(), text.end());
      return *this;
    }
  };
  struct Constants {
    uint32_t pool;
    uint32_t count;
    Put put;
  };

  Put& to() { return pools_.back().put; }
  // What follows is the key and the fields of a constant.
  struct Constant {
    OldBuilder* owner;
    Constant u8(uint64_t value) { return owner->to().u8(value), *this; }
    Constant u16(uint64_t value) { return owner->to().u16(value), *this; }
    Constant u32(uint64_t value) { return owner->to().u32(value), *this; }
    Constant u64(uint64_t value) { return owner->to().u64(value), *this; }
    Constant utf8(std::string_view text) { return owner->to().utf8(text), *this; }
    operator OldBuilder&() { return *owner; }  // NOLINT: a chain of calls goes on with the builder
  };
  Constant constant(uint32_t pool) {
    if (pools_.empty() || pools_.back().pool != pool) pools_.push_back({pool, 0, {}});
    ++pools_.back().count;
    return {this};
  }
  OldBuilder& event(uint32_t type, const Put& body) {
    const Put head = Put().u32(body.bytes.size() + 8).u32(type);
    return raw(head.bytes).raw(body.bytes);
  }
  void open();
  void close();

  Bytes out_;
  size_t start_ = 0;
  uint64_t checkpoint_ = 0;  // the newest, in the chunk
  std::vector<Constants> pools_;
};

}  // namespace test
