// SPDX-License-Identifier: Apache-2.0
#include "recorder/engine/recorder_thread.h"

#include <algorithm>
#include <cassert>

#include "base/private_directory.h"
#include "base/result.h"
#include "recorder/repository/assemble.h"

namespace rec {

using base::Done;
using base::Error;
using base::ErrorCode;

namespace {

constexpr size_t kStackBytes = 512u << 10;

// max_size and max_age are kept by dropping whole chunks, so a chunk must be a small part of either.
void limit_chunks_for_retention(EngineConfig& config) {
  if (config.max_size > 0)
    config.max_chunk_size = std::clamp(config.max_size / kChunksInMaxSize, kMinChunkSize, config.max_chunk_size);
  if (config.max_age_ns <= 0) return;
  const int64_t age_ns = std::max(config.max_age_ns / kChunksInMaxAge, kLeastChunkAgeNs);
  config.max_chunk_age_ns = config.max_chunk_age_ns > 0 ? std::min(config.max_chunk_age_ns, age_ns) : age_ns;
}

EngineConfig with_sane_limits(EngineConfig config) {
  config.max_chunk_size = std::clamp(config.max_chunk_size, kMinChunkSize, kMaxChunkSize);
  config.flush_interval_ns = std::max<int64_t>(config.flush_interval_ns, 1'000'000);
  limit_chunks_for_retention(config);
  return config;
}

}  // namespace

RecorderThread::RecorderThread(EngineConfig config, ProcessFacts facts, EpochGate& gate, LossCounters& losses,
                               std::atomic<bool>& busy)
    : config_(with_sane_limits(std::move(config))),
      busy_(busy),
      hook_(config_.on_chunk, config_.log),
      repository_(config_.repository, config_.max_size, config_.max_age_ns, config_.log),
      rotation_(config_, std::move(facts), gate, waker_, {losses, repository_, hook_, spares_}),
      trouble_(config_.log) {
  repository_.set_hook(&hook_);
}

RecorderThread::~RecorderThread() {
  (void)ask({What::kStop, {config_.filename, config_.overwrite}, {}}, INT64_MAX);
  join();
}

base::Status RecorderThread::start() {
  Status started = prepare();
  if (started) {
    rotation_.open();
    publish();
    started = start_thread();
  }
  if (started) return started;
  desk_.shut();
  rotation_.undo_start();
  repository_.remove();
  // release: pairs with the exchange in Engine::start(); nothing of this recording runs any more.
  busy_.store(false, std::memory_order_release);
  return started;
}

base::Status RecorderThread::prepare() {
  if (!waker_.open()) return base::system_error("no event descriptor for", config_.repository);
  if (!config_.filename.empty())
    if (Status usable = base::check_recording_name(config_.filename); !usable) return usable;
  return rotation_.prepare();
}

base::Status RecorderThread::start_thread() {
  assert(!running_ && "one thread records");
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  running_ = true;
  const int why = pthread_create(&thread_, &attributes, entry, this);
  pthread_attr_destroy(&attributes);
  if (why == 0) return Done{};
  running_ = false;
  errno = why;
  return base::system_error("cannot start the recorder thread for", config_.repository);
}

void* RecorderThread::entry(void* self) {
  auto& recorder = *static_cast<RecorderThread*>(self);
  pthread_setname_np(pthread_self(), "rec recorder");
  if (recorder.config_.thread_started) recorder.config_.thread_started();
  recorder.run();
  recorder.desk_.shut();
  std::atomic<bool>& busy = recorder.busy_;
  if (!recorder.end()) return nullptr;
  delete &recorder;
  // release: pairs with the exchange in Engine::start().
  busy.store(false, std::memory_order_release);
  return nullptr;
}

// True: the object is the thread's own.
bool RecorderThread::end() {
  const std::lock_guard<std::mutex> lock(owner_);
  // release: pairs with the exchange in Engine::start().
  if (!left_) busy_.store(false, std::memory_order_release);
  // release: pairs with the acquire in finished().
  finished_.store(true, std::memory_order_release);
  return left_;
}

bool RecorderThread::leave() {
  const std::lock_guard<std::mutex> joining(join_);
  const std::lock_guard<std::mutex> owning(owner_);
  if (finished() || !running_) return false;
  pthread_detach(thread_);
  running_ = false;
  left_ = true;
  return true;
}

void RecorderThread::run() {
  while (!stopped_) {
    const int64_t interval = config_.flush_interval_ns;
    awake_since_.store(0, std::memory_order_relaxed);
    waker_.wait(trouble_.stands() ? std::min(interval, kRetryNs) : interval);
    awake_since_.store(base::now_ticks(), std::memory_order_relaxed);
    Status status = rotation_.flush();
    if (status && rotation_.due()) status = rotation_.rotate();
    if (status) rotation_.trim();
    look(status);
    hook_.poll();
    repository_.drop_old(base::now_ticks(), rotation_.writer().open_bytes());
    publish();
    serve();
  }
  awake_since_.store(0, std::memory_order_relaxed);
}

void RecorderThread::look(const Status& status) {
  const uint64_t lost = rotation_.writer().report().lost_for_want_of_room();
  if (status)
    trouble_.over(lost);
  else
    trouble_.failed(status.error(), lost, base::now_ticks());
}

void RecorderThread::publish() {
  const ChunkWriter& writer = rotation_.writer();
  EngineStatus now;
  now.samples = writer.report().samples();
  // A handler that was under way when the clocks stopped ends its sample behind the recording: that is none of it.
  now.lost = complete_ ? writer.report().lost_written() : writer.report().lost();
  now.chunks = repository_.count() + writer.is_open();
  now.bytes = repository_.total_size() + writer.open_bytes();
  now.repository = repository_.directory();
  now.recording = recording_;
  now.trouble = trouble_.what();
  const std::lock_guard<std::mutex> lock(status_mutex_);
  status_ = std::move(now);
}

EngineStatus RecorderThread::status() const {
  std::unique_lock<std::mutex> lock(status_mutex_);
  EngineStatus status = status_;
  lock.unlock();
  if (!finished()) {
    status.samples = rotation_.writer().report().samples();
    status.lost = rotation_.writer().report().lost();
  }
  const int64_t since = awake_since_.load(std::memory_order_relaxed);
  const int64_t held = since == 0 ? 0 : base::now_ticks() - since;
  if (held >= kHeldNs && status.trouble.empty())
    status.trouble = "the recorder has been waiting for the disk for " + std::to_string(held / 1'000'000'000) + " s";
  return status;
}

base::Status RecorderThread::looked_at(Status rotated) {
  if (!rotated) look(rotated);
  return rotated;
}

base::Status RecorderThread::dump(const RecordingTarget& target) {
  if (Status rotated = looked_at(rotation_.rotate()); !rotated) return rotated;
  const SpareDescriptors::Loan loan(spares_);
  rotation_.trim();
  const FinishedFiles::Place place = files_.place_of(target);
  return written(target, assemble(repository_.chunks(), place.path, place.replaces));
}

base::Status RecorderThread::written(const RecordingTarget& target, Result<std::string> path) {
  if (!path) return path.error();
  if (files_.add(target, *path))
    say(target.filename + " is there already and is not replaced; the recording is in " + *path);
  recording_ = *path;
  return Done{};
}

base::Status RecorderThread::stop(const RecordingTarget& target) {
  stopped_ = true;
  const std::string spools = rotation_.spool_directory();
  Status written = rotation_.finish();
  if (!written) say(written.error().what + "; what could not be written is in " + spools);
  complete_ = static_cast<bool>(written);
  publish();
  rotation_.release();
  Status made = make_recording(target, written.ok());
  return written ? made : written;
}

// `complete`: the spools are empty. Else the chunks stay for recovery too, which makes one recording of both.
base::Status RecorderThread::make_recording(const RecordingTarget& target, bool complete) {
  const SpareDescriptors::Loan loan(spares_);
  rotation_.trim();
  if (target.filename.empty()) return Done{};
  const std::vector<std::string> chunks = repository_.chunks();
  hook_.poll();
  const FinishedFiles::Place place = files_.place_of(target);
  if (complete && hook_.idle() && chunks.size() == 1) {
    const Result<std::string> moved = move_chunk(chunks.front(), place.path, place.replaces);
    if (moved) return repository_.remove(), written(target, moved);
  }
  Status assembled = written(target, assemble(chunks, place.path, place.replaces));
  if (!assembled) say(assembled.error().what + "; the recording's chunks are in " + repository_.directory());
  hook_.finish(kHookStopLimitNs);  // remove() leaves what it does not get to
  if (assembled && complete) repository_.remove();
  return assembled;
}

base::Status RecorderThread::ask(ControlDesk::Order order, int64_t limit_ns) {
  const What what = order.what;
  Status answer = desk_.ask(std::move(order), limit_ns, waker_);
  if (what == What::kStop && (answer || answer.error().code != ErrorCode::kLimit)) join();
  return answer;
}

void RecorderThread::join() {
  const std::lock_guard<std::mutex> lock(join_);
  if (running_) pthread_join(thread_, nullptr);
  running_ = false;
}

void RecorderThread::serve() {
  while (!stopped_) {
    const auto request = desk_.take();
    if (!request) return;
    Status status = answer(*request);
    publish();
    desk_.answer(*request, std::move(status));
  }
}

base::Status RecorderThread::answer(const ControlDesk::Request& request) {
  switch (request.what) {
    case What::kRotate: return looked_at(rotation_.rotate());
    case What::kChange: return looked_at(rotation_.change(request.settings));
    case What::kDump: return dump(request.target);
    case What::kStop: return stop(request.target);
  }
  return Done{};
}

}  // namespace rec
