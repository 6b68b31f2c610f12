// SPDX-License-Identifier: Apache-2.0
#include "jrec/parquet/thrift_writer.h"

namespace jrec {

void ThriftWriter::put(std::string_view text) {
  append_varint(text.size(), bytes_);
  bytes_.insert(bytes_.end(), text.begin(), text.end());
}

void ThriftWriter::field(int id, ThriftType type) {
  const int step = id - last_ids_.back();
  const auto code = static_cast<uint8_t>(type);
  if (step > 0 && step < 16) {
    bytes_.push_back(static_cast<uint8_t>(step << 4 | code));
  } else {
    bytes_.push_back(code);
    append_zigzag(id, bytes_);
  }
  last_ids_.back() = id;
}

void ThriftWriter::number(int id, ThriftType type, int64_t value) {
  field(id, type);
  if (type == ThriftType::kByte)
    bytes_.push_back(static_cast<uint8_t>(value));
  else
    append_zigzag(value, bytes_);
}

void ThriftWriter::text(int id, std::string_view value) {
  field(id, ThriftType::kText);
  put(value);
}

void ThriftWriter::begin(int id) {
  field(id, ThriftType::kStruct);
  last_ids_.push_back(0);
}

void ThriftWriter::end() {
  bytes_.push_back(0);
  last_ids_.pop_back();
}

void ThriftWriter::list(int id, ThriftType items, size_t count) {
  field(id, ThriftType::kList);
  const auto code = static_cast<uint8_t>(items);
  if (count < 15) {
    bytes_.push_back(static_cast<uint8_t>(count << 4 | code));
  } else {
    bytes_.push_back(static_cast<uint8_t>(0xf0 | code));
    append_varint(count, bytes_);
  }
}

}  // namespace jrec
