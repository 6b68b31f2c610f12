// SPDX-License-Identifier: Apache-2.0
// MadeEvents writes a recording with events of any types, as a test says them:
//
//   MadeEvents()
//       .seconds(60)
//       .add("jdk.GCPhasePause", 1000, {{"duration", span_ms(20)}})
//       .samples(300, {"app.Main.work", "java.lang.Thread.run"})
//       .bytes()
//
// A type has the fields of its first event. Enumerations, threads and classes are texts, unless a class or a thread is to be a
// constant (klass(), thread()); stacks are constants. Names with :: are native frames.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/format/reader_builder.h"

namespace test {

using Frames = std::vector<std::string>;  // app.Main.work, the innermost first

struct MadeValue {
  enum Kind : uint8_t { kText, kWhole, kReal, kSpan, kStack, kClass, kThread } kind = kWhole;
  std::string text;
  int64_t whole = 0;
  double real = 0;
  Frames frames;
};

namespace made {
inline MadeValue text(std::string value) { return {MadeValue::kText, std::move(value), 0, 0, {}}; }
inline MadeValue whole(int64_t value) { return {MadeValue::kWhole, {}, value, 0, {}}; }
inline MadeValue real(double value) { return {MadeValue::kReal, {}, 0, value, {}}; }
inline MadeValue span_ms(int64_t value) { return {MadeValue::kSpan, {}, value * 1'000'000, 0, {}}; }
inline MadeValue span_ns(int64_t value) { return {MadeValue::kSpan, {}, value, 0, {}}; }
inline MadeValue stack(Frames frames) { return {MadeValue::kStack, {}, 0, 0, std::move(frames)}; }
inline MadeValue klass(std::string name) { return {MadeValue::kClass, std::move(name), 0, 0, {}}; }
inline MadeValue thread(std::string name, int64_t java_id) {
  return {MadeValue::kThread, std::move(name), java_id, 0, {}};
}
}  // namespace made

class MadeEvents {
 public:
  using Fields = std::vector<std::pair<std::string, MadeValue>>;

  MadeEvents& seconds(double seconds) {
    seconds_ = seconds;
    return *this;
  }
  MadeEvents& add(const std::string& type, int64_t at_ms, const Fields& fields) {
    events_.push_back({declare(type, fields), at_ms, fields});
    return *this;
  }
  // Of types that are recorded, and have no event.
  MadeEvents& enabled(const std::string& type) { return setting(type, "enabled", "true"); }
  MadeEvents& setting(const std::string& type, const std::string& name, const std::string& value, int64_t at_ms = 0) {
    const uint64_t id = declare(type, {});
    return add(
        "jdk.ActiveSetting", at_ms,
        {{"id", made::whole(static_cast<int64_t>(id))}, {"name", made::text(name)}, {"value", made::text(value)}});
  }
  MadeEvents& samples(int count, const Frames& frames) {
    for (int i = 0; i < count; ++i) samples_.push_back(frames);
    return *this;
  }
  MadeEvents& truncated(int count, const Frames& frames) {
    truncated_ = frames;
    return samples(count, frames);
  }

  Bytes bytes() const {
    std::vector<RecordingBuilder::EventType> types;
    for (const auto& [name, type] : types_) types.push_back(type);
    RecordingBuilder builder(types);
    builder.duration_ns = static_cast<uint64_t>(seconds_ * 1e9);
    builder.frame_type(1, "JIT compiled").frame_type(2, "C++");
    Constants constants{builder, *this, {}, {}, {}, {}, {}};
    for (size_t i = 0; i < samples_.size(); ++i)
      builder.sample(kStart + static_cast<int64_t>(i), constants.stack(samples_[i]));
    for (const Event& event : events_) builder.other(event.type, fields_of(event, constants));
    return builder.bytes();
  }

 private:
  static constexpr int64_t kStart = 1000;  // ticks of the chunk's start, of ns

  struct Event {
    uint64_t type;
    int64_t at_ms;
    Fields fields;
  };

  // Each is written once.
  struct Constants {
    RecordingBuilder& builder;
    const MadeEvents& events;
    std::map<std::string, uint64_t> symbols, classes, methods;
    std::map<Frames, uint64_t> stacks;
    std::map<std::pair<std::string, int64_t>, uint64_t> threads;

    uint64_t symbol(const std::string& name) {
      const auto [at, fresh] = symbols.try_emplace(name, symbols.size() + 1);
      if (fresh) builder.symbol(at->second, name);
      return at->second;
    }
    uint64_t klass(std::string name) {
      std::replace(name.begin(), name.end(), '.', '/');
      const auto [at, fresh] = classes.try_emplace(name, classes.size() + 1);
      if (fresh) builder.klass(at->second, symbol(name));
      return at->second;
    }
    uint64_t method(const std::string& name) {
      const auto [at, fresh] = methods.try_emplace(name, methods.size() + 1);
      const size_t dot = name.rfind('.');
      if (fresh) builder.method(at->second, klass(name.substr(0, dot)), symbol(name.substr(dot + 1)));
      return at->second;
    }
    uint64_t thread(const std::string& name, int64_t java_id) {
      const auto [at, fresh] = threads.try_emplace({name, java_id}, threads.size() + 1);
      if (fresh) builder.thread(at->second, name, static_cast<uint64_t>(java_id));
      return at->second;
    }
    uint64_t stack(const Frames& frames) {
      const auto [at, fresh] = stacks.try_emplace(frames, stacks.size() + 1);
      if (!fresh) return at->second;
      std::vector<RecordingBuilder::FrameRef> refs;
      for (const std::string& frame : frames)
        refs.push_back({method(frame), 7, frame.find("::") == std::string::npos ? 1U : 2U});
      builder.stack(at->second, refs, frames == events.truncated_);
      return at->second;
    }
  };

  static RecordingBuilder::Member member_of(const std::string& name, const MadeValue& value) {
    switch (value.kind) {
      case MadeValue::kText: return {name, RecordingBuilder::kString};
      case MadeValue::kReal: return {name, RecordingBuilder::kDouble};
      case MadeValue::kSpan: return {name, RecordingBuilder::kLong, false, false, RecordingBuilder::kTimespan};
      case MadeValue::kStack: return {name, RecordingBuilder::kStackTrace, true};
      case MadeValue::kClass: return {name, RecordingBuilder::kClass, true};
      case MadeValue::kThread: return {name, RecordingBuilder::kThread, true};
      case MadeValue::kWhole: break;
    }
    return {name, RecordingBuilder::kLong};
  }

  uint64_t declare(const std::string& name, const Fields& fields) {
    if (name == "jdk.DataLoss") return RecordingBuilder::kLoss;  // has amount and total
    const auto [at, fresh] = types_.try_emplace(name);
    if (!fresh) return at->second.id;
    at->second = {RecordingBuilder::kMore + types_.size(),
                  name,
                  {{"startTime", RecordingBuilder::kLong, false, false, RecordingBuilder::kTimestamp}}};
    for (const auto& [field, value] : fields) at->second.fields.push_back(member_of(field, value));
    return at->second.id;
  }

  static Bytes fields_of(const Event& event, Constants& constants) {
    Bytes out;
    RecordingBuilder::leb(out, static_cast<uint64_t>(kStart + event.at_ms * 1'000'000));
    for (const auto& [name, value] : event.fields) append(value, constants, out);
    return out;
  }

  static void append(const MadeValue& value, Constants& constants, Bytes& out) {
    switch (value.kind) {
      case MadeValue::kText:
        out.push_back(3);
        RecordingBuilder::leb(out, value.text.size());
        out.insert(out.end(), value.text.begin(), value.text.end());
        return;
      case MadeValue::kReal:
        for (int shift = 56; shift >= 0; shift -= 8)
          out.push_back(static_cast<uint8_t>(std::bit_cast<uint64_t>(value.real) >> shift));
        return;
      case MadeValue::kStack: return RecordingBuilder::leb(out, constants.stack(value.frames));
      case MadeValue::kClass: return RecordingBuilder::leb(out, constants.klass(value.text));
      case MadeValue::kThread: return RecordingBuilder::leb(out, constants.thread(value.text, value.whole));
      case MadeValue::kWhole:
      case MadeValue::kSpan: return RecordingBuilder::leb(out, static_cast<uint64_t>(value.whole));
    }
  }

  double seconds_ = 60;
  std::map<std::string, RecordingBuilder::EventType> types_;
  std::vector<Event> events_;
  std::vector<Frames> samples_;
  Frames truncated_{"nobody"};
};

}  // namespace test
