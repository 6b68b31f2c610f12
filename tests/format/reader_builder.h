// SPDX-License-Identifier: Apache-2.0
// RecordingBuilder writes tiny recordings byte by byte, for the reader's tests. It knows the format on its own, from
// the page that describes it, and shares no code with the writer: two readings of one page must agree.
//
// A chunk has the types of a sampling agent, two events at most a few bytes each, and one checkpoint per flush().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace test {

using Bytes = std::vector<uint8_t>;

// Over what stands there.
inline void put_be64(Bytes& file, size_t at, uint64_t value) {
  for (size_t i = 0; i < 8; ++i) file[at + i] = static_cast<uint8_t>(value >> (56 - 8 * i));
}

class RecordingBuilder {
 public:
  enum Type : uint64_t {
    kSample = 10,
    kText = 11,
    kLoss = 12,
    kLinked = 13,
    kThread = 20,
    kClass,
    kMethod,
    kSymbol,
    kStackTrace,
    kStackFrame,
    kFrameType,
    kLink,
    kBoolean = 30,
    kInt,
    kLong,
    kString,
    kDouble,  // with more types only: this one and those behind it
    kTimestamp,
    kTimespan,
    kFloat,
    kBits,
    kAddress,
    kChar,
    kMore = 100,  // more types begin here
  };

  struct FrameRef {
    uint64_t method;
    int32_t line;
    uint64_t type = 1;  // of the frame
  };

  // A field of an event's type. ticks: kTimestamp, kTimespan, kBits or kAddress, what its number means; 0: nothing.
  struct Member {
    std::string name;
    uint64_t type;
    bool constant = false;
    bool array = false;
    uint64_t ticks = 0;
  };
  struct EventType {
    uint64_t id;
    std::string name;
    std::vector<Member> fields;
  };

  // more: types of events besides those that are always there.
  explicit RecordingBuilder(std::vector<EventType> more = {}) : more_(std::move(more)) { open_chunk(); }

  // Constants of the current flush.
  RecordingBuilder& symbol(uint64_t key, std::string_view text);
  RecordingBuilder& klass(uint64_t key, uint64_t name);
  RecordingBuilder& method(uint64_t key, uint64_t klass, uint64_t name);
  RecordingBuilder& stack(uint64_t key, const std::vector<FrameRef>& top_first, bool truncated = false);
  RecordingBuilder& frame_type(uint64_t key, std::string_view description);
  RecordingBuilder& thread(uint64_t key, std::string_view name, uint64_t java_id);  // with more types only
  RecordingBuilder& link(uint64_t key, uint64_t left, uint64_t right);  // a constant that holds two of its kind
  // Names a class, a method and a stack of one frame, all under `key`.
  RecordingBuilder& simple_stack(uint64_t key, std::string_view class_name, std::string_view method_name);

  // Events.
  RecordingBuilder& sample(int64_t ticks, uint64_t stack, int32_t weight = 1);
  RecordingBuilder& text(int64_t ticks, std::string_view utf8);
  RecordingBuilder& loss(int64_t ticks, int64_t amount);
  RecordingBuilder& linked(int64_t ticks, uint64_t link);
  RecordingBuilder& other(uint64_t type, const Bytes& fields);  // of any type: its fields as they are written
  RecordingBuilder& raw(const Bytes& bytes) {
    put(bytes);
    return *this;
  }

  RecordingBuilder& flush();       // writes the constants gathered so far as a checkpoint
  RecordingBuilder& next_chunk();  // closes this one
  Bytes bytes();                   // closes the last chunk

  uint8_t state = 0;  // of the chunk when it is closed
  uint64_t duration_ns = 2'000'000'000;
  size_t chunk_start() const { return start_; }

  static void leb(Bytes& out, uint64_t value);

 private:
  void open_chunk();
  void close_chunk();
  void put(const Bytes& bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }
  void event(Bytes body);
  void metadata();
  Bytes& entry(Type type, uint64_t key);

  struct Pool {
    Type type;
    uint64_t count;
    Bytes body;
  };

  std::vector<EventType> more_;
  Bytes out_;
  size_t start_ = 0;
  size_t last_checkpoint_ = 0;
  size_t metadata_ = 0;
  std::vector<Pool> pools_;
};

}  // namespace test
