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

namespace rec::agent {

inline constexpr char kThreadContextName[] = "otel_thread_ctx_v1";

struct ThreadContext {
  static constexpr size_t kTraceBytes = 16, kSpanBytes = 8;
  std::array<uint64_t, (kTraceBytes + kSpanBytes) / 8> words{};  // the bytes as they stand there
  friend bool operator==(const ThreadContext&, const ThreadContext&) = default;
};

// Signal-safe, with safe loads. variable: its address in the thread; may be 0. False: there is none, or it cannot be told.
bool read_thread_context(uint64_t variable, ThreadContext& to);

}  // namespace rec::agent
