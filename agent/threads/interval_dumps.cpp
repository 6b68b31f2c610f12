// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/interval_dumps.h"

#include "agent/options/log.h"
#include "agent/threads/dump_text.h"
#include "base/clock.h"
#include "format/type_ids.h"
#include "format/writer/byte_sink.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr int kTries = 50;
constexpr int64_t kBetweenTriesNs = 20'000'000;  // the recorder thread makes room meanwhile

}  // namespace

void IntervalDumps::start(int64_t interval_ns) {
  if (interval_ns == 0) return;
  if (!thread_.start([this, interval_ns](Housekeeper::Pause& pause) { run(pause, interval_ns); }))
    say(LogLevel::kWarn, "the system has no thread for thread dumps: there are none in the recording");
}

void IntervalDumps::run(Housekeeper::Pause& pause, int64_t interval_ns) {
  JNIEnv* jni = nullptr;
  JavaVMAttachArgs arguments{JNI_VERSION_1_8, const_cast<char*>("rec thread dumps"), nullptr};
  if (session_.java_vm->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&jni), &arguments) != JNI_OK)
    return say(LogLevel::kWarn, "the VM does not let a thread in: there are no thread dumps in the recording");
  int64_t next = base::now_ticks();
  do {
    record(pause, jni);
    next += interval_ns;
    if (const int64_t now = base::now_ticks(); next < now)
      next = now;  // dumps that could not be had in time are left out
  } while (pause.wait_for(next - base::now_ticks()));
  session_.java_vm->DetachCurrentThread();
}

void IntervalDumps::record(Housekeeper::Pause& pause, JNIEnv* jni) {
  const int64_t ticks = base::now_ticks();
  const auto pieces = dumps_.with_dump(jni, ThreadDetail::kJava,
                                       [](const ThreadDump& dump) { return dump_text_pieces(dump, kPieceBytes); });
  for (const std::string& piece : pieces)
    if (!commit(pause, ticks, piece)) return;
}

bool IntervalDumps::commit(Housekeeper::Pause& pause, int64_t ticks, const std::string& text) {
  jfr::ByteSink fields;
  fields.text(text);
  for (int i = 0; i < kTries; ++i) {
    {
      const EpochPin pin;
      if (!pin && pin.why() == Loss::kNotRecording) return false;
      Event event;
      event.kind = EventKind::kEncoded;
      event.ticks = ticks;
      EncodedShape shape;
      shape.type = static_cast<uint32_t>(jfr::TypeId::kThreadDump);
      shape.fields = fields.bytes().data();
      shape.size = static_cast<uint32_t>(fields.size());
      if (pin) event.other = pin->copy_encoded(shape).unit;
      if (pin && event.other != 0 && pin->commit(event)) return true;
    }
    if (!pause.wait_for(kBetweenTriesNs)) return false;
  }
  Engine::losses().note(Note::kEventsRefused);
  if (!said_) say(LogLevel::kWarn, "the recorder has no room for a thread dump; it is not in the recording");
  said_ = true;
  return false;
}

}  // namespace rec::agent
