// SPDX-License-Identifier: Apache-2.0
// SimulatedVm behaves as the VM does towards the recorder: classes and their methods live in memory that is overwritten
// when they are unloaded and then used for other classes, so that only what was copied in time has a right name. Class
// number n is called "sim/pN/Cn", its methods "m<n>_<k>": a reader can tell a wrong name from the name alone.
#pragma once

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "recorder/engine/engine.h"

namespace rec::test {

inline constexpr unsigned kMethodsPerClass = 4;

// The VM's memory of one class. Rewritten by each load.
struct SimulatedClass {
  uint64_t number = 0;
  uint64_t loader = 0;
  char name[48];
  struct Method {
    char name[40];
    uint8_t lines[2];
  };
  std::array<Method, kMethodsPerClass> methods;

  void load(uint64_t class_number) {
    number = class_number;
    loader = 1 + class_number % 5;
    std::snprintf(name, sizeof name, "sim/p%llu/C%llu", static_cast<unsigned long long>(number % 7),
                  static_cast<unsigned long long>(number));
    for (unsigned k = 0; k < kMethodsPerClass; ++k) {
      std::snprintf(methods[k].name, sizeof methods[k].name, "m%llu_%u", static_cast<unsigned long long>(number), k);
      // line 1 + k at bci 0, 3 more from bci 8 on
      methods[k].lines[0] = static_cast<uint8_t>(1 + k);
      methods[k].lines[1] = 8 << 3 | 3;
    }
  }
  void unload() { std::memset(static_cast<void*>(this), 0xEE, sizeof *this); }
};

inline TextView text(const char* s) { return {s, static_cast<uint16_t>(std::strlen(s))}; }

inline Ref<LoaderFact> tag_loader(Epoch& epoch, uint64_t loader) {
  if (const auto known = epoch.find_loader(static_cast<LoaderId>(loader))) return known;
  const ClassId type_id = static_cast<ClassId>(10 + loader);
  auto type = epoch.find_class(type_id);
  char name[32];
  std::snprintf(name, sizeof name, "sim/Loader%llu", static_cast<unsigned long long>(loader));
  if (!type) type = epoch.tag_class({.id = type_id, .modifiers = 1, .name = text(name)});
  return epoch.tag_loader({.id = static_cast<LoaderId>(loader), .name = text(name + 4), .type = type});
}

inline Ref<ClassFact> tag_class(Epoch& epoch, const SimulatedClass& klass) {
  const auto id = static_cast<ClassId>(klass.number);
  if (const auto known = epoch.find_class(id)) return known;
  return epoch.tag_class({.id = id,
                          .loader = tag_loader(epoch, klass.loader),
                          .modifiers = 0x21,
                          .method_count = kMethodsPerClass - 1,  // the last one goes through the overflow chain
                          .name = text(klass.name),
                          .module_name = klass.number % 2 ? text("sim.module") : TextView{},
                          .module_version = klass.number % 2 ? text("1.0") : TextView{}});
}

inline Ref<MethodFact> tag_method(Epoch& epoch, const SimulatedClass& klass, unsigned k) {
  const auto holder = tag_class(epoch, klass);
  if (!holder) return {};
  const auto& method = klass.methods[k];
  const MethodVersion version{.const_method = reinterpret_cast<uint64_t>(&method), .code_size = 16};
  if (const auto known = epoch.find_method(holder, static_cast<uint16_t>(k), version)) return known;
  return epoch.tag_method({.holder = holder,
                           .idnum = static_cast<uint16_t>(k),
                           .version = version,
                           .modifiers = 9,
                           .name = text(method.name),
                           .descriptor = text("()V"),
                           .lines = method.lines,
                           .lines_size = sizeof method.lines});
}

struct SimulatedThread {
  ThreadTag tag;
  uint64_t id;
  char name[24];
  explicit SimulatedThread(uint64_t number) : id(number) {
    std::snprintf(name, sizeof name, "sim-%llu", static_cast<unsigned long long>(number));
  }
  Ref<ThreadFact> fact(Epoch& epoch) {
    if (const auto known = epoch.find_thread(tag)) return known;
    return epoch.tag_thread(tag, {.id = static_cast<ThreadId>(id),
                                  .os_thread_id = static_cast<int64_t>(1000 + id),
                                  .java_thread_id = static_cast<int64_t>(id),
                                  .os_name = text(name),
                                  .java_name = text(name),
                                  .group_name = text("main")});
  }
};

// What a signal handler does. False: the sample was counted as lost.
inline bool sample(SimulatedThread& thread, const SimulatedClass& klass, unsigned first_method, unsigned depth = 3,
                   uint16_t bci = 0) {
  const EpochPin pin;
  if (!pin) return Engine::losses().count(pin.why()), false;
  std::array<Frame, 16> frames{};
  for (unsigned i = 0; i < depth; ++i)
    frames[i] = {tag_method(*pin, klass, (first_method + i) % kMethodsPerClass), bci, FrameType::kJit, 0};
  const auto stack = pin->intern_stack(std::span(frames).first(depth), false);
  if (!stack) return false;
  return pin->commit({.kind = EventKind::kSample,
                      .ticks = base::now_ticks(),
                      .thread = thread.fact(*pin),
                      .stack = stack,
                      .value = sample_value(kStateRunnable, 1)});
}

// A directory of its own for a test, gone with it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_((std::filesystem::temp_directory_path() / "rec-test-XXXXXX").string()) {
    if (!mkdtemp(path_.data())) std::abort();
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Lines for the user, as the engine under test said them.
inline std::mutex log_mutex;
inline std::vector<std::string> log_lines;
inline size_t log_count() {
  const std::lock_guard lock(log_mutex);
  return log_lines.size();
}

inline EngineConfig test_config(const TemporaryDirectory& directory) {
  {
    const std::lock_guard lock(log_mutex);
    log_lines.clear();
  }
  EngineConfig config;
  config.filename = directory / "recording.jfr";
  config.repository = directory / "repository";
  config.spool_directory = directory / "";
  config.flush_interval_ns = 10'000'000;
  config.log = [](const char* line) {
    const std::lock_guard lock(log_mutex);
    log_lines.emplace_back(line);
  };
  return config;
}

inline std::unique_ptr<Engine> start(const EngineConfig& config, const ProcessFacts& facts = {}) {
  auto engine = Engine::start(config, facts);
  if (!engine) std::fprintf(stderr, "%s\n", engine.error().what.c_str()), std::abort();
  return std::move(*engine);
}

}  // namespace rec::test
