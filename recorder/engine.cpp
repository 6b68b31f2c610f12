// SPDX-License-Identifier: Apache-2.0
#include "recorder/engine.h"

#include <atomic>

#include "recorder/recorder_thread.h"

namespace rec {
namespace {

// Never destroyed: a handler may run while the process exits.
constinit EpochGate the_gate;
constinit LossCounters the_losses;
std::atomic<bool> recording{false};

}  // namespace

EpochGate& Engine::gate() { return the_gate; }
LossCounters& Engine::losses() { return the_losses; }

Engine::Engine() = default;
Engine::~Engine() {
  recorder_.reset();
  recording.store(false);
}

Result<std::unique_ptr<Engine>> Engine::start(EngineConfig config, ProcessFacts facts) {
  if (recording.exchange(true))
    return Error{jfr::ErrorCode::kUsage, 0, "another recording is under way in this process"};
  std::unique_ptr<Engine> engine(new Engine);
  engine->filename_ = config.filename;
  engine->recorder_ = std::make_unique<RecorderThread>(std::move(config), std::move(facts), the_gate, the_losses);
  if (Status started = engine->recorder_->start(); !started) return started.error();
  return engine;
}

void Engine::flush() { recorder_->wake(); }
Status Engine::rotate() { return recorder_->ask(RecorderThread::What::kRotate, filename_); }
Status Engine::dump(const std::string& filename) { return recorder_->ask(RecorderThread::What::kDump, filename); }
Status Engine::stop() { return recorder_->ask(RecorderThread::What::kStop, filename_); }

}  // namespace rec
