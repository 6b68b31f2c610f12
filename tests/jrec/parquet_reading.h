// SPDX-License-Identifier: Apache-2.0
// Reads files of Parquet for tests: all values of a column as texts, by its own understanding of the format's pages.
#pragma once

#include <doctest/doctest.h>
#include <zstd.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "jrec/parquet/thrift_value.h"

namespace test {

using Texts = std::vector<std::string>;

class ParquetReading {
 public:
  explicit ParquetReading(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    REQUIRE(bytes_.size() > 12);
    uint32_t size = 0;
    std::memcpy(&size, bytes_.data() + bytes_.size() - 8, 4);
    size_t at = bytes_.size() - 8 - size;
    const auto footer = jrec::ThriftValue::read(bytes_, at);
    REQUIRE(footer);
    CHECK(at == bytes_.size() - 8);
    footer_ = *footer;
  }

  int64_t rows() const { return footer_.at(3).number; }
  size_t groups() const { return footer_.at(4).items.size(); }
  std::string fact(const std::string& key) const {
    for (const auto& fact : footer_.at(5).items)
      if (fact.at(1).text == key) return std::string(fact.at(2).text);
    return "";
  }
  const jrec::ThriftValue& footer() const { return footer_; }

  // By the last name of its path. Nulls are "null"; of lists the elements of all rows.
  Texts values(const std::string& column) const {
    Texts all;
    for (const auto& group : footer_.at(4).items) {
      bool found = false;
      for (const auto& chunk : group.at(1).items)
        if (chunk.at(3).at(3).items.back().text == column) {
          append(chunk.at(3), all);
          found = true;
        }
      CHECK(found);
    }
    return all;
  }

 private:
  struct Page {
    std::vector<uint8_t> bytes;
    size_t values = 0, at = 0;
    int encoding = 0;
    uint32_t u32() {
      uint32_t value = 0;
      std::memcpy(&value, bytes.data() + at, 4);
      at += 4;
      return value;
    }
  };

  Page page_at(size_t at) const {
    const auto head = jrec::ThriftValue::read(bytes_, at);
    REQUIRE(head);
    const auto& of = head->at(1).number == 0 ? head->at(5) : head->at(7);
    Page page;
    page.values = static_cast<size_t>(of.at(1).number);
    page.encoding = static_cast<int>(of.at(2).number);
    page.bytes.resize(static_cast<size_t>(head->at(2).number));
    const auto packed = static_cast<size_t>(head->at(3).number);
    CHECK(ZSTD_decompress(page.bytes.data(), page.bytes.size(), bytes_.data() + at, packed) == page.bytes.size());
    return page;
  }

  static std::vector<uint32_t> runs(Page& page, int bits, size_t count) {
    std::vector<uint32_t> values;
    while (values.size() < count) {
      const uint64_t head = varint(page);
      const size_t width = static_cast<size_t>(bits + 7) / 8;
      if ((head & 1) == 0) {
        uint32_t value = 0;
        for (size_t i = 0; i < width; ++i) value |= uint32_t{page.bytes.at(page.at++)} << 8 * i;
        values.insert(values.end(), head >> 1, value);
        continue;
      }
      for (size_t bit = 0; bit < (head >> 1) * 8 * static_cast<size_t>(bits); bit += static_cast<size_t>(bits)) {
        uint32_t value = 0;
        for (size_t i = 0; i < static_cast<size_t>(bits); ++i)
          value |= uint32_t{page.bytes.at(page.at + (bit + i) / 8) >> (bit + i) % 8 & 1u} << i;
        values.push_back(value);
      }
      page.at += (head >> 1) * static_cast<size_t>(bits);
    }
    values.resize(count);
    return values;
  }

  static Texts plain(Page& page, int64_t type, size_t count) {
    Texts values;
    for (size_t i = 0; i < count; ++i) {
      if (type == 0) {
        values.push_back(page.bytes.at(page.at + i / 8) >> i % 8 & 1 ? "true" : "false");
      } else if (type == 1) {
        values.push_back(std::to_string(static_cast<int32_t>(page.u32())));
      } else if (type == 6) {
        const uint32_t size = page.u32();
        REQUIRE(size <= page.bytes.size() - page.at);
        values.emplace_back(reinterpret_cast<const char*>(page.bytes.data()) + page.at, size);
        page.at += size;
      } else {
        uint64_t low = page.u32();
        low |= uint64_t{page.u32()} << 32;
        values.push_back(type == 5 ? std::to_string(std::bit_cast<double>(low))
                                   : std::to_string(static_cast<int64_t>(low)));
      }
    }
    return values;
  }

  static uint64_t varint(Page& page) {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const uint8_t byte = page.bytes.at(page.at++);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }
  static int64_t zigzag(Page& page) {
    const uint64_t raw = varint(page);
    return static_cast<int64_t>(raw >> 1 ^ (0 - (raw & 1)));
  }

  static Texts deltas(Page& page) {
    const uint64_t block = varint(page), groups = varint(page), count = varint(page);
    int64_t value = zigzag(page);
    Texts values = {std::to_string(value)};
    while (values.size() < count) {
      const int64_t least = zigzag(page);
      const std::vector<uint8_t> bits(page.bytes.data() + page.at, page.bytes.data() + page.at + groups);
      page.at += groups;
      for (size_t group = 0; group < groups && values.size() < count; ++group) {
        const size_t width = bits[group], steps = block / groups;
        for (size_t i = 0; i < steps && values.size() < count; ++i) {
          uint64_t step = 0;
          for (size_t bit = 0; bit < width; ++bit)
            step |= uint64_t{page.bytes.at(page.at + (i * width + bit) / 8) >> (i * width + bit) % 8 & 1u} << bit;
          value = static_cast<int64_t>(static_cast<uint64_t>(value) + step + static_cast<uint64_t>(least));
          values.push_back(std::to_string(value));
        }
        page.at += width * steps / 8;
      }
    }
    CHECK(page.at == page.bytes.size());
    return values;
  }

  // Whether the column may be null, by the schema; lists say it by their depth.
  bool nullable(const jrec::ThriftValue& column) const {
    for (const auto& element : footer_.at(2).items)
      if (element.at(4).text == column.at(3).items.back().text && element.at(5).number == 0)
        return element.at(3).number == 1;
    return false;
  }

  void append(const jrec::ThriftValue& column, Texts& out) const {
    const int64_t type = column.at(1).number;
    Texts dictionary;
    if (column.at(11).number != 0) {
      Page page = page_at(static_cast<size_t>(column.at(11).number));
      dictionary = plain(page, type, page.values);
    }
    Page page = page_at(static_cast<size_t>(column.at(9).number));
    const bool list = column.at(3).items.size() > 1;
    std::vector<uint32_t> defined(page.values, 1);
    for (int levels = list ? 2 : nullable(column); levels > 0; --levels) {
      const size_t size = page.u32(), begin = page.at;
      defined = runs(page, 1, page.values);  // of a list, repetition comes first
      CHECK(page.at == begin + size);
    }
    size_t count = 0;
    for (const uint32_t is_there : defined) count += is_there;
    Texts values;
    if (page.encoding == 8) {
      const int bits = page.bytes.at(page.at++);
      for (const uint32_t place : runs(page, bits, count)) values.push_back(dictionary.at(place));
    } else if (page.encoding == 5) {
      values = deltas(page);
    } else {
      values = plain(page, type, count);
    }
    size_t next = 0;
    for (const uint32_t is_there : defined) {
      if (is_there != 0) out.push_back(values[next++]);
      if (is_there == 0 && !list) out.push_back("null");
    }
  }

  std::vector<uint8_t> bytes_;
  jrec::ThriftValue footer_;  // its texts are views into bytes_
};

}  // namespace test
