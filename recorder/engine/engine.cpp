// SPDX-License-Identifier: Apache-2.0
#include "recorder/engine/engine.h"

#include <unistd.h>

#include <atomic>

#include "base/clock.h"
#include "base/open_files.h"
#include "recorder/engine/recorder_thread.h"

namespace rec {
namespace {

// Never destroyed: a handler may run while the process exits.
constinit EpochGate the_gate;
constinit LossCounters the_losses;
constinit std::atomic<bool> is_recording{false};  // until nothing of an engine runs any more

Error not_ours() { return Error{base::ErrorCode::kUsage, 0, "the recording belongs to the process that forked"}; }

}  // namespace

EpochGate& Engine::gate() { return the_gate; }
LossCounters& Engine::losses() { return the_losses; }

Engine::Engine() : pid_(getpid()) {}

bool Engine::ours() const { return getpid() == pid_; }

Engine::~Engine() {
  if (!recorder_) return;
  if (!ours())
    (void)recorder_.release();  // the parent's thread was in there when we were forked
  else if (abandoned_.load() && recorder_->leave())
    (void)recorder_.release();
}

Result<std::unique_ptr<Engine>> Engine::start(EngineConfig config, ProcessFacts facts) {
  // Pairs with the stores in RecorderThread: the gate and the counters are as the recording before has left them.
  if (is_recording.exchange(true))
    return Error{base::ErrorCode::kUsage, 0, "another recording is under way in this process"};
  std::unique_ptr<Engine> engine(new Engine);
  auto recorder =
      std::make_unique<RecorderThread>(std::move(config), std::move(facts), the_gate, the_losses, is_recording);
  if (Status started = recorder->start(); !started) return started.error();
  engine->recorder_ = std::move(recorder);
  return engine;
}

void Engine::after_fork_in_child() {
  the_gate.close();
  base::OpenFiles::close_all();
  is_recording.store(false);
}

void Engine::flush() {
  if (ours()) recorder_->wake();
}

Status Engine::write_out(int64_t limit_ns) {
  if (!ours()) return not_ours();
  return recorder_->ask({.what = RecorderThread::What::kFlush}, limit_ns);
}

Status Engine::rotate() {
  if (!ours()) return not_ours();
  return recorder_->ask({.what = RecorderThread::What::kRotate}, kNoLimitNs);
}

Status Engine::change(ChunkSettings settings, int64_t limit_ns) {
  if (!ours()) return not_ours();
  return recorder_->ask({.what = RecorderThread::What::kChange, .settings = std::move(settings)}, limit_ns);
}

Status Engine::begin(RecordingConfig recording, int64_t limit_ns) {
  if (!ours()) return not_ours();
  if (recording.start_unix_ms == 0) recording.start_unix_ms = base::now_unix_ns() / 1'000'000;
  return recorder_->ask({.what = RecorderThread::What::kBegin, .begins = std::move(recording)}, limit_ns);
}

Status Engine::may_go_to(const RecordingTarget& target, int64_t limit_ns, uint64_t recording) {
  if (!ours()) return not_ours();
  return recorder_->ask({.what = RecorderThread::What::kTry, .recording = recording, .target = target}, limit_ns);
}

Status Engine::dump(const RecordingTarget& target, int64_t limit_ns, uint64_t recording) {
  if (!ours()) return not_ours();
  return recorder_->ask({.what = RecorderThread::What::kDump, .recording = recording, .target = target}, limit_ns);
}

Status Engine::end(uint64_t recording, const RecordingTarget& target, EngineStatus* ended, int64_t limit_ns) {
  if (!ours()) return not_ours();
  return recorder_->ask({.what = RecorderThread::What::kEnd, .recording = recording, .target = target}, limit_ns,
                        ended);
}

Status Engine::stop(int64_t limit_ns, const RecordingTarget& target) {
  if (!ours()) return not_ours();
  Status stopped = recorder_->ask({.what = RecorderThread::What::kStop, .target = target}, limit_ns);
  abandoned_.store(!stopped && stopped.error().code == base::ErrorCode::kLimit);
  return stopped;
}

bool Engine::finished() const { return !ours() || recorder_->finished(); }
EngineStatus Engine::status(uint64_t recording) const { return ours() ? recorder_->status(recording) : EngineStatus{}; }

}  // namespace rec
