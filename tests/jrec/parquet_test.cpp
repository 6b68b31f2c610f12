// SPDX-License-Identifier: Apache-2.0
// The writer of Parquet files: bytes as the format's pages have them, and what comes back.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <numeric>

#include "jrec/parquet/bit_runs.h"
#include "jrec/parquet/delta_numbers.h"
#include "jrec/parquet/parquet_longs.h"
#include "jrec/parquet/parquet_writer.h"
#include "jrec/parquet/thrift_writer.h"
#include "tests/jrec/commands.h"
#include "tests/jrec/parquet_reading.h"
#include "tests/text.h"

using namespace jrec;
using test::Bytes;
using test::has;
using test::ParquetReading;
using test::Texts;
using test::Workplace;

namespace {

Bytes bit_runs_of(const std::vector<uint32_t>& values, int bits) {
  Bytes out;
  append_bit_runs(values, bits, out);
  return out;
}

// A file that `fill` has put rows into.
template <typename Fill>
std::string write_parquet(const Workplace& place, const ParquetColumns& columns, Fill fill) {
  const std::string path = place.path("table.parquet");
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ParquetWriter writer(fd, columns, {{"rec.schema", "1"}});
  fill(writer);
  CHECK(writer.finish().ok());
  ::close(fd);
  return path;
}

std::string write_longs(const Workplace& place, const std::vector<int64_t>& longs) {
  return write_parquet(place, {{"stack", ParquetType::kLong, false, ParquetColumn::Shape::kOne, "", true}},
                       [&](ParquetWriter& out) {
                         for (const int64_t value : longs) {
                           out.column(0).add(value);
                           out.end_row();
                         }
                       });
}

}  // namespace

TEST_CASE("golden: packed bits are as parquet-format/Encodings.md has them, low bit first") {
  CHECK(bit_runs_of({0, 1, 2, 3, 4, 5, 6, 7}, 3) == Bytes{0x03, 0x88, 0xc6, 0xfa});
  CHECK(bit_runs_of(std::vector<uint32_t>(100, 4), 3) == Bytes{0xc8, 0x01, 0x04});
  CHECK(bit_runs_of({1}, 1) == Bytes{0x03, 0x01});
  CHECK(bit_runs_of({}, 1).empty());
}

TEST_CASE("a run begins where packed groups are whole") {
  std::vector<uint32_t> values = {1, 0, 1};
  values.insert(values.end(), 21, 1);
  CHECK(bit_runs_of(values, 1) == Bytes{0x03, 0xfd, 0x20, 0x01});
}

TEST_CASE("golden: deltas are as parquet-format/Encodings.md has them") {
  Bytes out;
  append_deltas(std::vector<int64_t>{7, 5, 3, 1, 2, 3, 4, 5}, out);  // steps -2 -2 -2 1 1 1 1, less -2: 0 0 0 3 3 3 3
  Bytes expected = {0x80, 0x01, 0x04, 0x08, 0x0e, 0x03, 0x02, 0x00, 0x00, 0x00, 0xc0, 0x3f};
  expected.resize(expected.size() + 6);
  CHECK(out == expected);
}

TEST_CASE("times come back, rising, falling and as far apart as they can be") {
  const Workplace place;
  std::vector<int64_t> times = {0, INT64_MAX, INT64_MIN, -1, 1};
  for (int i = 0; i < 300; ++i) times.push_back(1'700'000'000'000'000 + i * i * 17 % 1000);
  for (const size_t count : {size_t{1}, size_t{2}, size_t{5}, size_t{33}, size_t{129}, size_t{130}, times.size()}) {
    const std::string path = write_parquet(place, {{"time", ParquetType::kTime}}, [&](ParquetWriter& out) {
      for (size_t i = 0; i < count; ++i) {
        out.column(0).add(times[i]);
        out.end_row();
      }
    });
    Texts expected;
    for (size_t i = 0; i < count; ++i) expected.push_back(std::to_string(times[i]));
    CHECK(ParquetReading(path).values("time") == expected);
  }
}

TEST_CASE("golden: structs are as thrift-compact-protocol.md has them") {
  ThriftWriter out;
  out.number(1, ThriftType::kInt32, -1);
  out.text(3, "ab");
  out.flag(20, true);
  out.list(21, ThriftType::kInt64, 2);
  out.item(int64_t{1});
  out.item(int64_t{-2});
  out.end();
  CHECK(out.bytes() == Bytes{0x15, 0x01, 0x28, 0x02, 'a', 'b', 0x01, 0x28, 0x19, 0x26, 0x02, 0x03, 0x00});
  size_t at = 0;
  const auto back = ThriftValue::read(out.bytes(), at);
  REQUIRE(back);
  CHECK(at == out.bytes().size());
  CHECK(back->at(1).number == -1);
  CHECK(back->at(3).text == "ab");
  CHECK(back->at(20).number == 1);
  CHECK(back->at(21).items.at(1).number == -2);
  CHECK(back->at(7).items.empty());
}

TEST_CASE("rows come back, nulls, lists, numbers of all kinds and texts") {
  using Shape = ParquetColumn::Shape;
  const Workplace place;
  const ParquetColumns columns = {{"flag", ParquetType::kFlag},
                                  {"int", ParquetType::kInt, true},
                                  {"real", ParquetType::kReal},
                                  {"unsigned", ParquetType::kUnsigned},
                                  {"text", ParquetType::kText, true},
                                  {"method", ParquetType::kText, false, Shape::kList, "frames"},
                                  {"line", ParquetType::kInt, false, Shape::kList, "frames"}};
  const std::string path = write_parquet(place, columns, [](ParquetWriter& out) {
    for (int i = 0; i < 20; ++i) {
      out.column(0).add(i % 3 == 0);
      if (i % 2 == 0)
        out.column(1).add(-i);
      else
        out.column(1).add_null();
      out.column(2).add_real(i / 2.0);
      out.column(3).add(-1);
      if (i == 7)
        out.column(4).add_null();
      else
        out.column(4).add_text(i < 7 ? "early" : "late");
      for (const size_t list : {5, 6}) out.column(list).begin_list(static_cast<size_t>(i % 3));
      for (int k = 0; k < i % 3; ++k) {
        out.column(5).add_text("m" + std::to_string(k));
        out.column(6).add(i);
      }
      out.end_row();
    }
  });
  const ParquetReading file(path);
  CHECK(file.rows() == 20);
  CHECK(file.fact("rec.schema") == "1");
  const Texts ints = file.values("int"), texts = file.values("text"), methods = file.values("method");
  CHECK(Texts(ints.begin(), ints.begin() + 4) == Texts{"0", "null", "-2", "null"});
  CHECK(file.values("flag")[3] == "true");
  CHECK(file.values("real")[1] == "0.500000");
  CHECK(file.values("unsigned")[19] == "-1");  // its bits
  CHECK(texts[6] == "early");
  CHECK(texts[7] == "null");
  CHECK(texts[8] == "late");
  CHECK(methods.size() == 19);
  CHECK(Texts(methods.begin(), methods.begin() + 4) == Texts{"m0", "m0", "m1", "m0"});
  CHECK(file.values("line")[2] == "2");
}

TEST_CASE("a row group ends when it is full, and says what is least and largest in it") {
  const Workplace place;
  std::vector<int64_t> longs(ParquetWriter::kRowsOfGroup + 10);
  std::iota(longs.begin(), longs.end(), -5);
  const std::string path = write_longs(place, longs);
  const ParquetReading file(path);
  CHECK(file.groups() == 2);
  const ThriftValue& statistics = file.footer().at(4).items[1].at(1).items[0].at(3).at(12);
  int64_t least = 0;
  std::memcpy(&least, statistics.at(6).text.data(), 8);
  CHECK(least == longs[ParquetWriter::kRowsOfGroup]);
  const auto back = read_first_longs(path);
  REQUIRE(back);
  CHECK(*back == longs);
}

TEST_CASE("texts that are nearly all different are written as they are, and no dictionary of them") {
  const Workplace place;
  const std::string path = write_parquet(place, {{"trace"}}, [](ParquetWriter& out) {
    for (int i = 0; i < 1000; ++i) {
      out.column(0).add_text("trace-" + std::to_string(i));
      out.end_row();
    }
  });
  const ParquetReading file(path);
  CHECK(file.footer().at(4).items[0].at(1).items[0].at(3).at(11).number == 0);
  CHECK(file.values("trace")[999] == "trace-999");
}

TEST_CASE("a file without rows is one") {
  const Workplace place;
  CHECK(ParquetReading(write_longs(place, {})).rows() == 0);
  CHECK(read_first_longs(place.path("table.parquet"))->empty());
}

TEST_CASE("damage: longs that are read back are those that were written, or an error") {
  const Workplace place;
  const std::vector<int64_t> longs = {3, 1, 4, 1, 5, 9, 2, 6};
  write_longs(place, longs);
  const std::string whole = place.read("table.parquet");
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    CHECK(!read_first_longs(place.write("cut.parquet", Bytes(cut.begin(), cut.end()))).ok());
  }
  for (size_t at = 0; at < whole.size(); ++at)
    for (const int bit : {0, 3, 7}) {
      Bytes changed(whole.begin(), whole.end());
      changed[at] ^= static_cast<uint8_t>(1 << bit);
      const auto read = read_first_longs(place.write("changed.parquet", changed));
      if (read.ok()) CHECK(read->size() <= ParquetWriter::kRowsOfGroup);
    }
}
