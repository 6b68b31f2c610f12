// SPDX-License-Identifier: Apache-2.0
#include "recorder/engine/trouble.h"

namespace rec {

bool Trouble::is_new(int cause, int64_t now_ticks) {
  const auto [entry, first] = said_at_.try_emplace(cause, now_ticks);
  const bool again = now_ticks - entry->second > kTroubleRepeatNs;
  if (!first && (stands_ || !again)) {
    if (stands_) entry->second = now_ticks;
    return false;
  }
  entry->second = now_ticks;
  return true;
}

void Trouble::failed(const base::Error& error, uint64_t lost, int64_t now_ticks) {
  const bool say = is_new(error.errno_value != 0 ? error.errno_value : -1 - static_cast<int>(error.code), now_ticks);
  if (!stands_ && !said_) lost_before_ = lost;
  stands_ = true;
  what_ = error.what;
  if (!say) return;
  said_ = true;
  if (log_) log_((error.what + "; events wait in memory until this is over").c_str());
}

void Trouble::over(uint64_t lost) {
  if (!stands_) return;
  stands_ = false;
  what_.clear();
  if (!said_) return;
  said_ = false;
  const uint64_t missing = lost - lost_before_;
  const std::string loss = missing == 0   ? "nothing was lost"
                           : missing == 1 ? "1 sample was lost meanwhile"
                                          : std::to_string(missing) + " samples were lost meanwhile";
  if (log_) log_(("recording goes on; " + loss).c_str());
}

}  // namespace rec
