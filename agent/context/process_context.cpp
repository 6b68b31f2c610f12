// SPDX-License-Identifier: Apache-2.0
#include "agent/context/process_context.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/text_lines.h"

namespace rec::agent {
namespace {

constexpr std::string_view kSignature = "OTEL_CTX";
constexpr std::array<std::string_view, 3> kMappings = {"[anon_shmem:OTEL_CTX]", "[anon:OTEL_CTX]", "/memfd:OTEL_CTX"};
constexpr uint32_t kVersion = 2;
constexpr std::string_view kKeyMap = "threadlocal.attribute_key_map";
constexpr size_t kMostKeys = 256, kMostKeyBytes = 255;

// Fields of ProcessContext, KeyValue, AnyValue and ArrayValue (opentelemetry-proto).
enum { kContextAttributes = 2, kKey = 1, kValue = 2, kText = 1, kArray = 5, kArrayValues = 1 };

// One field of a message after the other; next() is false at the end, and where what follows is none.
class Fields {
 public:
  explicit Fields(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  bool next() {
    uint64_t tag = 0, size = 0;
    if (!number(tag)) return false;
    field = static_cast<uint32_t>(tag >> 3);
    content = {};
    switch (tag & 7) {
      case 0: return number(size);
      case 1: return take(8);
      case 2: return number(size) && take(size);
      case 5: return take(4);
      default: return false;
    }
  }
  std::string_view text() const { return {reinterpret_cast<const char*>(content.data()), content.size()}; }

  uint32_t field = 0;
  std::span<const uint8_t> content;  // of one that has a length

 private:
  bool number(uint64_t& to) {
    to = 0;
    for (unsigned shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const uint8_t byte = bytes_.front();
      bytes_ = bytes_.subspan(1);
      to |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  bool take(uint64_t size) {
    if (size > bytes_.size()) return false;
    content = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return true;
  }
  std::span<const uint8_t> bytes_;
};

// The last of them: nothing, if there is none.
std::span<const uint8_t> field_of(std::span<const uint8_t> message, uint32_t field) {
  std::span<const uint8_t> content;
  for (Fields fields(message); fields.next();)
    if (fields.field == field) content = fields.content;
  return content;
}

std::string_view text_of(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

bool parse_process_context(std::span<const uint8_t, kProcessContextBytes> bytes, ProcessContextHeader& header) {
  uint32_t version = 0;
  std::memcpy(&version, &bytes[8], sizeof version);
  std::memcpy(&header.payload_bytes, &bytes[12], sizeof header.payload_bytes);
  std::memcpy(&header.published_at, &bytes[16], sizeof header.published_at);
  std::memcpy(&header.payload, &bytes[24], sizeof header.payload);
  return text_of(bytes.first(kSignature.size())) == kSignature && version == kVersion && header.published_at != 0 &&
         header.payload != 0 && header.payload_bytes <= kMostPayloadBytes;
}

uint64_t process_context_in(std::string_view maps) {
  uint64_t found = 0;
  base::each_line(maps, [&](std::string_view line) {
    base::MappingLine mapping;
    if (found != 0 || !base::parse_mapping_line(line, mapping)) return;
    if (std::ranges::any_of(kMappings, [&](std::string_view name) { return mapping.name.starts_with(name); }))
      found = mapping.begin;
  });
  return found;
}

std::string attribute_keys_of(std::span<const uint8_t> payload, size_t most_bytes) {
  std::span<const uint8_t> map;
  for (Fields context(payload); context.next();)
    if (context.field == kContextAttributes && text_of(field_of(context.content, kKey)) == kKeyMap)
      map = field_of(field_of(context.content, kValue), kArray);
  std::string keys;
  size_t count = 0;
  for (Fields values(map); count < kMostKeys && values.next();) {
    if (values.field != kArrayValues) continue;
    std::string_view key = text_of(field_of(values.content, kText));
    if (key.size() > kMostKeyBytes || keys.size() + 1 + key.size() > most_bytes) key = {};
    if (keys.size() + 1 > most_bytes) break;
    keys += static_cast<char>(key.size());
    keys += key;
    ++count;
  }
  return keys;
}

}  // namespace rec::agent
