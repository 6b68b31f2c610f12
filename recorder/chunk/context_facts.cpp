// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/context_facts.h"

#include <cstring>
#include <map>
#include <vector>

namespace rec {
namespace {

// The next piece behind its length, of what is left; false: it is cut, or there is none.
bool take_piece(std::string_view& from, std::string_view& piece) {
  if (from.empty()) return false;
  const size_t size = static_cast<uint8_t>(from.front());
  if (from.size() - 1 < size) return false;
  piece = from.substr(1, size);
  from.remove_prefix(1 + size);
  return true;
}

void append_escaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (c == '\\' || c == ',' || c == '=') out += '\\';
    out += c;
  }
}

}  // namespace

std::string attributes_text(std::string_view attributes, std::string_view keys) {
  std::vector<std::string_view> names;
  for (std::string_view name; take_piece(keys, name);) names.push_back(name);
  std::map<uint8_t, std::string_view> values;
  while (!attributes.empty()) {
    const auto index = static_cast<uint8_t>(attributes.front());
    attributes.remove_prefix(1);
    std::string_view value;
    if (!take_piece(attributes, value)) break;
    if (index < names.size() && !names[index].empty()) values[index] = value;
  }
  std::string text;
  for (const auto& [index, value] : values) {
    if (!text.empty()) text += ',';
    append_escaped(names[index], text);
    text += '=';
    append_escaped(value, text);
  }
  return text;
}

bool context_refs(EncodedFact& fact, ContextRefs& refs) {
  const std::string_view bytes = FactReader::text(fact, 0);
  if (fact.type != kAttributesFact || bytes.size() < sizeof refs) return false;
  std::memcpy(&refs, bytes.data(), sizeof refs);
  return true;
}

ContextTexts context_texts(const FactReader& facts, Ref<EncodedFact> of) {
  EncodedFact* const fact = facts.get(of);
  ContextRefs refs;
  if (fact == nullptr) return {};
  if (!context_refs(*fact, refs)) return {FactReader::text(*fact, 0), {}};
  EncodedFact *const name = facts.get(refs.name), *const keys = facts.get(refs.keys);
  ContextTexts texts;
  if (name != nullptr) texts.name = FactReader::text(*name, 0);
  if (keys != nullptr)
    texts.attributes = attributes_text(FactReader::text(*fact, 0).substr(sizeof refs), FactReader::text(*keys, 0));
  return texts;
}

}  // namespace rec
