// SPDX-License-Identifier: Apache-2.0
#include "recorder/engine/recorder_thread.h"

#include <sys/stat.h>

#include <algorithm>
#include <cassert>
#include <cerrno>

#include "base/private_directory.h"
#include "base/result.h"
#include "recorder/repository/assemble.h"

namespace rec {

using base::Done;
using base::Error;
using base::ErrorCode;

namespace {

constexpr size_t kStackBytes = 512u << 10;

// Else it is a chunk of another recording, too.
bool is_only_link(const std::string& path) {
  struct stat st {};
  return lstat(path.c_str(), &st) == 0 && st.st_nlink == 1;
}

// It says nothing of the name that was looked at.
bool is_want_of_descriptors(const Error& error) { return error.errno_value == EMFILE || error.errno_value == ENFILE; }

// For who ended a recording that is not where it should be.
Error but_left(Error error, const std::string& repository) {
  error.what += "; the recording is over, and its chunks are in " + repository + ": 'jrec recover " + repository +
                "' makes a recording of them";
  return error;
}

EngineConfig with_sane_limits(EngineConfig config) {
  config.max_chunk_size = std::clamp(config.max_chunk_size, kMinChunkSize, kMaxChunkSize);
  config.flush_interval_ns = std::max<int64_t>(config.flush_interval_ns, 1'000'000);
  if (config.start_unix_ms == 0) config.start_unix_ms = base::now_unix_ns() / 1'000'000;
  return config;
}

}  // namespace

RecorderThread::RecorderThread(EngineConfig config, ProcessFacts facts, EpochGate& gate, LossCounters& losses,
                               std::atomic<bool>& busy)
    : config_(with_sane_limits(std::move(config))),
      chunk_size_(config_.max_chunk_size),
      chunk_age_ns_(config_.max_chunk_age_ns),
      busy_(busy),
      recordings_(config_.log),
      rotation_(config_, std::move(facts), gate, waker_, {losses, recordings_, spares_}),
      trouble_(config_.log) {
  recordings_.add(std::make_unique<Recording>(config_, config_.log));
  limit_chunks();
}

// max_size and max_age are kept by dropping whole chunks, so a chunk must be a small part of either, for each recording.
void RecorderThread::limit_chunks() {
  config_.max_chunk_size = chunk_size_;
  config_.max_chunk_age_ns = chunk_age_ns_;
  for (const auto& each : recordings_.all()) {
    const RecordingConfig& limits = each->config;
    if (limits.max_size > 0)
      config_.max_chunk_size = std::clamp(limits.max_size / kChunksInMaxSize, kMinChunkSize, config_.max_chunk_size);
    if (limits.max_age_ns <= 0) continue;
    const int64_t age_ns = std::max(limits.max_age_ns / kChunksInMaxAge, kLeastChunkAgeNs),
                  now_ns = config_.max_chunk_age_ns;
    config_.max_chunk_age_ns = now_ns > 0 ? std::min(now_ns, age_ns) : age_ns;
  }
}

RecorderThread::~RecorderThread() {
  (void)ask({.what = What::kStop}, INT64_MAX);
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
  recordings_.home().repository.remove();
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
    recordings_.poll_hooks();
    recordings_.drop_old(base::now_ticks(), rotation_.writer().open_bytes());
    publish();
    serve();
  }
  awake_since_.store(0, std::memory_order_relaxed);
}

// An error is told with its reason, where only we know it.
void RecorderThread::look(Status& status) {
  const uint64_t lost = rotation_.writer().report().lost_for_want_of_room();
  if (status) return trouble_.over(lost);
  status = user_.explained(status.error(), recordings_.home().repository.directory());
  trouble_.failed(status.error(), lost, base::now_ticks());
}

EngineStatus RecorderThread::standing(Recording& recording) const {
  const ChunkWriter& writer = rotation_.writer();
  EngineStatus now;
  now.samples = writer.report().samples() - recording.samples_before;
  // A handler that was under way when the clocks stopped ends its sample behind the recording: that is none of it.
  now.lost = (complete_ ? writer.report().lost_written() : writer.report().lost()) - recording.lost_before;
  now.chunks = recording.repository.count() + writer.is_open();
  now.bytes = recording.repository.total_size() + writer.open_bytes();
  now.repository = recording.repository.directory();
  now.recording = recording.written;
  now.trouble = trouble_.what();
  return now;
}

void RecorderThread::publish() {
  std::map<uint64_t, Standing> now;
  for (const auto& each : recordings_.all())
    now[each->config.id] = {standing(*each), each->samples_before, each->lost_before};
  const std::lock_guard<std::mutex> lock(status_mutex_);
  statuses_ = std::move(now);
}

EngineStatus RecorderThread::status(uint64_t recording) const {
  std::unique_lock<std::mutex> lock(status_mutex_);
  const auto found = statuses_.find(recording);
  if (found == statuses_.end()) return {};
  const Standing standing = found->second;
  lock.unlock();
  EngineStatus status = standing.status;
  if (!finished()) {
    status.samples = rotation_.writer().report().samples() - standing.samples_before;
    status.lost = rotation_.writer().report().lost() - standing.lost_before;
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

// Its first chunk begins now.
base::Status RecorderThread::begin(const RecordingConfig& config) {
  if (Status usable = base::check_recording_name(config.filename); !usable) return usable;
  auto recording = std::make_unique<Recording>(config, config_.log);
  if (Status ready = recording->repository.prepare(); !ready) return ready;
  Recording& begun = *recording;
  Status begins = looked_at(rotation_.rotate([&] {
    begun.samples_before = rotation_.writer().report().samples_written();
    begun.lost_before = rotation_.writer().report().lost_written();
    recordings_.add(std::move(recording));
    limit_chunks();
  }));
  if (!begins) begun.repository.remove();
  return begins;
}

base::Status RecorderThread::may_go_to(uint64_t id, const RecordingTarget& target) {
  const Recording* const recording = recordings_.find(id);
  if (recording == nullptr) return Error{ErrorCode::kUsage, 0, "the recording is over"};
  const FinishedFiles::Place place = recording->files.place_of(target);
  const SpareDescriptors::Loan loan(spares_);
  const bool replaces = place.replaces == Replaces::kAnything;
  const Status usable = replaces ? base::check_recording_name(place.path) : base::check_recording_place(place.path);
  return usable || is_want_of_descriptors(usable.error()) ? Status(Done{}) : usable;
}

base::Status RecorderThread::dump(uint64_t id, const RecordingTarget& target) {
  if (Status usable = may_go_to(id, target); !usable) return usable;
  if (Status rotated = looked_at(rotation_.rotate()); !rotated) return rotated;
  Recording* const recording = recordings_.find(id);
  const SpareDescriptors::Loan loan(spares_);
  rotation_.trim();
  const FinishedFiles::Place place = recording->files.place_of(target);
  return written(*recording, target, assemble(recording->repository.chunks(), place.path, place.replaces));
}

base::Status RecorderThread::written(Recording& recording, const RecordingTarget& target, Result<std::string> path) {
  if (!path) return path.error();
  if (recording.files.add(target, *path))
    say(target.filename + " is there already and is not replaced; the recording is in " + *path);
  recording.written = *path;
  return Done{};
}

// One of several: the others go on. What the disk refuses to rotate keeps it from ending.
base::Status RecorderThread::end(ControlDesk::Request& request) {
  if (recordings_.find(request.recording) == nullptr || recordings_.all().size() == 1)
    return Error{ErrorCode::kUsage, 0, "the recording is over"};
  std::unique_ptr<Recording> over;
  Status ended = looked_at(rotation_.rotate([&] {
    over = recordings_.take_out(request.recording);
    request.ended = standing(*over);
    request.ended.samples = rotation_.writer().report().samples_written() - over->samples_before;
    request.ended.lost = rotation_.writer().report().lost_written() - over->lost_before;
    limit_chunks();
  }));
  if (!ended) return ended;
  Status made = make_recording(*over, request.target, true);
  request.ended.recording = over->written;
  return made;
}

base::Status RecorderThread::stop(const RecordingTarget& target) {
  stopped_ = true;
  const std::string spools = rotation_.spool_directory();
  Status written = rotation_.finish();
  if (!written) {
    const std::string& home = recordings_.home().repository.directory();
    const Error error = user_.explained(written.error(), home);
    say(error.what + "; what could not be written is in " + spools);
    written = but_left(error, home);
  }
  complete_ = static_cast<bool>(written);
  publish();
  rotation_.release();
  Status made = Done{};
  for (const auto& each : recordings_.all()) {
    const bool is_home = each == recordings_.all().front();
    Status one = make_recording(*each, is_home ? target : RecordingTarget{}, written.ok());
    if (!one) made = one;
  }
  return written ? made : written;
}

// `complete`: the spools are empty. Else the chunks stay for recovery too, which makes one recording of both.
base::Status RecorderThread::make_recording(Recording& recording, const RecordingTarget& wished, bool complete) {
  const SpareDescriptors::Loan loan(spares_);
  rotation_.trim();
  const RecordingTarget target = wished.filename.empty() ? recording.target() : wished;
  if (target.filename.empty()) return Done{};
  Repository& repository = recording.repository;
  const std::vector<std::string> chunks = repository.chunks();
  recording.hook.poll();
  const FinishedFiles::Place place = recording.files.place_of(target);
  if (complete && recording.hook.idle() && chunks.size() == 1 && stopped_ && is_only_link(chunks.front())) {
    const Result<std::string> moved = move_chunk(chunks.front(), place.path, place.replaces);
    if (moved) return repository.remove(), written(recording, target, moved);
  }
  Status assembled = written(recording, target, assemble(chunks, place.path, place.replaces));
  if (!assembled) {
    const Error error = user_.explained(assembled.error(), repository.directory());
    say(error.what + (chunks.empty() ? "" : "; the recording's chunks are in " + repository.directory()));
    assembled = chunks.empty() ? error : but_left(error, repository.directory());
  }
  recording.hook.finish(kHookStopLimitNs);  // remove() leaves what it does not get to
  if (assembled && complete) repository.remove();
  return assembled;
}

base::Status RecorderThread::ask(ControlDesk::Order order, int64_t limit_ns, EngineStatus* ended) {
  const What what = order.what;
  Status answer = desk_.ask(std::move(order), limit_ns, waker_, ended);
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

base::Status RecorderThread::answer(ControlDesk::Request& request) {
  switch (request.what) {
    case What::kFlush: return looked_at(rotation_.flush());
    case What::kRotate: return looked_at(rotation_.rotate());
    case What::kChange: return looked_at(rotation_.change(request.settings));
    case What::kBegin: return begin(request.begins);
    case What::kTry: return may_go_to(request.recording, request.target);
    case What::kDump: return dump(request.recording, request.target);
    case What::kEnd: return end(request);
    case What::kStop: return stop(request.target);
  }
  return Done{};
}

}  // namespace rec
