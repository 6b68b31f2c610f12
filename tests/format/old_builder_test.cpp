// SPDX-License-Identifier: Apache-2.0
#include "tests/format/old_builder.h"

namespace test {
namespace {

enum class OldKind : uint8_t {
  kBoolean,
  kByte,
  kU1,
  kShort,
  kU2,
  kInt,
  kU4,
  kLong,
  kU8,
  kFloat,
  kDouble,
  kUtf8,
  kString,
  kArray,
  kStruct,
  kStructs
};

struct OldMember {
  const char* id;
  OldKind kind;
  uint32_t content = 0;
  uint32_t structure = 0;
};
using OldStructure = std::vector<OldMember>;

struct OldProducer {
  const char* uri;
  std::vector<OldStructure> structures;
  struct Type {
    uint32_t id;
    const char* path;
    bool start, thread, stack;
    uint32_t structure;
  };
  std::vector<Type> types;
  struct Pool {
    uint32_t id;
    const char* name;
    OldKind key;
    uint32_t structure;
  };
  std::vector<Pool> pools;
};

const std::vector<OldProducer>& old_producers() {
  using B = OldBuilder;
  using K = OldKind;
  static const std::vector<OldProducer> kProducers = {
      {"http://www.oracle.com/hotspot/jvm/",
       {
           {{"name", K::kUtf8}},                                                                                   // 0
           {{"thread", K::kU4, 7}, {"inside", K::kU8, 1}, {"outside", K::kU8, 1}, {"group", K::kU4, B::kGroups}},  // 1
           {{"parent", K::kU4, B::kGroups}, {"name", K::kUtf8}},                                                   // 2
           {{"loaderClass", K::kU8, 10}, {"name", K::kU8, B::kNames}, {"modifiers", K::kShort}},                   // 3
           {{"class", K::kU8, 10},
            {"name", K::kU8, B::kNames},
            {"signature", K::kU8, B::kNames},
            {"modifiers", K::kShort}},
           {{"utf8", K::kUtf8}},                                                                                  // 5
           {{"truncated", K::kBoolean}, {"frames", K::kStructs, 0, 7}},                                           // 6
           {{"method", K::kU8, B::kMethods}, {"line", K::kInt}, {"bci", K::kInt}, {"type", K::kU1, B::kFrames}},  // 7
           {{"desc", K::kUtf8}},                                                                                  // 8
           {{"klass", K::kU8, 10}, {"previousOwner", K::kLong, 8}, {"address", K::kU8, 6}},                       // 9
           {{"sampledThread", K::kU4, 7}, {"stackTrace", K::kU8, 9}, {"state", K::kU2, B::kStates}},              // 10
           {{"unallocatedCapacity", K::kU8, 1}},                                                                  // 11
       },
       {{B::kEnter, "java/monitor_enter", true, true, true, 9},
        {B::kSample, "vm/prof/execution_sample", false, false, false, 10},
        {B::kCache, "vm/code_cache/stats", false, false, false, 11}},
       {{B::kThreads, "Thread", K::kU4, 0},
        {B::kJavaThreads, "JavaThread", K::kU8, 1},
        {B::kGroups, "ThreadGroup", K::kU4, 2},
        {B::kClasses, "Class", K::kU8, 3},
        {B::kMethods, "Method", K::kU8, 4},
        {B::kNames, "UTFConstant", K::kU8, 5},
        {B::kStates, "ThreadState", K::kU2, 0},
        {B::kStacks, "StackTrace", K::kU8, 6},
        {B::kFrames, "FrameType", K::kU1, 8}}},
      {"http://example.org/shop/",
       {{{"text", K::kString},
         {"numbers", K::kArray, 0, static_cast<uint32_t>(K::kInt)},
         {"places", K::kStructs, 0, 1},
         {"duration", K::kLong, 3}},
        {{"x", K::kShort}, {"y", K::kDouble}}},
       {{B::kOrder, "shop/new order", false, false, false, 0}},
       {}},
      {"http://www.oracle.com/hotspot/jfr-info/",
       {{{"period", K::kLong, 3},
         {"threshold", K::kLong, 4},
         {"stacktrace", K::kBoolean},
         {"enabled", K::kBoolean},
         {"id", K::kInt}}},
       {{B::kSetting, "recordings/recording_setting", false, false, false, 0}},
       {}},
  };
  return kProducers;
}

}  // namespace

void OldBuilder::open() {
  start_ = out_.size();
  checkpoint_ = 0;
  raw({'F', 'L', 'R', 0, 0, 0, 0, 9}).raw(Bytes(8));
}

OldBuilder& OldBuilder::checkpoint(int64_t ticks) {
  Put body = Put().i64(ticks).u64(checkpoint_);
  for (const Constants& constants : pools_) {
    body.u32(constants.pool).u32(constants.count);
    body.bytes.insert(body.bytes.end(), constants.put.bytes.begin(), constants.put.bytes.end());
  }
  pools_.clear();
  checkpoint_ = out_.size() - start_;
  return event(1, body);
}

OldBuilder& OldBuilder::order(int64_t ticks, std::u16string_view text, const std::vector<uint32_t>& numbers,
                              uint8_t places) {
  Put body = Put().i64(ticks).u32(text.size());
  for (const char16_t c : text) body.u16(c);
  body.u32(numbers.size());
  for (const uint32_t number : numbers) body.u32(number);
  body.u32(places);
  for (uint8_t i = 0; i < places; ++i) body.u16(i).u64(0x3ff0000000000000);  // i and 1.0
  return event(kOrder, body.i64(17));
}

void OldBuilder::close() {
  put_be64(out_, start_ + 8, out_.size() - start_);
  Put body = Put().u32(old_producers().size());
  for (const OldProducer& producer : old_producers()) {
    body.u32(1).utf8("a producer").utf8("").utf8(producer.uri).u32(1).utf8("http://a/relation");
    body.u32(producer.structures.size());
    for (const OldStructure& structure : producer.structures) {
      body.u32(structure.size());
      for (const OldMember& member : structure) {
        body.utf8(member.id)
            .utf8(std::string("Label of ") + member.id)
            .utf8("")
            .u8(0)
            .u8(static_cast<uint8_t>(member.kind));
        body.u32(member.content).u32(member.structure).u32(0);
      }
    }
    body.u32(producer.types.size());
    for (const OldProducer::Type& type : producer.types) {
      body.u32(type.id).utf8(std::string("Label of ") + type.path).utf8("").utf8(type.path);
      body.u8(type.start).u8(type.thread).u8(type.stack).u8(0).u32(type.structure).u32(0);
    }
    body.u32(producer.pools.size());
    for (const OldProducer::Pool& pool : producer.pools)
      body.u32(pool.id).utf8(pool.name).utf8("").u8(static_cast<uint8_t>(pool.key)).u32(pool.structure);
  }
  body.i64(1000).i64(3000).i64(1000).i64(1'000'000).u64(checkpoint_).utf8("en_US").u32(3'600'000);
  event(0, body);
}

}  // namespace test
