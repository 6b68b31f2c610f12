// SPDX-License-Identifier: Apache-2.0
#include "jrec/fleet/bucket_lock.h"

#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <random>
#include <thread>

#include "base/clock.h"
#include "jrec/input/recording.h"

namespace jrec {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

constexpr char kKey[] = "_rec/lock";
constexpr std::string_view kUntil = "until ";
constexpr auto kLook = std::chrono::seconds(1);

int64_t now_s() { return base::now_unix_ns() / 1'000'000'000; }

std::string owner_of_this_process() {
  char host[256] = "";
  (void)::gethostname(host, sizeof host - 1);
  std::random_device random;
  return fmt::format("{} {} {:08x}{:08x}", host, ::getpid(), random(), random());
}

// 0: nobody knows, so it does not count.
int64_t until_of(const std::string& text) {
  int64_t until_s = 0;
  if (text.starts_with(kUntil)) std::from_chars(text.data() + kUntil.size(), text.data() + text.size(), until_s);
  return until_s;
}

}  // namespace

std::string BucketLock::text() const { return fmt::format("{}{}\n{}\n", kUntil, taken_s_ + kLease_s, owner_); }

Result<std::unique_ptr<BucketLock>> BucketLock::take(ObjectStore& store) {
  std::unique_ptr<BucketLock> lock(new BucketLock(store, owner_of_this_process()));
  for (bool told = false;; told = true) {
    const auto taken = lock->try_take();
    if (!taken) return taken.error();
    if (*taken) break;
    if (!told)
      complain(store.path_of(kKey),
               Error{ErrorCode::kUsage, 0,
                     fmt::format("waits for another export to end; if that was killed, for {} s", lock->other_s_)});
    std::this_thread::sleep_for(kLook);
  }
  const std::string now = lock->text();
  if (const Status obeyed = store.check_conditions(kKey, bytes_of(now)); !obeyed) return obeyed.error();
  return lock;
}

Result<bool> BucketLock::try_take() {
  taken_s_ = now_s();
  const std::string now = text();
  auto made = store_.put_new(kKey, bytes_of(now));
  if (!made) return made.error();
  if (!*made) {
    const auto there = store_.get(kKey);
    if (!there) return there.error();
    if (!*there) return false;  // it has just gone
    const bool ours = (*there)->bytes.ends_with("\n" + owner_ + "\n");
    if (ours) return etag_ = (*there)->etag, true;  // the answer had been lost
    // Never further away than it can have been made, whatever a wrong clock or a stranger wrote.
    const int64_t until_s = until_of((*there)->bytes);
    other_s_ = until_s - taken_s_;
    if (other_s_ >= 0 && other_s_ <= 2 * kLease_s) return false;
    made = store_.put_over(kKey, bytes_of(now), (*there)->etag);
    if (!made) return made.error();
    if (!*made) return false;
  }
  etag_ = **made;
  return true;
}

Status BucketLock::hold() {
  if (now_s() < taken_s_ + kLease_s / 3) return base::Done{};
  const int64_t before_s = taken_s_;
  taken_s_ = now_s();
  const std::string now = text();
  const auto renewed = store_.put_over(kKey, bytes_of(now), etag_);
  if (!renewed) return taken_s_ = before_s, renewed.error();
  if (!*renewed) {
    etag_.clear();
    return Error{ErrorCode::kSystem, 0, "another export has taken the data set over"};
  }
  etag_ = **renewed;
  return base::Done{};
}

BucketLock::~BucketLock() {
  if (!etag_.empty() && !store_.remove(kKey)) {
    // It ends by itself.
  }
}

}  // namespace jrec
