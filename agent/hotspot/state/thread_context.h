// SPDX-License-Identifier: Apache-2.0
// The request that a thread works for, as whoever traces it has written it down for other eyes: OpenTelemetry's thread
// context (OTEP 4947). The thread-local variable kThreadContextName is a pointer, null while there is no request, to
//
//   | trace id | span id | valid | trace flags | size of attributes | attributes |       as they are, no padding
//   0          16        24      25            26                   28
//
// valid: 1; any other value: it is being written, or over. The thread itself writes, in that order; so it is whole
// whenever the thread is interrupted and valid is 1. Of a thread that goes on meanwhile it is read twice, which has to
// give the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rec::agent {

inline constexpr char kThreadContextName[] = "otel_thread_ctx_v1";

struct ThreadContext {
  static constexpr size_t kTraceBytes = 16, kSpanBytes = 8;
  std::array<uint64_t, (kTraceBytes + kSpanBytes) / 8> words{};  // the bytes as they stand there
  friend bool operator==(const ThreadContext&, const ThreadContext&) = default;
};

// Signal-safe, with safe loads. variable: its address in the thread; may be 0. False: there is none, or it cannot be told.
bool read_thread_context(uint64_t variable, ThreadContext& to);
// Likewise: where the record is that is valid, with or without ids; 0: there is none.
uint64_t thread_context_record(uint64_t variable);

// Its attributes, as they stand there: whose memory it is may take it away. hash: of these bytes, seeded.
struct ThreadAttributes {
  const char* at = nullptr;
  uint16_t size = 0;
  uint64_t hash = 0;
};
// Likewise; of no more than `most` bytes. False: it has none.
bool read_thread_attributes(uint64_t record, uint16_t most, uint64_t seed, ThreadAttributes& to);

// Likewise, of what the process tells beside it (agent/context/process_context.h). False: it is not there.
bool read_process_context(uint64_t from, std::span<uint8_t> to);

}  // namespace rec::agent
