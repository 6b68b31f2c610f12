// SPDX-License-Identifier: Apache-2.0
// EventEncoder turns events into bytes: one-byte sizes where they do, four padded bytes else. Recorder thread only.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "format/type_ids.h"
#include "format/writer/byte_sink.h"
#include "recorder/chunk/constant_writer.h"
#include "recorder/spool/event_log.h"
#include "recorder/spool/sample_event.h"

namespace rec {

class EventEncoder {
 public:
  EventEncoder(SampleEvent sample_event, int64_t sample_period_ns)
      : sample_event_(sample_event), period_ns_(sample_period_ns) {}

  void set_sample_period(int64_t ns) { period_ns_ = ns; }

  // begin(type, ticks), fields in metadata order, end(): one whole event in bytes().
  jfr::ByteSink& begin(jfr::TypeId type, int64_t start_ticks);
  void end();
  // An event of the log, with its constants, and behind its context: of kind kContext, or kNone if it has none. What is new of
  // native code among these constants follows it (native_news.h).
  void encode(const Event& event, const FactReader& facts, ConstantWriter& constants, const Event& context = {});

  const jfr::ByteSink& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void encode_itself(const Event& event, uint64_t thread, const FactReader& facts, ConstantWriter& constants);
  void encode_context(const Event& context, int64_t ticks, uint64_t thread, const FactReader& facts);
  void encode_sample(const Event& event, uint64_t thread, uint64_t stack);
  void encode_class_unload(const Event& event, uint64_t thread, const FactReader& facts, ConstantWriter& constants);
  void encode_wall(const Event& event, uint64_t thread, uint64_t stack);
  void encode_allocation(const Event& event, uint64_t thread, const FactReader& facts, ConstantWriter& constants);
  void encode_exception(const Event& event, uint64_t thread, const FactReader& facts, ConstantWriter& constants);
  void encode_live_object(const Event& event, uint64_t thread, const FactReader& facts, ConstantWriter& constants);
  void encode_wait(const Event& event, uint64_t thread, const FactReader& facts, ConstantWriter& constants);
  void encode_encoded(const Event& event, uint64_t thread, const FactReader& facts, ConstantWriter& constants);
  void encode_parts(EncodedFact& fact, int64_t ticks, const FactReader& facts);
  void encode_gc(const Event& event, uint64_t thread);

  SampleEvent sample_event_;
  int64_t period_ns_;
  jfr::ByteSink bytes_;
  jfr::ByteSink body_;
  std::vector<std::string_view> parts_;  // of a text
};

}  // namespace rec
