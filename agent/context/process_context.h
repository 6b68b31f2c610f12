// SPDX-License-Identifier: Apache-2.0
// What an OpenTelemetry SDK tells of its process to readers outside of it (OTEP 4719, "Process Context"): a header in a mapping of
// a name of its own, and a message of protobuf somewhere in memory. Read here is but the names of the attributes that threads tell by
// index (OTEP 4947): threadlocal.attribute_key_map.
//
//   | "OTEL_CTX" | version | payload's size | published at, ns | payload's address |
//   0            8         12               16                 24                  32
//
// published at: 0 while it is being changed; another value after each change.
//
// Bytes may be anybody's: all of this is bounded, and whoever has the memory reads it safely. Needs no JVM.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rec::agent {

inline constexpr size_t kProcessContextBytes = 32;  // of the header
inline constexpr size_t kMostPayloadBytes = 64u << 10;

struct ProcessContextHeader {
  uint32_t payload_bytes = 0;
  uint64_t published_at = 0, payload = 0;
};

// False: it is none, or of another version, or has no payload of a size that we read.
bool parse_process_context(std::span<const uint8_t, kProcessContextBytes> bytes, ProcessContextHeader& header);

// Of all mappings, as /proc/self/maps lists them: where the header is; 0: nobody has made one.
uint64_t process_context_in(std::string_view maps);

// The names by index, each behind its length in a byte: | 10 | http.route | 9 | tenant.id | ... One that is longer, or beyond the most
// bytes, is empty. Nothing, if the payload has none.
std::string attribute_keys_of(std::span<const uint8_t> payload, size_t most_bytes);

}  // namespace rec::agent
