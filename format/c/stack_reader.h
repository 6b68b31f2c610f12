// SPDX-License-Identifier: Apache-2.0
// StackReader makes numbers of the stack traces of one chunk. Each stack, method and kind of frame is decoded once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "format/c/stack_table.h"
#include "format/c/text_table.h"
#include "format/reader/field_value.h"
#include "format/reader/key_table.h"

namespace jfr::c {

class StackReader {
 public:
  static constexpr size_t kMaxFrames = 65536;  // of one stack; what is beyond is dropped, innermost frames stay

  StackReader(read::Chunk& chunk, TextTable& texts, StackTable& stacks)
      : fields_(chunk), texts_(texts), stacks_(stacks) {}

  // Of a value that is a jdk.types.StackTrace. Nothing when there is no room for its texts.
  std::optional<uint32_t> number_of(const read::FieldValue& stack);

 private:
  struct Layout {
    const read::Type* frame = nullptr;
    int method = -1, kind = -1, line = -1, bytecode_index = -1;
  };
  struct Method {
    uint32_t type = 0, name = 0;
  };

  std::optional<uint32_t> decoded(const read::FieldValue& stack);
  bool read_frame(read::Cursor& in, StackFrame& frame);
  void lay_out(const read::Type& frame);
  std::optional<Method> method_of(read::Cursor& in, const read::Field& field);
  std::optional<uint32_t> kind_of(read::Cursor& in, const read::Field& field);
  std::optional<uint32_t> name_of(const read::FieldValue& value, read::KeyTable<uint32_t>& known_names);

  read::FieldReader fields_;
  TextTable& texts_;
  StackTable& stacks_;
  Layout layout_;
  std::vector<StackFrame> frames_;
  std::string text_;
  read::KeyTable<uint32_t> known_stacks_, known_classes_, known_kinds_;
  read::KeyTable<Method> known_methods_;
};

}  // namespace jfr::c
