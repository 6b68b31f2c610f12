// SPDX-License-Identifier: Apache-2.0
// Reads a recording of ours into plain structs, for the recorder's tests. Written from the format page alone and kept
// apart from both the writer and the reader of format/, so that a mistake in them does not cancel out here. Knows the
// fields of our own types by heart. Every reference is resolved within its chunk; what is missing shows as "?".
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "format/type_ids.h"
#include "tests/whole_file.h"

namespace rec::test {

struct ReadFrame {
  std::string klass, method, loader, package, module;
  int64_t line, bci;
  uint64_t type;
};
struct ReadSample {
  int64_t ticks;
  std::string thread;
  std::vector<ReadFrame> frames;
  bool truncated = false;
  uint64_t state = 0, weight = 0;
};
struct ReadEvent {
  uint64_t type;
  int64_t ticks;
  std::string text;  // what is worth telling apart, by type
};
struct ReadFile {
  std::vector<ReadSample> samples;
  std::vector<ReadEvent> events;             // all but samples, counters, fillers and checksums
  std::map<std::string, uint64_t> counters;  // of rec.Counters, summed over the chunks
  size_t chunks = 0;
  size_t final_chunks = 0;
  size_t filler_bytes = 0;
  std::vector<int64_t> starts;  // of the chunks, in ticks
  std::string broken;           // empty: framing and references are whole
  size_t count(jfr::TypeId type) const {
    size_t n = 0;
    for (const auto& event : events) n += event.type == static_cast<uint64_t>(type);
    return n;
  }
};

class FileReader {
 public:
  static ReadFile read(const std::string& path) {
    FileReader reader;
    reader.bytes_ = ::test::whole_file(path);
    for (size_t at = 0; at < reader.bytes_.size() && reader.file_.broken.empty();) at = reader.read_chunk(at);
    if (reader.bytes_.empty()) reader.file_.broken = "no bytes";
    return std::move(reader.file_);
  }

 private:
  using T = jfr::TypeId;
  struct Class {
    uint64_t loader, name, package;
  };
  struct Method {
    uint64_t type, name, descriptor;
  };
  struct Stack {
    bool truncated;
    std::vector<std::array<uint64_t, 4>> frames;
  };

  uint8_t u8() {
    if (at_ >= end_) {
      file_.broken = "read past the end";
      return 0;
    }
    return static_cast<uint8_t>(bytes_[at_++]);
  }
  uint64_t leb() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) {
      const uint8_t byte = u8();
      value |= uint64_t{byte & 0x7Fu} << (7 * i);
      if (byte < 0x80) return value;
    }
    return value | uint64_t{u8()} << 56;
  }
  uint64_t be(size_t at, int width) const {
    uint64_t value = 0;
    for (int i = 0; i < width; ++i) value = value << 8 | static_cast<uint8_t>(bytes_[at + i]);
    return value;
  }
  std::string text() {
    const uint8_t kind = u8();
    if (kind < 2) return {};
    if (kind != 3) file_.broken = "unexpected string encoding";
    const size_t size = leb();
    if (size > end_ - at_) {
      file_.broken = "string too long";
      return {};
    }
    at_ += size;
    return {&bytes_[at_ - size], size};
  }

  size_t read_chunk(size_t start) {
    if (start + 68 > bytes_.size() || be(start, 4) != 0x464C5200) {
      file_.broken = "no chunk header";
      return bytes_.size();
    }
    const size_t size = be(start + 8, 8);
    if (size > bytes_.size() - start || be(start + 64, 1) != 0) {
      file_.broken = "size or state";
      return bytes_.size();
    }
    file_.chunks++;
    file_.final_chunks += (be(start + 66, 2) & 2) != 0;
    symbols_.clear(), threads_.clear(), classes_.clear(), loaders_.clear(), packages_.clear(), modules_.clear(),
        methods_.clear(), stacks_.clear(), old_objects_.clear();
    const size_t chunk_end = start + size;
    start_ticks_ = static_cast<int64_t>(be(start + 48, 8));
    file_.starts.push_back(start_ticks_);
    for (const bool constants : {true, false}) {
      for (size_t at = start + 68; at < chunk_end && file_.broken.empty();) {
        at_ = at, end_ = chunk_end;
        const size_t event_size = leb();
        if (event_size == 0 || event_size > chunk_end - at) {
          file_.broken = "event size";
          break;
        }
        end_ = at + event_size;
        const uint64_t type = leb();
        const bool is_checkpoint = type == static_cast<uint64_t>(T::kCheckpoint);
        if (constants && is_checkpoint) read_checkpoint();
        if (!constants && !is_checkpoint) read_event(type);
        at += event_size;
      }
    }
    return chunk_end;
  }

  void read_checkpoint() {
    leb(), leb(), leb(), u8();
    for (uint64_t pools = leb(); pools > 0 && file_.broken.empty(); --pools) {
      const auto type = static_cast<T>(leb());
      for (uint64_t count = leb(); count > 0 && file_.broken.empty(); --count) read_constant(type, leb());
    }
    if (at_ != end_) file_.broken = "checkpoint size";
  }

  template <typename V>
  void put(std::map<uint64_t, V>& pool, uint64_t key, V value, const char* what) {
    if (!pool.emplace(key, std::move(value)).second) file_.broken = std::string(what) + " written twice in a chunk";
  }
  void read_constant(T type, uint64_t key) {
    switch (type) {
      case T::kThread: {
        text(), leb();
        std::string name = text();
        leb(), leb(), u8();
        return put(threads_, key, name, "thread");
      }
      case T::kThreadGroup: leb(), text(); return;
      case T::kClass: {
        Class value{leb(), leb(), leb()};
        leb(), u8();
        return put(classes_, key, value, "class");
      }
      case T::kClassLoader: {
        const uint64_t klass = leb(), name = leb();
        return put(loaders_, key, std::pair(klass, name), "loader");
      }
      case T::kMethod: {
        Method value{leb(), leb(), leb()};
        leb(), u8();
        return put(methods_, key, value, "method");
      }
      case T::kSymbol: return put(symbols_, key, text(), "symbol");
      case T::kModule: {
        const uint64_t name = leb();
        leb(), leb(), leb();
        return put(modules_, key, name, "module");
      }
      case T::kPackage: {
        const uint64_t name = leb(), module = leb();
        u8();
        return put(packages_, key, std::pair(name, module), "package");
      }
      case T::kStackTrace: {
        Stack value{u8() != 0, {}};
        for (uint64_t n = leb(); n > 0; --n) {
          std::array<uint64_t, 4> frame;
          for (auto& part : frame) part = leb();
          value.frames.push_back(frame);
        }
        return put(stacks_, key, value, "stack");
      }
      case T::kOldObject: {
        const uint64_t address = leb(), klass = leb();
        text(), leb();
        return put(old_objects_, key, std::pair(address, klass), "old object");
      }
      case T::kThreadState:
      case T::kFrameType:
      case T::kGcName:
      case T::kGcCause:
      case T::kGcWhen: text(); return;
      default: file_.broken = "unknown constant";
    }
  }

  template <typename V>
  const V* get(const std::map<uint64_t, V>& pool, uint64_t key) {
    const auto found = pool.find(key);
    return found == pool.end() ? nullptr : &found->second;
  }
  std::string symbol(uint64_t key) {
    if (key == 0) return {};
    const std::string* found = get(symbols_, key);
    return found ? *found : "?";
  }
  std::string thread(uint64_t key) {
    if (key == 0) return {};
    const std::string* found = get(threads_, key);
    return found ? *found : "?";
  }
  std::string class_name(uint64_t key) {
    const Class* found = get(classes_, key);
    return found ? symbol(found->name) : "?";
  }
  // "name of type"
  std::string loader(uint64_t key) {
    const auto* found = get(loaders_, key);
    if (!found) return "?";
    return symbol(found->second) + (found->first ? " of " + class_name(found->first) : "");
  }
  ReadFrame frame(const std::array<uint64_t, 4>& raw) {
    ReadFrame out{"?", "?", "?", "", "", static_cast<int32_t>(raw[1]), static_cast<int32_t>(raw[2]), raw[3]};
    const Method* method = get(methods_, raw[0]);
    const Class* klass = method ? get(classes_, method->type) : nullptr;
    if (!klass) return out;
    out.klass = symbol(klass->name), out.method = symbol(method->name), out.loader = loader(klass->loader);
    if (klass->package == 0) return out;
    const auto* package = get(packages_, klass->package);
    out.package = package ? symbol(package->first) : "?";
    if (!package || package->second == 0) return out;
    const uint64_t* module = get(modules_, package->second);
    out.module = module ? symbol(*module) : "?";
    return out;
  }

  void read_event(uint64_t type) {
    const auto ticks = static_cast<int64_t>(leb());
    switch (static_cast<T>(type)) {
      case T::kRecFiller: file_.filler_bytes += end_ - at_; return;
      case T::kMetadata:
      case T::kRecChecksum: return;
      case T::kExecutionSample:
      case T::kCpuTimeSample: return read_sample(static_cast<T>(type), ticks);
      case T::kRecCounters: {
        const std::string cause = text();
        file_.counters[cause] += leb();
        return;
      }
      case T::kClassUnload: {
        const std::string by = thread(leb()), klass = class_name(leb());
        return add(type, ticks, klass + " from " + loader(leb()) + " by " + by);
      }
      case T::kThreadStart: {
        leb(), leb();
        const std::string started = thread(leb());
        return add(type, ticks, started + " by " + thread(leb()));
      }
      case T::kThreadEnd: leb(); return add(type, ticks, thread(leb()));
      case T::kGarbageCollection: {
        const uint64_t duration = leb();
        leb();
        return add(type, ticks, std::to_string(leb()) + " took " + std::to_string(duration));
      }
      case T::kOldObjectSample: return read_old_object(type, ticks);
      case T::kRecNativeModule: return read_native_module(type, ticks);
      case T::kRecNativeFunction: {
        const Method* const method = get(methods_, leb());
        const std::string name = method ? class_name(method->type) + ' ' + symbol(method->name) : "?";
        return add(type, ticks, name + " at " + std::to_string(leb()));
      }
      default: return add(type, ticks, {});
    }
  }
  void add(uint64_t type, int64_t ticks, std::string what) { file_.events.push_back({type, ticks, std::move(what)}); }

  // "CLASS is PATH of BUILD-ID at BEGIN to END, offset N, bias N"
  void read_native_module(uint64_t type, int64_t ticks) {
    std::string what = class_name(leb());
    what += " is " + text();
    what += " of " + text();
    for (const char* part : {" at ", " to ", ", offset ", ", bias "}) what += part + std::to_string(leb());
    add(type, ticks, what);
    if (at_ != end_) file_.broken = "native module's size";
  }

  // "CLASS at ADDRESS, SIZE bytes by THREAD in METHOD, survived N, weight W"
  void read_old_object(uint64_t type, int64_t ticks) {
    leb();
    std::string by = thread(leb());
    if (const Stack* stack = get(stacks_, leb()))
      by += " in " + (stack->frames.empty() ? "?" : frame(stack->frames[0]).method);
    leb();
    const uint64_t size = leb();
    leb(), leb();
    const auto* object = get(old_objects_, leb());
    std::string what = object ? class_name(object->second) + " at " + std::to_string(object->first) : "?";
    leb(), leb();
    const uint64_t survived = leb();
    add(type, ticks,
        what + ", " + std::to_string(size) + " bytes by " + by + ", survived " + std::to_string(survived) +
            ", weight " + std::to_string(leb()));
    if (at_ != end_) file_.broken = "old object's size";
  }

  void read_sample(T type, int64_t ticks) {
    ReadSample sample{.ticks = ticks};
    uint64_t stack_key = 0;
    if (type == T::kExecutionSample) {
      sample.thread = thread(leb()), stack_key = leb(), sample.state = leb(), sample.weight = 1;
    } else {
      stack_key = leb(), sample.thread = thread(leb()), u8(), sample.weight = leb(), u8();
    }
    if (const Stack* stack = get(stacks_, stack_key)) {
      sample.truncated = stack->truncated;
      for (const auto& raw : stack->frames) sample.frames.push_back(frame(raw));
    } else if (stack_key != 0) {
      file_.broken = "a sample without its stack";
    }
    if (at_ != end_) file_.broken = "sample size";
    if (ticks > 0 && ticks < start_ticks_) file_.broken = "a sample before its chunk";
    file_.samples.push_back(std::move(sample));
  }

  std::string bytes_;
  size_t at_ = 0, end_ = 0;
  int64_t start_ticks_ = 0;
  ReadFile file_;
  std::map<uint64_t, std::string> symbols_, threads_;
  std::map<uint64_t, Class> classes_;
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> loaders_, packages_, old_objects_;
  std::map<uint64_t, uint64_t> modules_;
  std::map<uint64_t, Method> methods_;
  std::map<uint64_t, Stack> stacks_;
};

}  // namespace rec::test
