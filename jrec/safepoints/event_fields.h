// SPDX-License-Identifier: Apache-2.0
// EventFields are one event's fields by name, as the events of rec about safepoints have them: numbers, texts, times
// and spans in ns, the thread, the stack. For as long as the event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/reader/chunk.h"
#include "jrec/values/field_value.h"
#include "jrec/values/jvm_numbers.h"
#include "jrec/values/recorder.h"

namespace jrec {

class EventFields {
 public:
  EventFields(jfr::read::Chunk& chunk, const jfr::read::Event& event, const jfr::read::Type& type)
      : fields_(chunk), event_(event), type_(type) {}

  int64_t integer(std::string_view name, int64_t missing = 0);
  int32_t number(std::string_view name) { return static_cast<int32_t>(integer(name)); }
  bool truth(std::string_view name) { return integer(name) != 0; }
  std::string text(std::string_view name) { return fields_.text(value(name)); }
  int64_t time_ns(std::string_view name) { return fields_.chunk().clock().unix_ns(integer(name)); }  // since 1970
  int64_t span_ns(std::string_view name);    // of ticks; -1: not known
  int64_t length_ns(std::string_view name);  // of ns; -1: not known

  int64_t thread_integer(std::string_view member);
  std::string thread_name();
  std::vector<std::string> frames();  // of the stack, innermost first: "Class.method:line"
  struct Top {
    size_t native = 0;      // frames above Java's, of native code
    std::string java_type;  // of the innermost of Java; empty: there is none
  };
  Top top();  // of the stack

 private:
  FieldValue value(std::string_view name) { return fields_.of(event_, type_, name); }

  FieldReader fields_;
  const jfr::read::Event& event_;
  const jfr::read::Type& type_;
};

// The stack from Java's innermost frame on; all of it, where there is none. native: frames above that one.
inline std::span<const std::string> java_frames(const std::vector<std::string>& frames, size_t native) {
  return std::span(frames).subspan(native < frames.size() ? native : 0);
}

// Whose chunk it is, if it is one of rec; others have no events that are to be joined, and tell their JVM anywhere.
inline uint32_t jvm_of_recorder(jfr::read::Chunk& chunk, JvmNumbers& jvms) {
  return recorder_of(chunk.metadata()) != Recorder::kRec ? 0 : jvms.of(chunk);
}

inline constexpr std::string_view kSettingEvent = "jdk.ActiveSetting";

// Calls visit(name, fields) for each event of rec's own types, and for each setting, in the order of the chunk.
template <typename Visit>
void each_rec_event(jfr::read::Chunk& chunk, Visit visit) {
  auto events = chunk.events();
  for (jfr::read::Event event; events.next(event);) {
    const jfr::read::Type* type = chunk.type_of(event);
    if (type == nullptr || event.type_id <= jfr::kCheckpointType) continue;
    if (!type->name.starts_with("rec.") && type->name != kSettingEvent) continue;
    EventFields fields(chunk, event, *type);
    visit(std::string_view(type->name), fields);
  }
}

}  // namespace jrec
