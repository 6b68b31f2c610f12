// SPDX-License-Identifier: Apache-2.0
// NameEdit gives native functions other names: those that a library's symbols have at their addresses. A method's constant names another symbol
// then, which is added to the chunk; all else in it stays, and where the symbols say nothing, or not the same of all its places, so does its name.
//
// A reader may take a constant from the chunk before: a name has one key in all chunks, made of its letters, beyond what recorders number.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "format/reader/chunk.h"
#include "jrec/files/chunk_rewrite.h"
#include "jrec/select/native_places.h"
#include "jrec/symbols/symbol_files.h"

namespace jrec {

class NameEdit : public ConstantRule {
 public:
  explicit NameEdit(SymbolFiles& files) : files_(files) {}

  // Of a library: how many functions it has in the recording, and how many of them have another name now. One function in two chunks is two.
  struct Tally {
    std::string path, file;  // where its symbols were; empty: nowhere
    uint64_t functions = 0, renamed = 0;
  };
  const std::map<std::string, Tally>& tallies() const { return tallies_; }  // by build id and path

  void begin(jfr::read::Chunk& chunk);
  bool edits(uint32_t type) const override { return type == method_ && !names_.empty(); }
  bool edits(uint32_t type, uint64_t key, jfr::read::Cursor value, WireBytes& out) override;
  uint64_t add_pools(WireBytes& out) override;

 private:
  bool can_edit(jfr::read::Chunk& chunk);
  void look_at(jfr::read::Chunk& chunk, uint64_t method, const NativePlace& place);
  std::string name_now(jfr::read::Chunk& chunk, uint64_t method);
  uint64_t key_of(jfr::read::Chunk& chunk, const std::string& name);

  SymbolFiles& files_;
  std::map<std::string, Tally> tallies_;
  // Of the chunk at hand:
  const jfr::read::Metadata* metadata_ = nullptr;
  uint32_t method_ = jfr::read::kNoType, symbol_ = jfr::read::kNoType;  // types
  int name_ = -1;                                                       // field of a method
  std::map<uint64_t, uint64_t> names_;                                  // key of a method -> of its new symbol
  std::map<uint64_t, std::string> symbols_;                             // new ones, by key
};

}  // namespace jrec
