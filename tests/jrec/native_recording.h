// SPDX-License-Identifier: Apache-2.0
// A recording with native frames, and where they lie: what symbolize, pprof and OTLP go by.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/jrec/commands.h"
#include "tests/jrec/our_chunk.h"

namespace test {

// Methods 1 and 2 of one library at 0x1000 and 0x2000, 3 of another one, 4 at two places; 5 is behind all symbols. A sample of each, in one chunk of
// our own writer. Code lies at 0x1000 to 0x9800 of the file's addresses, and 0x400 in the file.
struct NativeRecording {
  static constexpr uint64_t kLibrary = 70, kOther = 71, kBias = 0x7f12'3450'0000;
  const char* other = "libwork.so";  // the name of the other one's class
  jfr::CheckpointBuilder constants;
  jfr::ByteSink events;

  void klass(uint64_t key, const char* name, const char* build_id) {
    constants.pool(jfr::TypeId::kSymbol).entry(key).text(name);
    auto& entry = constants.pool(jfr::TypeId::kClass).entry(key);
    for (const uint64_t each : {uint64_t{0}, key, uint64_t{0}, uint64_t{0}}) entry.leb(each);
    entry.boolean(false);
    const size_t at = begin(jfr::TypeId::kRecNativeModule);
    events.leb(key);
    events.text("/gone/libwork.so");
    events.text(build_id);
    for (const uint64_t each : {kBias + 0x1000, kBias + 0x9800, uint64_t{0x400}, kBias}) events.leb(each);
    end(at);
  }
  void method(uint64_t key, uint64_t klass_key, const std::string& name, std::vector<uint64_t> addresses) {
    constants.pool(jfr::TypeId::kSymbol).entry(1000 + key).text(name);
    auto& entry = constants.pool(jfr::TypeId::kMethod).entry(key);
    for (const uint64_t each : {klass_key, 1000 + key, uint64_t{999}, uint64_t{0}}) entry.leb(each);
    entry.boolean(false);
    for (const uint64_t address : addresses) {
      const size_t at = begin(jfr::TypeId::kRecNativeFunction);
      events.leb(key);
      events.leb(address);
      end(at);
    }
    auto& stack = constants.pool(jfr::TypeId::kStackTrace).entry(100 + key);
    stack.boolean(false);
    for (const uint64_t each : {uint64_t{1}, key, uint64_t{0}, uint64_t{0}, uint64_t{4}}) stack.leb(each);
    const size_t at = begin(jfr::TypeId::kExecutionSample);
    for (const uint64_t each : {uint64_t{1}, 100 + key, uint64_t{5}}) events.leb(each);
    end(at);
  }
  std::string write(const Workplace& place) {
    sample::constants(constants, 1);
    constants.pool(jfr::TypeId::kSymbol).entry(999).text("()V");
    klass(kLibrary, "libwork.so", "123456789abcdef0");
    klass(kOther, other, "ffff");
    method(1, kLibrary, "+0x1000", {0x1000});
    method(2, kLibrary, "wrong_neighbour", {0x2004});
    method(3, kOther, "+0x1000", {0x1000});
    method(4, kLibrary, "copies", {0x1000, 0x2000});
    method(5, kLibrary, "+0x9000", {0x9000});
    auto chunk =
        jfr::ChunkFile::create(place.path(""), "in.jfr", 64 << 10, {1'700'000'000'000'000'000, sample::kStart});
    REQUIRE(chunk.ok());
    REQUIRE(chunk->append(constants, events.bytes(), sample::kStart + 2'000'000).ok());
    REQUIRE(chunk->close(sample::kStart + 1'000'000'000, false).ok());
    return place.path("in.jfr");
  }

 private:
  size_t begin(jfr::TypeId type) {
    const size_t at = events.reserve_size();
    events.leb(static_cast<uint64_t>(type));
    events.leb_i64(sample::kStart + 1'000'000);
    return at;
  }
  void end(size_t at) { events.patch_size(at, static_cast<uint32_t>(events.size() - at)); }
};

}  // namespace test
