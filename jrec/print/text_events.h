// SPDX-License-Identifier: Apache-2.0
// TextEvents writes the events of one chunk as `jfr print` shows them:
//
//   jdk.ThreadPark {
//     startTime = 17:10:08.358 (2021-12-28)
//     duration = 12.3 ms
//     parkedClass = java.lang.Object (classLoader = bootstrap)
//     eventThread = "main" (javaThreadId = 1)
//     stackTrace = [
//       java.lang.Thread.run() line: 840
//     ]
//   }
//
// The thread and the stack come last, without frames of methods that the JVM hides; a duration of zero, and a thread or
// stack that is not there, are left out. Control characters of names and strings are escaped, but for tabs inside of values,
// and for the line feeds of jdk.ThreadDump.
//
// Stacks, threads and classes are kept as text, up to kMaxCache bytes. Structs inside each other end at kMaxDepth with
// "...", and no event becomes longer than kMaxEventText.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "jrec/values/field_value.h"

namespace jrec {

class TextEvents {
 public:
  static constexpr int kMaxDepth = 16;
  static constexpr size_t kMaxEventText = 64u << 20;
  static constexpr size_t kMaxCache = 64u << 20;

  // Times are of that zone.
  TextEvents(jfr::read::Chunk& chunk, const jfr::read::Clock& clock, uint32_t stack_depth, int32_t utc_offset_s);

  // Appends the event. False, and nothing appended, when its bytes cannot be decoded.
  bool append(const jfr::read::Event& event, const jfr::read::Type& type, std::string& out);

 private:
  // What a number is shown as. The annotation that says so must itself be marked as a content type.
  enum class Unit : uint8_t { kNone, kTime, kSpan, kBytes, kBits, kByteRate, kBitRate, kHertz, kShare, kAddress };

  struct Method {
    std::string text;
    bool hidden = false;  // made by the JVM, and not shown in stacks
  };

  void append_line(const FieldValue& value, int depth, std::string& out);
  void append_value(const FieldValue& value, int depth, std::string& out);
  void append_array(const FieldValue& value, int depth, std::string& out);
  void append_struct(const FieldValue& value, int depth, std::string& out);
  void append_number(const FieldValue& value, std::string& out);
  static void append_amount(Whole number, Unit unit, std::string& out);
  void append_integer(int64_t number, const FieldValue& value, std::string& out);
  bool append_known(const FieldValue& value, int depth, std::string& out);
  void append_thread(const FieldValue& thread, std::string& out);
  void append_class(const FieldValue& klass, std::string& out);
  void append_loader(const FieldValue& loader, std::string& out);
  void append_method(const FieldValue& method, std::string& out);
  // Good until the next call.
  const Method& method_of(const FieldValue& frame);
  void append_frame(const FieldValue& frame, std::string& out);
  void append_stack(const FieldValue& stack, int depth, std::string& out);
  void append_reference_chain(const FieldValue& object, int depth, std::string& out);
  std::string class_name(const FieldValue& klass);
  void make_room(size_t text_size);
  Unit unit_of(const jfr::read::Field& field);
  bool is_content_type(std::string_view annotation) const;
  bool full(const std::string& out) const { return out.size() - event_start_ > kMaxEventText; }

  FieldReader fields_;
  jfr::read::Clock clock_;
  uint32_t stack_depth_;
  int32_t utc_offset_s_;
  size_t event_start_ = 0;      // in the text
  std::string_view kept_;       // control characters that the event's strings keep
  int64_t array_elements_ = 0;  // of the event, which the chain of references needs
  std::unordered_map<const jfr::read::Field*, Unit> units_;
  std::unordered_map<uint64_t, std::string> cache_;  // by key and type of the constant
  std::unordered_map<uint64_t, Method> methods_;     // by key
  size_t cached_bytes_ = 0;                          // of both
};

}  // namespace jrec
