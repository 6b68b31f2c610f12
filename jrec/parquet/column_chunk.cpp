// SPDX-License-Identifier: Apache-2.0
#include "jrec/parquet/column_chunk.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include "format/reader/key_table.h"
#include "jrec/parquet/bit_runs.h"
#include "jrec/parquet/delta_numbers.h"
#include "jrec/parquet/thrift_writer.h"

namespace jrec {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kMostPage = INT32_MAX;
constexpr size_t kMostDistinct = size_t{1} << 16;  // numbers in a dictionary
constexpr size_t kWorthIt = 4;                     // so often comes each of them, at least
constexpr size_t kLongestBound = 64;               // texts that are longer are no statistics

void put_u32(uint32_t value, Bytes& out) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<uint8_t>(value >> shift));
}

void put_plain(int64_t value, ParquetType type, Bytes& out) {
  const size_t bytes = type == ParquetType::kInt ? 4 : 8;
  const size_t at = out.size();
  out.resize(at + bytes);
  std::memcpy(out.data() + at, &value, bytes);  // little-endian, as this machine is
}

void put_plain(const std::string& text, Bytes& out) {
  put_u32(static_cast<uint32_t>(text.size()), out);
  out.insert(out.end(), text.begin(), text.end());
}

// Distinct values, and of each value the place in them.
struct NumberDictionary {
  std::vector<int64_t> distinct;
  std::vector<uint32_t> places;
};

std::optional<NumberDictionary> dictionary_of(const std::vector<int64_t>& values) {
  const size_t most = std::min(kMostDistinct, values.size() / kWorthIt);
  NumberDictionary dictionary;
  dictionary.places.reserve(values.size());
  jfr::read::KeyTable<uint32_t> places;
  for (const int64_t value : values) {
    const auto found = places.find_or_add(static_cast<uint64_t>(value));
    if (found.is_new) dictionary.distinct.push_back(value);
    if (dictionary.distinct.size() > most) return std::nullopt;
    dictionary.places.push_back(found.place);
  }
  return dictionary;
}

class ChunkMaker {
 public:
  ChunkMaker(const ColumnValues& values, int level) : in_(values), type_(values.column().type), level_(level) {}

  base::Result<ColumnChunk> make() {
    Bytes page;
    put_levels(page);
    chunk_.encoding = type_ == ParquetType::kText ? put_texts(page) : put_numbers(page);
    put_page(0, page, chunk_.values, chunk_.encoding);
    if (too_large_) return base::Error{base::ErrorCode::kLimit, 0, "a column of a row group is larger than 2 GB"};
    return std::move(chunk_);
  }

 private:
  void put_levels(Bytes& page) {
    chunk_.values = in_.values().size();
    if (in_.column().repeated()) return put_list_levels(page);
    if (!in_.column().nullable) return;
    chunk_.values = in_.levels().size();
    chunk_.nulls = chunk_.values - in_.values().size();
    put_level_runs(in_.levels(), page);
  }

  // A list of three is 0 1 1 and 1 1 1, an empty one 0 and 0.
  void put_list_levels(Bytes& page) {
    std::vector<uint32_t> repetition, definition;
    for (const uint32_t count : in_.levels()) {
      for (uint32_t i = 0; i < std::max(count, 1u); ++i) {
        repetition.push_back(i > 0);
        definition.push_back(count > 0);
      }
      chunk_.nulls += count == 0;
    }
    chunk_.values = repetition.size();
    put_level_runs(repetition, page);
    put_level_runs(definition, page);
  }

  static void put_level_runs(std::span<const uint32_t> levels, Bytes& page) {
    Bytes runs;
    append_bit_runs(levels, 1, runs);
    put_u32(static_cast<uint32_t>(runs.size()), page);
    page.insert(page.end(), runs.begin(), runs.end());
  }

  ParquetEncoding put_texts(Bytes& page) {
    const std::vector<const std::string*>& texts = in_.texts();
    if (!texts.empty()) {
      const auto by_value = [](const std::string* a, const std::string* b) { return *a < *b; };
      const auto [least, most] = std::minmax_element(texts.begin(), texts.end(), by_value);
      note_bounds(**least, **most);
    }
    if (texts.empty() || (texts.size() > kWorthIt && texts.size() > in_.values().size() / 2)) {
      for (const int64_t place : in_.values()) put_plain(*texts[static_cast<size_t>(place)], page);
      return ParquetEncoding::kPlain;
    }
    Bytes dictionary;
    for (const std::string* text : texts) put_plain(*text, dictionary);
    const std::vector<uint32_t> places(in_.values().begin(), in_.values().end());
    return put_dictionary(dictionary, texts.size(), places, page);
  }

  ParquetEncoding put_numbers(Bytes& page) {
    const std::vector<int64_t>& values = in_.values();
    if (type_ == ParquetType::kFlag) return put_flags(page);
    note_number_bounds();
    if (type_ == ParquetType::kTime && !values.empty()) {
      append_deltas(values, page);
      return ParquetEncoding::kDelta;
    }
    const bool try_it = !values.empty() && type_ != ParquetType::kReal && !in_.column().unique;
    if (const auto dictionary = try_it ? dictionary_of(values) : std::nullopt) {
      Bytes plain;
      for (const int64_t value : dictionary->distinct) put_plain(value, type_, plain);
      return put_dictionary(plain, dictionary->distinct.size(), dictionary->places, page);
    }
    page.reserve(page.size() + values.size() * 8);
    for (const int64_t value : values) put_plain(value, type_, page);
    return ParquetEncoding::kPlain;
  }

  ParquetEncoding put_flags(Bytes& page) {
    const std::vector<int64_t>& values = in_.values();
    const size_t at = page.size();
    page.resize(at + (values.size() + 7) / 8);
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i] != 0) page[at + i / 8] |= static_cast<uint8_t>(1 << i % 8);
    return ParquetEncoding::kPlain;
  }

  ParquetEncoding put_dictionary(const Bytes& dictionary, size_t count, std::span<const uint32_t> places, Bytes& page) {
    put_page(2, dictionary, count, ParquetEncoding::kPlain);
    chunk_.dictionary_bytes = chunk_.bytes.size();
    const int bits = std::max(1, bits_for(count));  // some readers do not expect 0
    page.push_back(static_cast<uint8_t>(bits));
    append_bit_runs(places, bits, page);
    return ParquetEncoding::kDictionary;
  }

  // kind: 0 values, 2 a dictionary.
  void put_page(int kind, const Bytes& page, size_t count, ParquetEncoding encoding) {
    Bytes packed(ZSTD_compressBound(page.size()));
    const size_t size =
        context_ ? ZSTD_compressCCtx(context_.get(), packed.data(), packed.size(), page.data(), page.size(), level_)
                 : SIZE_MAX;
    if (ZSTD_isError(size)) throw std::bad_alloc();  // the arguments are right, so that is all it can be
    packed.resize(size);
    if (page.size() > kMostPage || packed.size() > kMostPage) too_large_ = true;
    ThriftWriter head;
    head.number(1, ThriftType::kInt32, kind);
    head.number(2, ThriftType::kInt32, static_cast<int64_t>(page.size()));
    head.number(3, ThriftType::kInt32, static_cast<int64_t>(packed.size()));
    head.begin(kind == 0 ? 5 : 7);
    head.number(1, ThriftType::kInt32, static_cast<int64_t>(count));
    head.number(2, ThriftType::kInt32, static_cast<int64_t>(encoding));
    if (kind == 0)
      for (const int levels : {3, 4})
        head.number(levels, ThriftType::kInt32, static_cast<int64_t>(ParquetEncoding::kRle));
    head.end();
    head.end();
    chunk_.bytes.insert(chunk_.bytes.end(), head.bytes().begin(), head.bytes().end());
    chunk_.bytes.insert(chunk_.bytes.end(), packed.begin(), packed.end());
    chunk_.unpacked_bytes += head.bytes().size() + page.size();
  }

  void note_bounds(std::string least, std::string most) {
    if (least.size() > kLongestBound || most.size() > kLongestBound) return;
    chunk_.least = std::move(least);
    chunk_.most = std::move(most);
  }

  // Reals have none: NaN and the two zeros make bounds a subject of their own.
  void note_number_bounds() {
    if (in_.values().empty() || type_ == ParquetType::kReal) return;
    const auto less = [this](int64_t a, int64_t b) {
      return type_ == ParquetType::kUnsigned ? static_cast<uint64_t>(a) < static_cast<uint64_t>(b) : a < b;
    };
    const auto [least, most] = std::minmax_element(in_.values().begin(), in_.values().end(), less);
    Bytes first, last;
    put_plain(*least, type_, first);
    put_plain(*most, type_, last);
    note_bounds({first.begin(), first.end()}, {last.begin(), last.end()});
  }

  struct FreeContext {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };

  const ColumnValues& in_;
  const ParquetType type_;
  const int level_;
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context_{ZSTD_createCCtx()};
  ColumnChunk chunk_;
  bool too_large_ = false;
};

}  // namespace

base::Result<ColumnChunk> make_column_chunk(const ColumnValues& values, int zstd_level) {
  return ChunkMaker(values, zstd_level).make();
}

}  // namespace jrec
