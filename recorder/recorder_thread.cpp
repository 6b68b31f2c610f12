// SPDX-License-Identifier: Apache-2.0
#include "recorder/recorder_thread.h"

#include <algorithm>

#include "recorder/assemble.h"
#include "recorder/system_error.h"

namespace rec {

using jfr::Done;
using jfr::Error;
using jfr::ErrorCode;

namespace {

constexpr size_t kStackBytes = 512u << 10;

EngineConfig with_sane_limits(EngineConfig config) {
  config.max_chunk_size = std::clamp(config.max_chunk_size, kMinChunkSize, kMaxChunkSize);
  config.flush_interval_ns = std::max<int64_t>(config.flush_interval_ns, 1'000'000);
  return config;
}

}  // namespace

RecorderThread::RecorderThread(EngineConfig config, ProcessFacts facts, EpochGate& gate, LossCounters& losses)
    : config_(with_sane_limits(std::move(config))),
      repository_(config_.repository, config_.max_size, config_.max_age_ns),
      epochs_(gate,
              {config_.copy, config_.unsigned5_excess, &losses, &waker_, config_.sample_event, config_.sample_period_ns,
               config_.repository},
              config_.quiesce_limit_ns),
      writer_(config_, std::move(facts), losses, repository_),
      complaints_(config_.log) {}

RecorderThread::~RecorderThread() {
  (void)ask(What::kStop, config_.filename);
  if (running_) pthread_join(thread_, nullptr);
}

jfr::Status RecorderThread::start() {
  Status started = prepare();
  if (started) {
    epochs_.open();
    started = start_thread();
  }
  if (!started) undo_start();
  return started;
}

void RecorderThread::undo_start() {
  epochs_.shut();
  epochs_.quiesce();
  epochs_.release();
  (void)writer_.close(true);
  repository_.remove();
}

jfr::Status RecorderThread::prepare() {
  if (!waker_.open()) return system_error("no event descriptor for", config_.repository);
  if (Status ready = repository_.prepare(); !ready) return ready;
  auto spools = make_spool_directory(config_.spool_directory, config_.repository);
  if (!spools) return spools.error();
  if (Status made = epochs_.create(*spools); !made) return made;
  return writer_.open();
}

jfr::Status RecorderThread::start_thread() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  const int why = pthread_create(&thread_, &attributes, entry, this);
  pthread_attr_destroy(&attributes);
  errno = why;
  if (why != 0) return system_error("cannot start the recorder thread for", config_.repository);
  running_ = true;
  pthread_setname_np(thread_, "rec recorder");
  return Done{};
}

void* RecorderThread::entry(void* self) {
  auto& recorder = *static_cast<RecorderThread*>(self);
  if (recorder.config_.thread_started) recorder.config_.thread_started();
  recorder.run();
  return nullptr;
}

void RecorderThread::run() {
  while (!stopped_) {
    waker_.wait(config_.flush_interval_ns);
    Status status = flush();
    if (status && rotation_due()) status = rotate(false);
    complain(status);
    serve();
  }
}

void RecorderThread::complain(const Status& status) {
  if (status) return complaints_.over();
  const Error& error = status.error();
  const std::string cause = std::to_string(error.errno_value) + (error.errno_value ? "" : error.what);
  complaints_.say(cause, error.what + "; recording goes on in memory and is written when this is over");
}

jfr::Status RecorderThread::flush() {
  epochs_.current()->spool().extend();
  if (Status closing = write_closing(); !closing) return closing;
  if (Status written =
          writer_.write_events(epochs_.current()->spool(), ChunkWriter::Drain::kCurrent, epochs_.current()->spool());
      !written)
    return written;
  epochs_.current()->spool().extend();
  return Done{};
}

// Of a rotation that the disk has interrupted.
jfr::Status RecorderThread::write_closing() {
  if (!epochs_.closing()) return Done{};
  if (Status written =
          writer_.write_events(epochs_.closing()->spool(), ChunkWriter::Drain::kClosed, epochs_.current()->spool());
      !written)
    return written;
  epochs_.drop_closing();
  return Done{};
}

bool RecorderThread::rotation_due() { return writer_.full() || writer_.old() || epochs_.current()->nearly_full(); }

// shift epoch, quiesce, write the rest; close; open next, drop
jfr::Status RecorderThread::rotate(bool final) {
  if (Status before = write_closing(); !before) return before;
  if (epochs_.can_flip()) {
    epochs_.flip();
    epochs_.quiesce();
    if (Status written =
            writer_.write_events(epochs_.closing()->spool(), ChunkWriter::Drain::kClosed, epochs_.current()->spool());
        !written)
      return written;
    epochs_.drop_closing();
  }
  if (Status closed = writer_.close(final); !closed) return closed;
  return writer_.open();
}

jfr::Status RecorderThread::dump(const std::string& filename) {
  if (Status rotated = rotate(false); !rotated) return rotated;
  return assemble(repository_.chunks(), filename);
}

jfr::Status RecorderThread::stop() {
  stopped_ = true;
  epochs_.shut();
  Status written = write_all();
  if (!written) {
    epochs_.keep_spools();
    const std::string line = written.error().what + "; what could not be written is in " + epochs_.directory();
    complaints_.say("stop", line);
  }
  (void)writer_.close(true);
  epochs_.release();
  const Status finished = finish_recording();
  return written ? finished : written;
}

jfr::Status RecorderThread::write_all() {
  if (Status closing = write_closing(); !closing) return closing;
  epochs_.quiesce();
  if (Status rest =
          writer_.write_events(epochs_.current()->spool(), ChunkWriter::Drain::kClosed, epochs_.current()->spool());
      !rest)
    return rest;
  return writer_.close(true);
}

jfr::Status RecorderThread::finish_recording() {
  if (config_.filename.empty()) return Done{};
  const auto& chunks = repository_.chunks();
  if (chunks.size() == 1 && move_chunk(chunks.front(), config_.filename)) return repository_.remove(), Done{};
  Status assembled = assemble(chunks, config_.filename);
  if (assembled)
    repository_.remove();
  else
    complaints_.say("assemble", assembled.error().what + "; the recording's chunks are in " + repository_.directory());
  return assembled;
}

jfr::Status RecorderThread::ask(What what, const std::string& filename) {
  const std::lock_guard<std::mutex> one_at_a_time(control_);
  Request request{what, filename};
  std::unique_lock<std::mutex> lock(mutex_);
  if (over_ || !running_) return Error{ErrorCode::kUsage, 0, "the recording is over"};
  request_ = &request;
  waker_.wake();
  answered_.wait(lock, [&] { return request.done; });
  return request.answer;
}

void RecorderThread::serve() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!request_) return;
  Request& request = *request_;
  lock.unlock();
  Status status = answer(request);
  lock.lock();
  request.answer = std::move(status);
  request.done = true;
  request_ = nullptr;
  over_ = stopped_;
  answered_.notify_all();
}

jfr::Status RecorderThread::answer(const Request& request) {
  switch (request.what) {
    case What::kRotate: return rotate(false);
    case What::kDump: return dump(request.filename);
    case What::kStop: return stop();
  }
  return Done{};
}

}  // namespace rec
