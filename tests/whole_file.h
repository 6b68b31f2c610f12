// SPDX-License-Identifier: Apache-2.0
// A file read at once. Tests read some thousand chunks of many megabytes: byte by byte that was most of their time.
#pragma once

#include <fstream>
#include <string>

namespace test {

// Empty when there is no such file, too.
inline std::string whole_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  std::string bytes(in ? static_cast<size_t>(in.tellg()) : 0, '\0');
  in.seekg(0);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(in ? bytes.size() : static_cast<size_t>(in.gcount()));
  return bytes;
}

}  // namespace test
