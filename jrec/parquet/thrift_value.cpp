// SPDX-License-Identifier: Apache-2.0
#include "jrec/parquet/thrift_value.h"

#include "jrec/parquet/thrift_writer.h"

namespace jrec {
namespace {

class ThriftReader {
 public:
  ThriftReader(std::span<const uint8_t> bytes, size_t at) : bytes_(bytes), at_(at) {}

  ThriftValue value(ThriftType type, int depth) {
    ThriftValue value;
    if (depth > ThriftValue::kMostDepth) return fail(), value;
    switch (type) {
      case ThriftType::kTrue: value.number = 1; break;
      case ThriftType::kFalse: break;
      case ThriftType::kByte: value.number = static_cast<int8_t>(byte()); break;
      case ThriftType::kInt16:
      case ThriftType::kInt32:
      case ThriftType::kInt64: value.number = zigzag(); break;
      case ThriftType::kDouble: take(8); break;
      case ThriftType::kText: value.text = take(leb()); break;
      case ThriftType::kList: read_list(value, depth); break;
      case ThriftType::kStruct: read_struct(value, depth); break;
      default: fail();  // Parquet has no sets and maps
    }
    return value;
  }

  bool ok() const { return ok_; }
  size_t at() const { return at_; }

 private:
  void read_struct(ThriftValue& value, int depth) {
    int id = 0;
    while (const uint8_t head = byte()) {
      id = head >> 4 == 0 ? static_cast<int>(zigzag()) : id + (head >> 4);
      value.ids.push_back(id);
      value.items.push_back(this->value(static_cast<ThriftType>(head & 15), depth + 1));
      if (!ok_) return;
    }
  }

  // Each item has a byte at least, also a flag, which is one by itself here.
  void read_list(ThriftValue& value, int depth) {
    const uint8_t head = byte();
    const uint64_t count = head >> 4 == 15 ? leb() : head >> 4;
    if (count > bytes_.size() - at_) return fail();
    const auto type = static_cast<ThriftType>(head & 15);
    const bool flags = type == ThriftType::kTrue || type == ThriftType::kFalse;
    for (uint64_t i = 0; i < count && ok_; ++i)
      value.items.push_back(this->value(flags ? static_cast<ThriftType>(byte()) : type, depth + 1));
  }

  uint8_t byte() {
    if (at_ < bytes_.size()) return bytes_[at_++];
    fail();
    return 0;
  }
  uint64_t leb() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t next = byte();
      value |= static_cast<uint64_t>(next & 0x7f) << shift;
      if (next < 0x80) return value;
    }
    fail();
    return 0;
  }
  int64_t zigzag() {
    const uint64_t raw = leb();
    return static_cast<int64_t>(raw >> 1 ^ (0 - (raw & 1)));
  }
  std::string_view take(uint64_t size) {
    if (size > bytes_.size() - at_) return fail(), std::string_view();
    const auto* from = reinterpret_cast<const char*>(bytes_.data() + at_);
    at_ += size;
    return {from, static_cast<size_t>(size)};
  }
  void fail() {
    ok_ = false;
    at_ = bytes_.size();
  }

  std::span<const uint8_t> bytes_;
  size_t at_;
  bool ok_ = true;
};

}  // namespace

const ThriftValue& ThriftValue::at(int id) const {
  static const ThriftValue kNone;
  for (size_t i = 0; i < ids.size(); ++i)
    if (ids[i] == id) return items[i];
  return kNone;
}

std::optional<ThriftValue> ThriftValue::read(std::span<const uint8_t> bytes, size_t& at) {
  if (at > bytes.size()) return std::nullopt;
  ThriftReader reader(bytes, at);
  ThriftValue value = reader.value(ThriftType::kStruct, 0);
  at = reader.at();
  if (!reader.ok()) return std::nullopt;
  return value;
}

}  // namespace jrec
