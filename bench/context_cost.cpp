// SPDX-License-Identifier: Apache-2.0
// What the trace and span of a sample cost in a handler: a sample committed without a context, and with one; and the reading alone, by either way of the loader. Prints the medians of rounds
// that take turns, in ns a sample.
//
//   context_cost            some seconds
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <vector>

#include "agent/context/span_names.h"
#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/state/thread_context.h"
#include "agent/sampling/sample_contexts.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

using namespace rec;
using namespace rec::agent;

// Exported (ENABLE_EXPORTS), as a program that tells its requests has it.
struct ContextRecord {
  uint64_t trace[2], span;
  uint8_t valid, flags;
  uint16_t attributes_size;
  char attributes[256];
};
extern "C" {
__attribute__((visibility("default"))) thread_local const ContextRecord* volatile otel_thread_ctx_v1 = nullptr;
}

namespace {

constexpr unsigned kRounds = 41, kSamples = 5000;

ContextRecord request{{1, 2}, 3, 1, 1, 0, {}};
ContextRecord with_attributes{{1, 2}, 3,  1,
                              1,      64, "\x00\x3e/a/route/of/some/length/and/what/else/there/is/to/tell/of/it/all"};

// The attribute's name, as a process context tells it: {attributes {"threadlocal.attribute_key_map", {"route"}}}.
constexpr char kPayload[] = "\x12\x2c\x0a\x1dthreadlocal.attribute_key_map\x12\x0b\x2a\x09\x0a\x07\x0a\x05route";

bool tell_names() {
  const int file = memfd_create("OTEL_CTX", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, 4096) != 0) return false;
  void* const at = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (at == MAP_FAILED) return false;
  auto* const words = static_cast<uint64_t*>(at);
  std::memcpy(words, "OTEL_CTX", 8);
  words[1] = 2 | uint64_t{sizeof kPayload - 1} << 32;
  words[2] = 1;
  words[3] = reinterpret_cast<uint64_t>(kPayload);
  return true;
}
ThreadTag thread_tag;

Event sample_of(Epoch& epoch) {
  Event event;
  event.kind = EventKind::kSample;
  event.ticks = base::now_ticks();
  event.thread = epoch.tag_thread(thread_tag, {.id = static_cast<ThreadId>(1)});
  event.value = sample_value(kStateRunnable, 1);
  return event;
}

struct Case {
  const char* name;
  std::function<void(Epoch&)> sample;
  std::vector<double> ns{};
};

double time_of(const Case& each) {
  const EpochPin pin;
  if (!pin) std::abort();
  each.sample(*pin);
  const int64_t begin = base::now_ticks();
  for (unsigned i = 0; i < kSamples; ++i) each.sample(*pin);
  return static_cast<double>(base::now_ticks() - begin) / kSamples;
}

double median(std::vector<double> all) {
  std::ranges::sort(all);
  return all[all.size() / 2];
}

}  // namespace

int main() {
  install_fault_handler();
  std::string directory = "/tmp/rec-context-XXXXXX";
  if (mkdtemp(directory.data()) == nullptr) return 1;
  EngineConfig config;
  config.filename = directory + "/a.jfr";
  config.repository = directory + "/a.chunks";
  auto engine = Engine::start(config, {});
  if (!engine) return 1;
  SampleContexts off, on;
  on.open(false);
  on.tend();
  const uint64_t variable = reinterpret_cast<uint64_t>(&otel_thread_ctx_v1);
  const uint64_t block[4] = {2, 0, 0, 0};
  uint64_t table[6] = {2, 0, 0, 0, variable, 0};
  const uint64_t header[2] = {block[3], reinterpret_cast<uint64_t>(&table[2])};
  const uint32_t name = span_names().number_of("checkout");
  const auto commit = [](const SampleContexts& contexts, Epoch& epoch) {
    const Event event = sample_of(epoch);
    epoch.commit(contexts.event_of_caller(epoch, 0), event);
  };
  std::array cases = {
      Case{"off", [&](Epoch& epoch) { otel_thread_ctx_v1 = &request, commit(off, epoch); }},
      Case{"outside of requests", [&](Epoch& epoch) { otel_thread_ctx_v1 = nullptr, commit(on, epoch); }},
      Case{"in a request", [&](Epoch& epoch) { otel_thread_ctx_v1 = &request, commit(on, epoch); }},
      Case{"in one with 64 bytes of attributes",
           [&](Epoch& epoch) { otel_thread_ctx_v1 = &with_attributes, commit(on, epoch); }},
      Case{"reading alone, one place",
           [&](Epoch&) {
             ThreadContext context;
             if (!read_thread_context(variable, context)) std::abort();
           }},
      Case{"reading alone, a block for each thread",
           [&](Epoch&) {
             ThreadContext context;
             const ThreadLocalPlace place{ThreadLocalPlace::Kind::kDynamic, 0, 1, 0};
             otel_thread_ctx_v1 = &request;
             if (!read_thread_context(address_in(place, reinterpret_cast<uint64_t>(header)), context)) std::abort();
           }},
      Case{"in a span of the application's",
           [&](Epoch& epoch) {
             otel_thread_ctx_v1 = nullptr, write_own_context(0, {{1, 2}, 3, name});
             commit(on, epoch);
             write_own_context(0, {});
           }},
      Case{"such a span's context set and cleared",
           [&](Epoch&) {
             write_own_context(0, {{1, 2}, 3, name}), write_own_context(0, {});
           }},
  };
  if (!tell_names()) return 1;
  {
    const EpochPin pin;
    cases[3].sample(*pin);
  }
  on.tend();
  for (unsigned round = 0; round < kRounds; ++round) {
    for (Case& each : cases) each.ns.push_back(time_of(each));
    (*engine)->rotate().ok();
  }
  for (const Case& each : cases) std::printf("%-40s %6.1f ns\n", each.name, median(each.ns));
  (*engine)->stop().ok();
  std::filesystem::remove_all(directory);
}
