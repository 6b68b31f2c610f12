// SPDX-License-Identifier: Apache-2.0
// ThriftValue is a value that was read in Thrift's compact protocol (thrift_writer.h), with all that is in it. Bytes may
// be damaged or foreign: what cannot be is refused, structs in each other are kMostDepth deep at most, and memory is in
// proportion to the bytes.
//
//   size_t at = 0;
//   const auto footer = ThriftValue::read(bytes, at);     // at: behind it
//   footer->at(4).items, footer->at(3).number
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace jrec {

struct ThriftValue {
  static constexpr int kMostDepth = 16;

  int64_t number = 0;              // flags: 0 and 1
  std::string_view text;           // in the bytes that it was read from
  std::vector<ThriftValue> items;  // of a list, or the fields of a struct
  std::vector<int> ids;            // of these fields

  // A field; an empty value if there is none.
  const ThriftValue& at(int id) const;

  // A struct. Nothing: these bytes hold none.
  static std::optional<ThriftValue> read(std::span<const uint8_t> bytes, size_t& at);
};

}  // namespace jrec
