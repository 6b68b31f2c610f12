// SPDX-License-Identifier: Apache-2.0
#include "jrec/symbols/name_edit.h"

#include "format/reader/values.h"
#include "recorder/symbols/demangle.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using jfr::read::Cursor;
using jfr::read::Field;
using jfr::read::Kind;
using jfr::read::Type;

constexpr uint64_t kFirstKey = uint64_t{1} << 52;  // recorders count their symbols
constexpr unsigned kTries = 16;

uint64_t letters_hash(const std::string& text) {  // FNV-1a: the same wherever it is computed
  uint64_t hash = 0xcbf29ce484222325;
  for (const char each : text) hash = (hash ^ static_cast<uint8_t>(each)) * 0x100000001b3;
  return hash;
}

// The name that the symbols have for all of the places; empty: none, or several.
std::string name_at(const rec::FunctionTable& table, const std::vector<uint64_t>& addresses) {
  std::string name;
  for (const uint64_t address : addresses) {
    const std::string symbol = table.name_of(address);
    if (symbol.empty()) return {};
    std::string here = rec::readable_name(symbol);
    if (!name.empty() && here != name) return {};
    name = std::move(here);
  }
  return name;
}

}  // namespace

void NameEdit::begin(Chunk& chunk) {
  names_.clear();
  symbols_.clear();
  if (!can_edit(chunk)) return;
  for (const auto& [method, place] : native_places(chunk)) look_at(chunk, method, place);
}

// Methods with a field `name`, the key of a symbol, which is a text.
bool NameEdit::can_edit(Chunk& chunk) {
  metadata_ = &chunk.metadata();
  method_ = metadata_->index_of("jdk.types.Method");
  symbol_ = metadata_->index_of("jdk.types.Symbol");
  if (method_ == jfr::read::kNoType || symbol_ == jfr::read::kNoType) return false;
  const Type &method = metadata_->types()[method_], &symbol = metadata_->types()[symbol_];
  name_ = method.field("name");
  if (name_ < 0 || !method.decodable() || symbol.fields.size() != 1) return false;
  const Field &name = method.fields[static_cast<size_t>(name_)], &text = symbol.fields[0];
  return name.constant && !name.array && name.type == symbol_ && text.kind == Kind::kString && !text.constant &&
         !text.array;
}

void NameEdit::look_at(Chunk& chunk, uint64_t method, const NativePlace& place) {
  Tally& tally = tallies_[place.library.build_id + ' ' + place.library.path];
  tally.path = place.library.path;
  ++tally.functions;
  const LibrarySymbols* const symbols = files_.find(place.library.build_id, place.library.path);
  if (symbols == nullptr) return;
  tally.file = symbols->file;
  const std::string name = name_at(symbols->table, place.addresses);
  if (name.empty() || name == name_now(chunk, method)) return;
  const uint64_t key = key_of(chunk, name);
  if (key == 0) return;
  names_[method] = key;
  ++tally.renamed;
}

std::string NameEdit::name_now(Chunk& chunk, uint64_t method) {
  const Type& type = metadata_->types()[method_];
  Cursor at = at_field(chunk.constants().find(method_, method), *metadata_, type, name_);
  std::string name;
  chunk.append_text(at, type.fields[static_cast<size_t>(name_)], name);
  return name;
}

// 0: all that it could have are taken, by a recording that is made for that.
uint64_t NameEdit::key_of(Chunk& chunk, const std::string& name) {
  for (uint64_t key = kFirstKey | (letters_hash(name) >> 13), tries = 0; tries < kTries; ++tries, ++key) {
    const auto [known, is_new] = symbols_.try_emplace(key, name);
    if (!is_new && known->second == name) return key;
    if (!is_new) continue;
    Cursor there = chunk.constants().find(symbol_, key);
    std::string text;
    if (!there.ok() || (chunk.append_string(there, text) && text == name)) return key;
    symbols_.erase(known);
  }
  return 0;
}

bool NameEdit::edits(uint32_t type, uint64_t key, Cursor value, WireBytes& out) {
  const auto name = names_.find(key);
  if (type != method_ || name == names_.end()) return false;
  const Cursor at = at_field(value, *metadata_, metadata_->types()[method_], name_);
  Cursor behind = at;
  behind.leb();
  const uint64_t front = at.at() - value.at(), back = behind.remaining();
  if (!behind.ok()) return false;
  out.add(value.bytes(front));
  out.leb(name->second);
  out.add(behind.bytes(back));
  return true;
}

uint64_t NameEdit::add_pools(WireBytes& out) {
  if (symbols_.empty()) return 0;
  out.leb(metadata_->types()[symbol_].id);
  out.leb(symbols_.size());
  for (const auto& [key, text] : symbols_) {
    out.leb(key);
    out.utf8(text);
  }
  return 1;
}

}  // namespace jrec
