// SPDX-License-Identifier: Apache-2.0
// What the trace and span of a sample cost in a handler: a sample committed without a context, and with one; and the reading alone, by either way of the loader. Prints the medians of rounds
// that take turns, in ns a sample.
//
//   context_cost            some seconds
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <vector>

#include "agent/context/span_names.h"
#include "agent/hotspot/state/thread_context.h"
#include "agent/hotspot/x86_64/fault_handler.h"
#include "agent/sampling/sample_contexts.h"
#include "base/clock.h"
#include "recorder/engine/engine.h"

using namespace rec;
using namespace rec::agent;

// Exported (ENABLE_EXPORTS), as a program that tells its requests has it.
struct ContextRecord {
  uint64_t trace[2], span;
  uint8_t valid, flags;
  uint16_t attributes;
};
extern "C" {
__attribute__((visibility("default"))) thread_local const ContextRecord* volatile otel_thread_ctx_v1 = nullptr;
}

namespace {

constexpr unsigned kRounds = 41, kSamples = 5000;

ContextRecord request{{1, 2}, 3, 1, 1, 0};
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
    epoch.commit(SampleContexts::event_of(epoch, contexts.of_caller(0)), event);
  };
  std::array cases = {
      Case{"off", [&](Epoch& epoch) { otel_thread_ctx_v1 = &request, commit(off, epoch); }},
      Case{"outside of requests", [&](Epoch& epoch) { otel_thread_ctx_v1 = nullptr, commit(on, epoch); }},
      Case{"in a request", [&](Epoch& epoch) { otel_thread_ctx_v1 = &request, commit(on, epoch); }},
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
  for (unsigned round = 0; round < kRounds; ++round) {
    for (Case& each : cases) each.ns.push_back(time_of(each));
    (*engine)->rotate().ok();
  }
  for (const Case& each : cases) std::printf("%-40s %6.1f ns\n", each.name, median(each.ns));
  (*engine)->stop().ok();
  std::filesystem::remove_all(directory);
}
