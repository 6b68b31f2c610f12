// SPDX-License-Identifier: Apache-2.0
// HeaderEdit is the time in which the facts of a spool's header change (spool_layout.h: those before `consumed`). The
// check is 0 meanwhile, so that a process killed in between leaves a header that nobody takes for damaged.
//
//   check = 0 -> the facts change -> check = CRC-32C of them (1 if that is 0)
//
// Recorder thread only.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/crc32c.h"
#include "recorder/spool/identity.h"
#include "recorder/spool/spool_layout.h"

namespace rec {

inline uint32_t facts_check(const SpoolHeader& header) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(&header);
  const uint32_t sum = base::crc32c({bytes + kFactsBegin, kFactsEnd - kFactsBegin});
  return sum == 0 ? 1 : sum;
}

inline uint32_t chunk_name_check(const SpoolHeader& header) {
  return base::crc32c({reinterpret_cast<const uint8_t*>(header.chunk.data()), header.chunk.size()});
}

class HeaderEdit {
 public:
  explicit HeaderEdit(SpoolHeader& header) : header_(header) {
    header.check.store(0, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // pairs with the store in ~HeaderEdit(): in this order
  }
  // release: pairs with facts_are_intact() in recovery, after our death.
  ~HeaderEdit() { header_.check.store(facts_check(header_), std::memory_order_release); }
  HeaderEdit(const HeaderEdit&) = delete;
  HeaderEdit& operator=(const HeaderEdit&) = delete;

 private:
  SpoolHeader& header_;
};

// Also while they were being changed: what was there can be read, and nothing is known to be wrong.
inline bool facts_are_intact(const SpoolHeader& header) {
  const uint32_t check = header.check.load(std::memory_order_relaxed);
  return check == 0 || check == facts_check(header);
}

inline SpoolHome home_in(const SpoolHeader& header) {
  return {std::string(text_in(header.repository)),
          {std::string(text_in(header.repository_id)), header.repository_device, header.repository_inode,
           header.repository_born_ns}};
}

}  // namespace rec
