// SPDX-License-Identifier: Apache-2.0
#include "recorder/engine/control_desk.h"

#include <algorithm>
#include <cassert>
#include <chrono>

namespace rec {

using base::Error;
using base::ErrorCode;
using base::Status;

namespace {

// Longer waits are waits without a limit; the clock's arithmetic would overflow.
constexpr int64_t kLongestNs = int64_t{1} << 60;

}  // namespace

std::shared_ptr<ControlDesk::Request> ControlDesk::enter(Order order) {
  if (stop_ && order.what == What::kStop && !stop_->done) return stop_;
  if (stop_ || shut_) return nullptr;
  auto request = std::make_shared<Request>(Request{{std::move(order)}});
  requests_.push_back(request);
  if (request->what == What::kStop) stop_ = request;
  return request;
}

void ControlDesk::withdraw(const std::shared_ptr<Request>& request) {
  if (request->begun || request->what == What::kStop) return;
  requests_.erase(std::remove(requests_.begin(), requests_.end(), request), requests_.end());
}

template <typename Lock>
bool ControlDesk::wait(Lock& lock, const Request& request, int64_t limit_ns) {
  const auto done = [&] { return request.done; };
  if (limit_ns < kLongestNs) return answered_.wait_for(lock, std::chrono::nanoseconds(limit_ns), done);
  answered_.wait(lock, done);
  return true;
}

Status ControlDesk::ask(Order order, int64_t limit_ns, base::Waker& waker, EngineStatus* ended) {
  std::unique_lock<std::mutex> lock(mutex_);
  const std::shared_ptr<Request> request = enter(std::move(order));
  if (!request) return Error{ErrorCode::kUsage, 0, "the recording is over"};
  waker.wake();
  const bool done = wait(lock, *request, limit_ns);
  if (done && ended) *ended = request->ended;
  if (done) return request->answer;
  withdraw(request);
  return Error{ErrorCode::kLimit, 0, "the disk does not answer; the recorder goes on when it does"};
}

std::shared_ptr<ControlDesk::Request> ControlDesk::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (requests_.empty()) return nullptr;
  std::shared_ptr<Request> request = requests_.front();
  requests_.pop_front();
  assert(!request->begun && !request->done && "a request is carried out once");
  request->begun = true;
  return request;
}

void ControlDesk::answer(Request& request, Status status) {
  const std::lock_guard<std::mutex> lock(mutex_);
  assert(request.begun && !request.done && "take() comes before answer(), and one answer is enough");
  request.answer = std::move(status);
  request.done = true;
  answered_.notify_all();
}

void ControlDesk::shut() {
  const std::lock_guard<std::mutex> lock(mutex_);
  shut_ = true;
  for (const auto& request : requests_) {
    request->answer = Error{ErrorCode::kUsage, 0, "the recording is over"};
    request->done = true;
  }
  requests_.clear();
  answered_.notify_all();
}

}  // namespace rec
