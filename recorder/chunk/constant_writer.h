// SPDX-License-Identifier: Apache-2.0
// ConstantWriter writes what events refer to, each constant once per chunk.
//
//   event -> thread -> group
//         -> stack  -> frames -> method -> class -> loader -> class ...
//                                                -> package -> module
//
//   start_chunk(serial)      forgets what was written
//   read_from(epoch)         the facts that follow are of that epoch
//   thread(), stack(), ...   give the key; the thing and whatever is reachable from it are then in the segment's
//                            checkpoint, or earlier in the chunk
//
// Reachability takes the place of a queue of newly tagged things: a queue's entry can lag behind the event that needs
// it, a reference cannot. A fact carries the serial of the chunk it was last written in; keys are remembered per chunk
// besides, since a lease may have made a second fact of one thing, and a key must have one content.
//
// Keys: class, method, loader and thread by their own ids, stacks by StackFact::id; packages, modules, symbols and
// thread groups and old objects by content. Never 0, which readers take for null. Recorder thread only.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "format/writer/checkpoint_builder.h"
#include "recorder/chunk/content_ids.h"
#include "recorder/chunk/frame_memo.h"
#include "recorder/chunk/native_news.h"
#include "recorder/chunk/thread_keys.h"
#include "recorder/spool/fact_reader.h"
#include "recorder/symbols/native_names.h"

namespace rec {

// Keys of what is not tagged. Beyond all class ids and method ids, which stay below 2^26 and 2^42.
inline constexpr uint64_t kManyFunctions = uint64_t{1} << 50;      // keys of functions, when the short ones are used up
inline constexpr uint64_t kUnnumberedMethods = uint64_t{1} << 49;  // keys of methods without an idnum begin here
inline constexpr uint64_t kUnknownKey = uint64_t{1}
                                        << 48;  // class and method of a frame whose method could not be read
inline constexpr uint64_t kBootLoaderKey = uint64_t{1} << 48;
inline constexpr uint64_t kRenamedThreads = uint64_t{1} << 50;  // beyond all ids of threads, too (ids.h)
// Functions of native code, which most frames of a stack may be, have short keys: no class has these numbers, for JFR keeps
// some hundred for its own types (jfrTraceId.cpp), and the first are stand-ins' (agent/sampling/stand_in.h).
inline constexpr uint64_t kFunctions = uint64_t{8} << 16, kFunctionsEnd = uint64_t{100} << 16;

class ConstantWriter {
 public:
  // first_id: of what is numbered by content.
  explicit ConstantWriter(uint64_t first_id)
      : symbols_(first_id),
        packages_(first_id),
        modules_(first_id),
        groups_(first_id),
        old_objects_(first_id),
        unnumbered_methods_(kUnnumberedMethods + first_id),
        functions_(kFunctions + first_id),
        threads_(kRenamedThreads + first_id) {}

  void start_chunk(uint32_t serial);
  void read_from(uint32_t epoch) { frames_.read_from(epoch); }
  jfr::CheckpointBuilder& segment() { return segment_; }
  NativeNews& native_news() { return native_news_; }  // of what was written since it was taken last

  // 0 for an empty Ref.
  uint64_t thread(const FactReader& facts, Ref<ThreadFact> ref);
  uint64_t stack(const FactReader& facts, Ref<StackFact> ref);
  uint64_t klass(const FactReader& facts, Ref<ClassFact> ref);
  uint64_t loader_of(const FactReader& facts, Ref<ClassFact> ref);
  uint64_t old_object(const FactReader& facts, Ref<ClassFact> type, uint64_t address);

 private:
  enum Kind { kLoader, kClass, kMethod, kKinds };
  template <typename Fact>
  bool first_time(Kind kind, uint64_t key, Fact& fact);
  bool first_time(Kind kind, uint64_t key) { return written_[kind].insert(key).second; }

  uint64_t class_key(const FactReader& facts, Ref<ClassFact> ref);
  uint64_t loader_key(const FactReader& facts, Ref<LoaderFact> ref);
  uint64_t method_key(const FactReader& facts, Ref<MethodFact> ref);
  uint64_t unnumbered_method(const ClassFact& holder, MethodFact& fact);
  uint64_t native_method(const FactReader& facts, ClassFact& holder, MethodFact& fact);
  uint64_t write_method(const FactReader& facts, MethodFact& fact, uint64_t key, std::string_view name,
                        std::string_view descriptor);
  uint64_t boot_loader();
  uint64_t unknown_class();
  uint64_t unknown_method();
  uint64_t package(const FactReader& facts, ClassFact& of);
  uint64_t module(const FactReader& facts, ClassFact& of);
  uint64_t group(std::string_view name);
  uint64_t symbol(std::string_view text);  // 0 for none
  uint64_t name_symbol(std::string_view text);
  void write_pending_loaders(const FactReader& facts);
  void write_class(const FactReader& facts, ClassFact& fact, uint64_t key);
  void tell_module(ClassFact& fact, uint64_t key);
  void write_frames(const FactReader& facts, StackFact& fact, uint64_t key);
  std::span<const uint8_t> frame_bytes(const FactReader& facts, const Frame& frame);

  jfr::CheckpointBuilder segment_;
  uint32_t serial_ = 0;
  std::array<std::unordered_set<uint64_t>, kKinds> written_;  // keys in this chunk
  std::vector<Ref<LoaderFact>>
      pending_loaders_;  // their keys are given out, their entries to be written: breaks the cycle
  ContentIds symbols_, packages_, modules_, groups_, old_objects_, unnumbered_methods_, functions_;
  ThreadKeys threads_;
  NativeNames native_names_;
  NativeNews native_news_;
  FrameMemo frames_;
  jfr::ByteSink frame_;  // the one at hand
};

}  // namespace rec
