// SPDX-License-Identifier: Apache-2.0
// What is behind the handles of jrec.h: a file with its types, a type with its fields, and where the file stands.
//
//   jrec_file --owns--> jrec_type, by name --owns--> jrec_field, by path
//     |                                                 |
//     stands in a chunk, at an event                    is bound to a type of that chunk when it is first read there
//
// Numbers of types differ from chunk to chunk, and two types of one name may be in the same: so a field remembers which it was
// bound to. These members may throw std::bad_alloc; calls.cpp lets nothing out.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/c/jrec.h"
#include "format/c/stack_reader.h"
#include "format/c/stack_table.h"
#include "format/c/text_table.h"
#include "format/reader/chunk.h"
#include "format/reader/chunk_scanner.h"
#include "format/reader/field_value.h"
#include "format/reader/mapped_file.h"
#include "format/reader/problems.h"

struct jrec_field {
  jrec_field(jrec_type& of_type, std::string_view at_path) : type(of_type), path(at_path) {}

  // The value of the event that the file stands at. JREC_NULL with a null value.
  jrec_status read(jfr::read::FieldValue& value);
  jrec_status kind_here(jrec_kind& kind);

  jrec_status integer(int64_t& value);
  jrec_status real(double& value);
  jrec_status name(std::string& text);
  jrec_status name_number(uint32_t& number);
  jrec_status stack_number(uint32_t& number);

  jrec_type& type;
  std::string path;
  std::string text;  // that was handed out last

 private:
  bool bind_to(const jfr::read::Type& declared);
  jrec_status missing();
  jrec_status other_kind(const char* wanted);

  uint64_t bound_in_ = 0;  // number of the chunk
  const jfr::read::Type* bound_to_ = nullptr;
  std::vector<int> indices_;  // of the path's steps; empty: there is no such field
  jrec_kind kind_ = JREC_OTHER;
  jfr::read::KeyTable<uint32_t> known_names_;  // by key of the constant that the path begins with; of this chunk
};

struct jrec_type {
  jrec_type(jrec_file& of_file, std::string_view its_name) : file(of_file), name(its_name) {}

  jrec_field& bind(std::string_view path);
  // Its declaration in this chunk; the event's own where the file stands at one of this type.
  const jfr::read::Type* here() const;

  jrec_file& file;
  std::string name;
  bool selected = false;
  std::map<std::string, std::unique_ptr<jrec_field>, std::less<>> fields;
  struct Leaf {
    std::string path;
    jrec_kind kind;
  };
  std::vector<Leaf> leaves;  // of this declaration; leaving a chunk forgets it
  const jfr::read::Type* leaves_of = nullptr;
};

struct jrec_file {
  explicit jrec_file(std::string its_name) : name(std::move(its_name)) {}

  jrec_status open();
  jrec_status open(std::span<const uint8_t> memory);

  jrec_status next_chunk();
  jrec_status next();
  jrec_type& type_named(std::string_view type_name);

  jrec_status fail(jrec_status status, std::string_view what);  // of the call
  jrec_status damaged(uint64_t offset, std::string what);       // of the file: a problem, too
  jrec_status failed(jrec_status status, uint64_t offset, std::string_view what);
  jrec_status no_room();

  const std::string name;
  std::string error;
  std::string stack_text;  // that was handed out last
  jfr::read::Problems problems;

  // Where it stands. at: nullptr in front of the first event of a chunk.
  uint64_t chunk_number = 0;
  std::optional<jfr::read::Chunk> chunk;
  jfr::read::ChunkExtent extent;
  jfr::read::Event event;
  const jfr::read::Type* event_type = nullptr;
  jrec_type* at = nullptr;
  std::optional<jfr::read::FieldReader> fields;
  std::optional<jfr::c::StackReader> stack_reader;

  bool out_of_memory = false;
  bool selecting = false;
  jrec_type* only = nullptr;  // for the time of a call

  jfr::c::TextTable texts;
  jfr::c::StackTable stacks;

 private:
  std::span<const uint8_t> translated(std::span<const uint8_t> old);
  void leave_chunk();
  jrec_status end();
  bool wanted(const jrec_type& type) const { return only != nullptr ? only == &type : !selecting || type.selected; }
  jrec_type* type_of_event();

  std::span<const uint8_t> bytes_;
  std::optional<jfr::read::MappedFile> mapped_;
  std::vector<uint8_t> translated_;  // of an old recording, in place of what it was made of
  std::optional<jfr::read::ChunkScanner> scanner_;
  std::optional<jfr::read::EventWalk> events_;
  std::vector<jrec_type*> by_index_;  // of the chunk's types, once they were met
  bool undeclared_noted_ = false;     // in this chunk
  bool ended_ = false;
  std::map<std::string, std::unique_ptr<jrec_type>, std::less<>> types_;
};

namespace jfr::c {

// What a value of that field is, in words of jrec.h. inside: its type, boxes opened.
jrec_kind kind_of(const read::Metadata& metadata, const read::Field& field, const read::Type*& inside);

// The fields of a type as a user sees them, structs without a name opened.
void list_leaves(const read::Metadata& metadata, const read::Type& type, std::vector<jrec_type::Leaf>& leaves);

}  // namespace jfr::c
