// SPDX-License-Identifier: Apache-2.0
// A thread's request as OpenTelemetry's thread context tells it, and where the loader keeps a thread-local variable.
#include "agent/hotspot/state/thread_context.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include "agent/hotspot/processor/fault_handler.h"
#include "agent/hotspot/processor/thread_local_place.h"

using namespace rec::agent;

namespace {

struct ContextRecord {
  uint8_t trace[16] = {0x4b, 0xf9, 0x2f, 0x35, 0x77, 0xb3, 0x4d, 0xa6, 0xa3, 0xce, 0x92, 0x9d, 0x0e, 0x0e, 0x47, 0x36};
  uint8_t span[8] = {0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7};
  uint8_t valid = 1, flags = 1;
  uint16_t attributes = 0;
};
static_assert(sizeof(ContextRecord) == 28, "as OTEP 4947 has it");

uint64_t number(const void* at) { return reinterpret_cast<uint64_t>(at); }

bool reads(const ContextRecord* record, ThreadContext& to) { return read_thread_context(number(&record), to); }

}  // namespace

TEST_CASE("a valid record gives its bytes as they stand there") {
  const ContextRecord record;
  ThreadContext context;
  REQUIRE(reads(&record, context));
  CHECK(std::memcmp(context.words.data(), record.trace, 16) == 0);
  CHECK(std::memcmp(&context.words[2], record.span, 8) == 0);
}

TEST_CASE("no pointer, no variable, no ids, or any other word than valid: there is no context") {
  ThreadContext context;
  CHECK_FALSE(read_thread_context(0, context));
  CHECK_FALSE(reads(nullptr, context));
  ContextRecord record;
  for (const int valid : {0, 2, 255}) {
    record.valid = static_cast<uint8_t>(valid);
    CHECK_FALSE(reads(&record, context));
  }
  record = {};
  std::memset(record.span, 0, sizeof record.span);
  CHECK_FALSE(reads(&record, context));
  record = {};
  std::memset(record.trace, 0, sizeof record.trace);
  CHECK_FALSE(reads(&record, context));
}

TEST_CASE("damage: a pointer into memory that is gone, or a record that ends there, gives no context") {
  auto* const pages =
      static_cast<char*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + 4096, 4096, PROT_NONE);
  std::memset(pages, 1, 4096);
  const auto reads_at = [](uint64_t address) {
    ThreadContext context;
    return reads(reinterpret_cast<const ContextRecord*>(address), context);
  };
  // In a process of its own: how often the handler of faults is put in front again has a limit.
  const pid_t child = fork();
  if (child == 0) {
    if (!install_fault_handler()) _exit(1);
    bool any = reads_at(8) || reads_at(0xdead'beef'dead'beef);
    for (const uint64_t seen : {8, 20, 24}) any = any || reads_at(number(pages) + 4096 - seen);
    _exit(any ? 2 : reads_at(number(pages) + 4096 - sizeof(ContextRecord)) ? 0 : 3);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  munmap(pages, 8192);
}

TEST_CASE("race: of a record that its thread goes on writing, no half is taken for a whole") {
  ContextRecord record{.trace = {}, .span = {}, .valid = 0};
  const ContextRecord* variable = &record;
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (uint64_t i = 1; !stop.load(std::memory_order_relaxed); ++i) {
      auto& valid = *const_cast<volatile uint8_t*>(&record.valid);
      valid = 0;
      std::atomic_signal_fence(std::memory_order_seq_cst);  // pairs with itself: as writers of OTEP 4947 do
      for (uint8_t* word : {record.trace, record.trace + 8, record.span}) std::memcpy(word, &i, sizeof i);
      std::atomic_signal_fence(std::memory_order_seq_cst);  // pairs with itself, likewise
      valid = 1;
      for (int rest = 0; rest < 50; ++rest) std::atomic_signal_fence(std::memory_order_seq_cst);  // pairs with itself
    }
  });
  uint64_t read = 0, torn = 0;
  for (int i = 0; i < 1'000'000 && read < 200'000; ++i) {
    ThreadContext context;
    if (!read_thread_context(number(&variable), context)) continue;
    ++read;
    torn += context.words[0] != context.words[1] || context.words[1] != context.words[2];
  }
  stop = true;
  writer.join();
  CHECK(torn == 0);
}

TEST_CASE("a variable of a library that was there from the start is at one place in each thread") {
  const ThreadLocalSymbol symbol = find_thread_local("errno");
  REQUIRE(symbol);
  CHECK(symbol.library.find("libc.so") != std::string::npos);
  const auto place = place_of(symbol, "errno");
  REQUIRE(place);
  CHECK(place->kind == ThreadLocalPlace::Kind::kStatic);
  CHECK(address_in(*place, thread_pointer()) == number(&errno));
  uint64_t found = 0, is = 1;
  std::thread([&] { found = address_in(*place, thread_pointer()), is = number(&errno); }).join();
  CHECK(found == is);
  CHECK_FALSE(find_thread_local("no_such_variable_is_exported"));
  CHECK_FALSE(find_thread_local("malloc"));  // no variable
}

TEST_CASE("a variable in a block of its own is where the thread's table says, if that has one") {
  // Its length, its generation, and two modules: one with a block, one without.
  uint64_t table[8] = {2, 0, 7, 0, 0x5000, 0, UINT64_MAX, 0};
  const uint64_t header[2] = {0, number(&table[2])};
  const auto address = [&](uint64_t module) {
    return address_in({ThreadLocalPlace::Kind::kDynamic, 0, module, 0x18}, number(header));
  };
  CHECK(address(1) == 0x5018);
  CHECK(address(2) == 0);
  CHECK(address(3) == 0);  // beyond its end

  // By musl: the number of modules, and a block of each.
  const uint64_t musl_table[3] = {2, 0x6000, 0};
  const uint64_t musl_header[2] = {0, number(&musl_table[0])};
  const auto musl_address = [&](uint64_t module) {
    return address_in({ThreadLocalPlace::Kind::kDynamicMusl, 0, module, 0x18}, number(musl_header));
  };
  CHECK(musl_address(1) == 0x6018);
  CHECK(musl_address(2) == 0);
  CHECK(musl_address(3) == 0);
}
