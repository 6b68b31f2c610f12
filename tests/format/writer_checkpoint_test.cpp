// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "format/writer/checkpoint_builder.h"
#include "format/writer/collection_constants.h"
#include "format/writer/enumerations.h"

namespace {

using Bytes = std::vector<uint8_t>;
using jfr::CheckpointBuilder;
using jfr::CheckpointFlag;
using jfr::TypeId;

Bytes encoded(const CheckpointBuilder& builder, int64_t delta = 0, CheckpointFlag flag = CheckpointFlag::kNone,
              size_t width = 1) {
  jfr::ByteSink sink;
  builder.encode(sink, 300, delta, flag, width);
  return {sink.bytes().begin(), sink.bytes().end()};
}

}  // namespace

TEST_CASE("golden: a checkpoint holds its pools in the order of type ids") {
  CheckpointBuilder builder;
  builder.pool(TypeId::kFrameType).entry(1).text("B");  // 141
  builder.pool(TypeId::kSymbol).entry(200).text("a");   // 135
  builder.pool(TypeId::kSymbol).entry(7).text("");
  CHECK(encoded(builder) ==
        Bytes{
            0x9c, 0x80, 0x80, 0x00,              // 28 bytes
            0x01, 0xac, 0x02, 0x00, 0x00, 0x00,  // checkpoint, ticks 300, duration 0, delta 0, no flag
            0x02,                                // pools
            0x87, 0x01, 0x02, 0xc8, 0x01, 0x03, 0x01, 'a', 0x07, 0x01, 0x8d, 0x01, 0x01, 0x01, 0x03, 0x01, 'B',
        });
}

TEST_CASE("golden: delta points back in nine bytes, the flag is one byte, the duration may be padded") {
  CHECK(encoded({}, -15, CheckpointFlag::kFlush, 3) == Bytes{
                                                           0x95, 0x80, 0x80, 0x00, 0x01, 0xac, 0x02,
                                                           0x80, 0x80, 0x00, 0xf1, 0xff, 0xff, 0xff,
                                                           0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x00,
                                                       });
}

TEST_CASE("a pool that was asked for but got no entry is not written: the JDK throws at it") {
  CheckpointBuilder builder;
  builder.pool(TypeId::kModule);
  CHECK(builder.empty());
  CHECK(encoded(builder) == encoded({}));
  builder.pool(TypeId::kSymbol).entry(1).text("x");
  CHECK_FALSE(builder.empty());
  CHECK(encoded(builder)[10] == 1);
  builder.clear();
  CHECK(builder.empty());
}

TEST_CASE("body_size() is never below what encode() takes and at most 64 above") {
  CheckpointBuilder builder;
  for (uint64_t key = 0; key < 300; ++key) {
    const size_t taken = encoded(builder, -1'000'000, CheckpointFlag::kFlush, 8).size();
    CHECK(builder.body_size() >= taken);
    CHECK(builder.body_size() <= encoded(builder).size() + 64);
    builder.pool(key % 3 == 0 ? TypeId::kSymbol : TypeId::kGcName).entry(key << (key % 50)).text(std::string(key, 'n'));
  }
}

TEST_CASE("the enumerations name every frame type and thread state") {
  CheckpointBuilder builder = jfr::enumerations();
  CHECK(builder.pool(TypeId::kFrameType).count() == 7);
  CHECK(builder.pool(TypeId::kThreadState).count() == 9);
  CHECK(builder.pool(TypeId::kGcName).count() == jfr::gc_name_key("Shenandoah"));
  CHECK(builder.pool(TypeId::kGcCause).count() == jfr::gc_cause_key("High Usage"));
}

TEST_CASE("collectors and causes that nobody knows are not told, and never another's") {
  CHECK(jfr::gc_name_key("G1New") != jfr::gc_name_key("G1Old"));
  CHECK(jfr::gc_cause_key("System.gc()") != jfr::kGcCauseUnknown);
  CHECK(jfr::gc_name_key("a collector of tomorrow") == jfr::kGcNameUnknown);
  CHECK(jfr::gc_cause_key("") == jfr::kGcCauseUnknown);
  for (const uint64_t key : {uint64_t{0}, uint64_t{1000}, ~uint64_t{0}}) {
    CHECK(jfr::known_gc_name(key) == jfr::kGcNameUnknown);
    CHECK(jfr::known_gc_cause(key) == jfr::kGcCauseUnknown);
  }
  CHECK(jfr::known_gc_cause(jfr::gc_cause_key("High Usage")) == jfr::gc_cause_key("High Usage"));
}
