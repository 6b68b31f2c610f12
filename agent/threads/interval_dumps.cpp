// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/interval_dumps.h"

#include <pthread.h>

#include "agent/options/log.h"
#include "agent/threads/dump_text.h"
#include "base/clock.h"
#include "format/type_ids.h"
#include "recorder/chunk/encoded_event.h"
#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr int kTries = 50;
constexpr int64_t kBetweenTriesNs = 20'000'000;  // the recorder thread makes room meanwhile
constexpr size_t kMostSharedBytes = UINT16_MAX;  // of TextView

void put_line(Epoch& epoch, FrameLines::Line& line, TextParts& parts) {
  const std::string& text = line.text;
  Ref<EncodedFact> shared;
  if (text.size() <= kMostSharedBytes)
    shared = epoch.tag_text(line.tag, {text.data(), static_cast<uint16_t>(text.size())});
  if (shared)
    parts.add(shared);
  else
    parts.add(text);
}

// The lines of frames are tagged in the epoch.
void put_parts(Epoch& epoch, const MarkedText& piece, FrameLines& lines, TextParts& parts) {
  const std::string_view text = piece.text;
  size_t from = 0;
  parts.clear();
  for (const MarkedText::Mark& each : piece.marks) {
    parts.add(text.substr(from, each.at - from));
    put_line(epoch, lines.of(each.frame), parts);
    from = each.at;
  }
  parts.add(text.substr(from));
}

}  // namespace

void IntervalDumps::start(int64_t interval_ns) {
  if (interval_ns == 0) return;
  if (!thread_.start([this, interval_ns](Housekeeper::Pause& pause) { run(pause, interval_ns); }))
    say(LogLevel::kWarn, "the system has no thread for thread dumps: there are none in the recording");
}

void IntervalDumps::run(Housekeeper::Pause& pause, int64_t interval_ns) {
  pthread_setname_np(pthread_self(), "rec dumps");
  JNIEnv* jni = nullptr;
  JavaVMAttachArgs arguments{JNI_VERSION_1_8, const_cast<char*>("rec thread dumps"), nullptr};
  if (session_.java_vm->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&jni), &arguments) != JNI_OK)
    return say(LogLevel::kWarn, "the VM does not let a thread in: there are no thread dumps in the recording");
  Texts texts;
  int64_t next = base::now_ticks();
  do {
    record(pause, jni, texts);
    next += interval_ns;
    if (const int64_t now = base::now_ticks(); next < now)
      next = now;  // dumps that could not be had in time are left out
  } while (pause.wait_for(next - base::now_ticks()));
  session_.java_vm->DetachCurrentThread();
}

void IntervalDumps::record(Housekeeper::Pause& pause, JNIEnv* jni, Texts& texts) {
  const int64_t ticks = base::now_ticks();
  dumps_.with_dump(jni, ThreadDetail::kJava, [&](const ThreadDump& dump) {
    texts.lines.begin(dump);
    dump_in_pieces(dump, texts.lines, kPieceBytes, texts.piece,
                   [&](const MarkedText&) { return commit(pause, ticks, texts); });
  });
}

bool IntervalDumps::commit(Housekeeper::Pause& pause, int64_t ticks, Texts& texts) {
  for (int i = 0; i < kTries; ++i) {
    {
      const EpochPin pin;
      if (!pin && pin.why() == Loss::kNotRecording) return false;
      if (pin) put_parts(*pin, texts.piece, texts.lines, texts.parts);
      const std::span<const uint8_t> parts = texts.parts.bytes();
      if (pin && rec::commit(*pin, {.type = jfr::TypeId::kThreadDump,
                                    .ticks = ticks,
                                    .fields = parts.data(),
                                    .size = static_cast<uint32_t>(parts.size()),
                                    .has_thread = false,
                                    .has_parts = true}))
        return true;
    }
    if (!pause.wait_for(kBetweenTriesNs)) return false;
  }
  Engine::losses().note(Note::kEventsRefused);
  if (!said_) say(LogLevel::kWarn, "the recorder has no room for a thread dump; it is not in the recording");
  said_ = true;
  return false;
}

}  // namespace rec::agent
