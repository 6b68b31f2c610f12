// SPDX-License-Identifier: Apache-2.0
// SHA-256, as FIPS 180-4 has it: what requests to object stores are signed with. libcurl, which signs them, tells no caller the hash of
// a body, and its cryptography is another library's on each system.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace jrec {

// 64 hexadecimal digits, in small letters.
std::string sha256_hex(std::span<const uint8_t> bytes);

}  // namespace jrec
