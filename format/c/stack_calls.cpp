// SPDX-License-Identifier: Apache-2.0
// The calls of jrec.h about stacks.
#include "format/c/calls.h"

using jfr::c::guarded;

namespace {

constexpr size_t kMaxStackText = size_t{64} << 20;  // of real ones some ten thousand bytes

// A zero stands behind it.
std::string_view text_of(const jrec_file& file, uint32_t number) {
  const std::string* const text = file.texts.text(number);
  return text == nullptr ? std::string_view("") : std::string_view(*text);
}

jrec_status no_such_stack(jrec_file& file, uint32_t stack) {
  return file.fail(JREC_USAGE, "no stack has the number " + std::to_string(stack));
}

// Where lines are parted by ";", names have none.
void append_part(std::string_view text, std::string& out) {
  const size_t from = out.size();
  out += text;
  std::replace(out.begin() + static_cast<ptrdiff_t>(from), out.end(), ';', ',');
}

void append_frame(const jrec_file& file, const jfr::c::StackFrame& frame, bool lines, std::string& out) {
  const std::string_view type = text_of(file, frame.type), method = text_of(file, frame.method);
  append_part(type, out);
  if (!type.empty() && !method.empty()) out += '.';  // functions of native code have an empty class in async-profiler's
  append_part(method, out);
  if (type.empty() && method.empty()) out += "[unknown]";
  if (lines && frame.line > 0) out += ':' + std::to_string(frame.line);
}

}  // namespace

jrec_status jrec_stack_size(jrec_file* file, uint32_t stack, size_t* frames, int32_t* truncated) {
  if (frames != nullptr) *frames = 0;
  if (truncated != nullptr) *truncated = 0;
  if (file == nullptr) return JREC_USAGE;
  return guarded(file, [&] {
    if (!file->stacks.has(stack)) return no_such_stack(*file, stack);
    if (frames != nullptr) *frames = file->stacks.frames(stack).size();
    if (truncated != nullptr) *truncated = file->stacks.truncated(stack);
    return JREC_OK;
  });
}

jrec_status jrec_stack_frame(jrec_file* file, uint32_t stack, size_t index, jrec_frame* frame) {
  if (frame == nullptr) return JREC_USAGE;
  *frame = {"", "", "", -1, -1};
  if (file == nullptr) return JREC_USAGE;
  return guarded(file, [&] {
    if (!file->stacks.has(stack)) return no_such_stack(*file, stack);
    const auto frames = file->stacks.frames(stack);
    if (index >= frames.size()) return JREC_END;
    const jfr::c::StackFrame& at = frames[index];
    *frame = {text_of(*file, at.type).data(), text_of(*file, at.method).data(), text_of(*file, at.kind).data(), at.line,
              at.bytecode_index};
    return JREC_OK;
  });
}

jrec_status jrec_stack_frames(jrec_file* file, uint32_t stack, size_t first, size_t room, jrec_frame_numbers* numbers,
                              size_t* frames) {
  if (frames == nullptr) return JREC_USAGE;
  *frames = 0;
  if (file == nullptr || (numbers == nullptr && room != 0)) return JREC_USAGE;
  return guarded(file, [&] {
    if (!file->stacks.has(stack)) return no_such_stack(*file, stack);
    const auto all = file->stacks.frames(stack);
    for (size_t i = first; i < all.size() && *frames < room; ++i)
      numbers[(*frames)++] = {all[i].type, all[i].method, all[i].kind, all[i].line, all[i].bytecode_index};
    return JREC_OK;
  });
}

jrec_status jrec_stack_text(jrec_file* file, uint32_t stack, int32_t lines, const char** text, size_t* length) {
  if (text == nullptr) return JREC_USAGE;
  *text = "";
  if (length != nullptr) *length = 0;
  if (file == nullptr) return JREC_USAGE;
  return guarded(file, [&] {
    if (!file->stacks.has(stack)) return no_such_stack(*file, stack);
    std::string& out = file->stack_text;
    out.clear();
    const auto frames = file->stacks.frames(stack);
    for (size_t i = frames.size(); i-- > 0;) {
      append_frame(*file, frames[i], lines != 0, out);
      if (i != 0) out += ';';
      if (out.size() > kMaxStackText) return file->fail(JREC_LIMIT, "the text of a stack is of more than 64 MiB");
    }
    *text = out.c_str();
    if (length != nullptr) *length = out.size();
    return JREC_OK;
  });
}
