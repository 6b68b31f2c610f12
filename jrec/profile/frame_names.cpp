// SPDX-License-Identifier: Apache-2.0
#include "jrec/profile/frame_names.h"

#include <algorithm>

#include "format/reader/values.h"
#include "jrec/profile/plain_field.h"
#include "jrec/profile/run_marks.h"

namespace jrec {
namespace {

using jfr::read::Cursor;
using jfr::read::Field;
using jfr::read::Type;

// The field if it is a single reference to a constant.
const Field* reference(const Type& type, int index) {
  if (index < 0) return nullptr;
  const Field& field = type.fields[static_cast<size_t>(index)];
  return field.constant && !field.array && field.type != jfr::read::kNoType ? &field : nullptr;
}

}  // namespace

FrameNames::FrameNames(jfr::read::Chunk& chunk, StackTree& tree, const FrameStyle& style)
    : chunk_(chunk), tree_(tree), style_(style), unknown_(tree.intern("[unknown]")) {
  const auto& metadata = chunk.metadata();
  layout_.stack = metadata.find("jdk.types.StackTrace");
  if (layout_.stack == nullptr || !layout_.stack->decodable()) return;
  layout_.truncated = layout_.stack->field("truncated");
  const int frames = layout_.stack->field("frames");
  if (frames < 0) return;
  const Field& field = layout_.stack->fields[static_cast<size_t>(frames)];
  if (!field.array || field.constant || field.kind != jfr::read::Kind::kStruct) return;
  layout_.frame = &metadata.types()[field.type];
  layout_.method = layout_.frame->field("method");
  layout_.type = layout_.frame->field("type");
  if (reference(*layout_.frame, layout_.method) == nullptr) return;
  if (reference(*layout_.frame, layout_.type) == nullptr) layout_.type = -1;
  if (style.lines) layout_.line = integer_field(*layout_.frame, "lineNumber");
  if (style.bci) layout_.bci = integer_field(*layout_.frame, "bytecodeIndex");
  layout_.plain = layout_.frame->only_lebs == layout_.frame->fields.size();
  layout_.frames = frames;
  const size_t integers = layout_.frame->fields.size();
  if (layout_.plain && integers <= PlainFrames::kMostIntegers) plain_.emplace(static_cast<unsigned>(integers));
}

const std::vector<StackTree::Frame>& FrameNames::stack(uint64_t key, bool& truncated) {
  frames_.clear();
  truncated = false;
  if (layout_.frames < 0) return frames_;
  const auto index = static_cast<uint32_t>(layout_.stack - chunk_.metadata().types().data());
  Cursor in = chunk_.constants().find(index, key);
  if (!in.ok()) return frames_;
  for (int i = 0; i < static_cast<int>(layout_.stack->fields.size()) && in.ok(); ++i) {
    const Field& field = layout_.stack->fields[static_cast<size_t>(i)];
    if (i == layout_.frames)
      read_frames(in);
    else if (i == layout_.truncated && is_plain_integer(field))
      truncated = read_integer(in, field.kind) != 0;
    else
      skip_field(in, chunk_.metadata(), field);
  }
  std::reverse(frames_.begin(), frames_.end());
  return frames_;
}

FrameNames::StackBytes FrameNames::find(uint64_t key) {
  StackBytes found;
  if (layout_.frames < 0 || !plain_) return found;
  const auto index = static_cast<uint32_t>(layout_.stack - chunk_.metadata().types().data());
  Cursor in = chunk_.constants().find(index, key);
  const auto& fields = layout_.stack->fields;
  for (size_t i = 0; i < fields.size() && in.ok(); ++i) {
    if (static_cast<int>(i) == layout_.frames) {
      found.count = read_count(in, chunk_.metadata(), fields[i]);
      const uint8_t* const from = in.here();
      if (i + 1 == fields.size())  // a constant's cursor ends with it
        in.skip(in.remaining());
      else
        in.skip_lebs(found.count * layout_.frame->only_lebs);
      found.frames = {from, in.here()};
    } else if (static_cast<int>(i) == layout_.truncated && is_plain_integer(fields[i])) {
      found.truncated = read_integer(in, fields[i].kind) != 0;
    } else {
      skip_field(in, chunk_.metadata(), fields[i]);
    }
  }
  return in.ok() && found.count <= kMaxFrames ? found : StackBytes{};
}

void FrameNames::prefetch(uint64_t key) {
  if (plain_) chunk_.constants().prefetch(static_cast<uint32_t>(layout_.stack - chunk_.metadata().types().data()), key);
}

bool FrameNames::read(const StackBytes& stack, uint64_t count, size_t size) {
  Cursor in(chunk_.bytes(), static_cast<uint64_t>(stack.frames.data() - chunk_.bytes().data()));
  const uint64_t end = in.at() + stack.frames.size();
  read_.clear();
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    const uint64_t at = in.at();
    read_.push_back({next_frame(in), static_cast<uint32_t>(end - at)});
  }
  return in.ok() && in.at() + stack.frames.size() == end + size;
}

void FrameNames::read_frames(Cursor& in) {
  const Field& field = layout_.stack->fields[static_cast<size_t>(layout_.frames)];
  const uint64_t count = read_count(in, chunk_.metadata(), field);
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    const StackTree::Frame frame = next_frame(in);
    if (i < kMaxFrames && in.ok()) frames_.push_back(frame);
  }
}

StackTree::Frame FrameNames::next_frame(Cursor& in) {
  const PlainFrames::Bytes bytes = plain_ ? plain_->bytes_at(in) : PlainFrames::Bytes{};
  if (bytes.size == 0) return read_frame(in);
  if (const StackTree::Frame* const known = plain_->find(bytes)) return in.skip(bytes.size), *known;
  const StackTree::Frame frame = read_frame(in);
  plain_->enter(bytes, frame);
  return frame;
}

StackTree::Frame FrameNames::read_frame(Cursor& in) {
  uint64_t method = 0, type = 0;
  int32_t line = -1, bci = -1;
  const auto& fields = layout_.frame->fields;
  for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
    if (i == layout_.method)
      method = in.leb();
    else if (i == layout_.type)
      type = in.leb();
    else if (i == layout_.line)
      line = static_cast<int32_t>(read_integer(in, fields[static_cast<size_t>(i)].kind));
    else if (i == layout_.bci)
      bci = static_cast<int32_t>(read_integer(in, fields[static_cast<size_t>(i)].kind));
    else if (layout_.plain)
      in.leb();
    else
      skip_field(in, chunk_.metadata(), fields[static_cast<size_t>(i)]);
  }
  return {located_name(method_name(method), line, bci), layout_.type < 0 ? FrameKind::kOther : kind_of(type)};
}

void FrameNames::add_natives(NativeFrames& to) {
  for (const auto& [method, place] : native_places(chunk_))
    if (const uint32_t* const name = methods_.find(method); name != nullptr && *name != unknown_)
      to.add(located_name(*name, 0, layout_.bci < 0 ? -1 : 0), place.library, place.addresses.front(),
             !is_place_only(tree_.names()[*name]));
}

// Line first, where both are asked for. Native code has index 0 and no line.
uint32_t FrameNames::located_name(uint32_t name, int32_t line, int32_t bci) {
  const auto with = [&](char mark, int32_t number) {
    const uint64_t key = uint64_t{name} << 32 | static_cast<uint32_t>(number) << 1 | (mark == '@' ? 1 : 0);
    auto [known, is_new, place] = located_.find_or_add(key);
    if (is_new) known = tree_.intern(tree_.names()[name] + mark + std::to_string(number));
    name = known;
  };
  if (line > 0) with(':', line);
  if (bci >= 0) with('@', bci);
  return name;
}

uint32_t FrameNames::method_name(uint64_t key) {
  auto [known, is_new, place] = methods_.find_or_add(key, unknown_);
  if (!is_new) return known;
  std::string name;
  append_method(key, name);
  if (!name.empty()) known = tree_.intern(name);
  return known;
}

FrameKind FrameNames::kind_of(uint64_t key) {
  auto [known, is_new, place] = kinds_.find_or_add(key, FrameKind::kOther);
  if (!is_new) return known;
  std::string description;
  const Field& field = layout_.frame->fields[static_cast<size_t>(layout_.type)];
  Cursor value = chunk_.constants().find(field.type, key);
  const Type& type = chunk_.metadata().types()[field.type];
  if (value.ok() && !type.fields.empty() && chunk_.append_text(value, type.fields[0], description))
    known = frame_kind_of(description);
  return known;
}

// java.lang.String.length
void FrameNames::append_method(uint64_t key, std::string& out) {
  const Field& field = *reference(*layout_.frame, layout_.method);
  const Type& method = chunk_.metadata().types()[field.type];
  Cursor in = chunk_.constants().find(field.type, key);
  if (!in.ok()) return;
  std::string name;
  for (const Field& part : method.fields) {
    if (part.name == "type" && part.constant && !part.array && part.type != jfr::read::kNoType)
      out += class_name(part.type, in.leb());
    else if (part.name == "name")
      chunk_.append_text(in, part, name);
    else
      skip_field(in, chunk_.metadata(), part);
  }
  if (!out.empty() && !name.empty()) out += '.';
  out += name;
}

// All of one type: that of a method's holder.
const std::string& FrameNames::class_name(uint32_t type, uint64_t key) {
  const auto known = classes_.find_or_add(key);
  if (!known.is_new) return known.value;
  Cursor in = chunk_.constants().find(type, key);
  if (!in.ok()) return known.value;
  for (const Field& part : chunk_.metadata().types()[type].fields) {
    if (part.name == "name") {
      chunk_.append_text(in, part, known.value);
      break;
    }
    skip_field(in, chunk_.metadata(), part);
  }
  if (style_.across_runs) drop_run_marks(known.value);
  if (style_.simple) known.value.erase(0, known.value.rfind('/') + 1);
  std::replace(known.value.begin(), known.value.end(), '/', '.');
  return known.value;
}

}  // namespace jrec
