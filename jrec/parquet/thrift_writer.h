// SPDX-License-Identifier: Apache-2.0
// ThriftWriter writes structs in Thrift's compact protocol, in which Parquet says what is where:
//
//   field     (id - the last id) << 4 | type, or 0 | type and the id as a zigzag; then the value
//   integer   zigzag, LEB128             text   LEB128 of its bytes, bytes
//   list      count << 4 | type of its items, from 15 on f | type and LEB128 of the count; then the items
//   struct    its fields by rising id, then 00
//
//   ThriftWriter out;               // the outermost struct is open
//   out.number(1, ThriftType::kInt32, 2);
//   out.begin(5); out.text(1, "a"); out.end();
//   out.list(2, ThriftType::kStruct, 1); out.begin_item(); ... out.end();
//   out.end();
//
// Source: thrift/doc/specs/thrift-compact-protocol.md of Apache Thrift.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "jrec/parquet/varint.h"

namespace jrec {

enum class ThriftType : uint8_t {
  kTrue = 1,
  kFalse = 2,
  kByte = 3,
  kInt16 = 4,
  kInt32 = 5,
  kInt64 = 6,
  kDouble = 7,
  kText = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12,
};

class ThriftWriter {
 public:
  ThriftWriter() : last_ids_{0} {}

  void flag(int id, bool value) { field(id, value ? ThriftType::kTrue : ThriftType::kFalse); }
  void number(int id, ThriftType type, int64_t value);  // kByte to kInt64
  void text(int id, std::string_view value);

  void begin(int id);  // a struct
  void end();

  // That many items follow, by the calls below.
  void list(int id, ThriftType items, size_t count);
  void item(int64_t value) { append_zigzag(value, bytes_); }
  void item(std::string_view value) { put(value); }
  void begin_item() { last_ids_.push_back(0); }

  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  void field(int id, ThriftType type);
  void put(std::string_view text);

  std::vector<uint8_t> bytes_;
  std::vector<int> last_ids_;  // of the structs that are open
};

}  // namespace jrec
