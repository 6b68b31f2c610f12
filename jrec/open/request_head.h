// SPDX-License-Identifier: Apache-2.0
// The head of a request of HTTP/1, as far as a server of one page needs it:
//
//   GET /4f1c.../ HTTP/1.1\r\n
//   Host: 127.0.0.1:41873\r\n
//   ...\r\n
//   \r\n
//
// Bytes are a stranger's: what is not as it should be is no head.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace jrec {

inline constexpr size_t kLongestHead = 16 * 1024;

struct RequestHead {
  std::string method, target;
  std::string host;  // empty: none was sent
};

// The head is all of `bytes` up to and with the empty line. Nothing: it is no such head, or names two hosts.
std::optional<RequestHead> parse_head(std::string_view bytes);

// Where the head ends, behind its empty line; npos: not yet.
size_t end_of_head(std::string_view bytes);

}  // namespace jrec
