// SPDX-License-Identifier: Apache-2.0
#include "agent/hotspot/walk/tagger.h"

#include "agent/hotspot/vm/line_reader.h"
#include "agent/hotspot/vm/method_parts.h"
#include "agent/hotspot/walk/library_numbers.h"
#include "agent/hotspot/walk/vm_code.h"

namespace rec::agent {
namespace {

constexpr int kMaxLoaderDepth = 8;     // a loader's class has a loader, whose class has one ...
constexpr uint16_t kHiddenMethod = 8;  // Method::_hidden, to 17
constexpr uint16_t kMaxHiddenScan = 512;

// The name of a hidden class has a '+' before its suffix (JEP 371; Foo+0x00007f...), which no other class's name may
// have.
bool is_hidden_name(const TextView& name) {
  char text[kMaxHiddenScan];
  const uint16_t size = name.size < kMaxHiddenScan ? name.size : kMaxHiddenScan;
  const char* from = name.address + (name.size - size);  // the suffix is at the end
  if (!safe_copy(text, from, size)) return false;
  for (uint16_t i = 0; i + 2 < size; ++i)
    if (text[i] == '+' && text[i + 1] == '0' && text[i + 2] == 'x') return true;
  return false;
}

// Of the name or descriptor: index says which.
uint64_t symbol_of(const Layout& layout, uint64_t const_method, uint32_t index) {
  return pool_symbol(layout, u64_at(const_method + layout.const_method.constants), u16_at(const_method + index));
}

void read_module(const Layout& layout, uint64_t klass, ClassShape& shape) {
  if (layout.instance_klass.package == kAbsent) return;
  const uint64_t package = u64_at(klass + layout.instance_klass.package);
  if (package == 0) return;
  const uint64_t module = u64_at(package + layout.package.module);
  if (module == 0) return;
  shape.module_name = symbol_text(layout, u64_at(module + layout.module.name));
  if (shape.module_name.address == nullptr) return;
  if (layout.module.version != kAbsent)
    shape.module_version = symbol_text(layout, u64_at(module + layout.module.version));
  if (layout.module.location != kAbsent)
    shape.module_location = symbol_text(layout, u64_at(module + layout.module.location));
}

// "[[Ljava/lang/String;": a class without methods of its own, in the module of what it is made of.
bool is_array_name(const TextView& name) {
  char first = 0;
  return name.size > 1 && safe_copy(&first, name.address, 1) && first == '[';
}

// Arrays of primitives have no package that one would look for. The bottom of others may be one of primitives, too
// ("[[I"): that has none either.
void read_array_module(const Layout& layout, uint64_t klass, ClassShape& shape) {
  char last = 0;
  if (layout.array_klass.bottom == kAbsent || !safe_copy(&last, shape.name.address + shape.name.size - 1, 1)) return;
  if (last == ';') read_module(layout, u64_at(klass + layout.array_klass.bottom), shape);
}

FrameType type_of(const RawFrame& raw) {
  constexpr uint8_t kC2 = 4;
  return raw.type == FrameType::kJit && raw.level > 0 && raw.level < kC2 ? FrameType::kC1 : raw.type;
}

TextView text_view(const std::string& text) {
  return {text.data(), static_cast<uint16_t>(text.size() < UINT16_MAX ? text.size() : 0)};
}

}  // namespace

// The method's place in its class, the same for each redefined version. The linkers that the VM makes for method
// handles (invokeBasic, linkToStatic, ..., one for each shape of arguments) are native methods that stand in no class,
// though they name one: they have none. An older version of a redefined native method stands in none either, but the
// newest at its place has its name.
uint16_t method_number_of(const Layout& layout, uint64_t method, uint64_t const_method, uint64_t klass) {
  const uint16_t idnum = u16_at(const_method + layout.const_method.orig_idnum);
  if (!is_native(layout, method)) return idnum;
  const uint64_t methods = u64_at(klass + layout.instance_klass.methods);
  if (idnum >= u32_at(methods)) return kNoIdnum;
  const uint64_t newest = u64_at(methods + layout.instance_klass.method_array_data + 8ull * idnum);
  if (newest == method) return idnum;
  const uint64_t newest_const = u64_at(newest + layout.method.const_method);
  const auto same = [&](uint32_t index) {
    return symbol_of(layout, const_method, index) == symbol_of(layout, newest_const, index);
  };
  return same(layout.const_method.name) && same(layout.const_method.signature) ? idnum : kNoIdnum;
}

ClassId class_id_of(const Layout& layout, uint64_t klass) {
  return static_cast<ClassId>(u64_at(klass + layout.klass.trace_id) >> 16);
}

Frame Tagger::frame(const RawFrame& raw) {
  Frame frame;
  frame.method = is_native_place(raw.type) ? native_place(native_library(raw.method), native_address(raw.method))
                                           : method(raw.method);
  frame.type = type_of(raw);
  frame.bci = raw.bci < 0 ? 0 : static_cast<uint16_t>(raw.bci);
  frame.flags = raw.bci < 0 ? Frame::kNoBci : 0;
  return frame;
}

Tagger::Stack Tagger::stack(const Walk& walk, const RawFrame* raw, LastWalk* last, Frame* tags) {
  if (last != nullptr) return stack_on(walk, raw, *last);
  Stack stack;
  for (uint32_t i = 0; i < walk.count; ++i) {
    tags[i] = frame(raw[i]);
    stack.unnamed += tags[i].method ? 0 : 1;
  }
  stack.frames = hashed({tags, walk.count});
  return stack;
}

Tagger::Stack Tagger::stack_on(const Walk& walk, const RawFrame* raw, LastWalk& last) {
  Stack stack;
  const uint32_t kept = last.kept_frames(), all = kept + walk.count;
  stack.unnamed = last.tags_serial() == epoch_.serial() ? retag_kept(walk, last) : retag_all(walk, last);
  for (uint32_t i = 0; i < walk.count; ++i) {
    Frame& tag = last.tag(all - 1 - i);
    tag = frame(raw[i]);
    stack.unnamed += tag.method ? 0 : 1;
  }
  const uint64_t hash = last.hash_on(kept, all);
  last.adopt(raw, walk.count, epoch_.serial());
  const std::span<const Frame> frames{all == 0 ? nullptr : &last.tag(all - 1), walk.count + walk.kept};
  stack.frames = walk.kept == kept ? HashedFrames{frames, hash} : hashed(frames);
  return stack;
}

// Those that may not stay as they are, from the top down to where the stack is cut: what lies below has not been looked
// at.
uint32_t Tagger::retag_kept(const Walk& walk, LastWalk& last) {
  const uint32_t count = last.kept_frames();
  uint32_t unnamed = 0, changed = count;
  for (uint32_t next = last.unsettled_in(count); next > count - walk.kept; next = last.unsettled_in(next - 1)) {
    Frame& tag = last.tag(next - 1);
    const Frame now = frame(last.raw(next - 1));
    if (!(now == tag)) changed = next - 1;
    tag = now;
    unnamed += tag.method ? 0 : 1;
  }
  if (changed < count) last.hash_on(changed, count);
  return unnamed;
}

uint32_t Tagger::retag_all(const Walk& walk, LastWalk& last) {
  const uint32_t count = last.kept_frames();
  uint32_t unnamed = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const bool shown = i >= count - walk.kept;  // what is not shown has not been looked at
    last.tag(i) = shown ? frame(last.raw(i)) : Frame{};
    unnamed += shown && !last.tag(i).method ? 1 : 0;
  }
  last.hash_on(0, count);
  return unnamed;
}

Ref<MethodFact> Tagger::method(uint64_t method) {
  MethodParts parts;
  if (!read_parts(layout_, method, parts)) return {};
  const auto [const_method, constants, klass] = parts;
  const ClassId id = class_id_of(layout_, klass);
  if (id == ClassId::kNone) return {};
  MethodVersion version;
  version.const_method = const_method;
  version.constants = constants;
  version.code_size = u16_at(const_method + layout_.const_method.code_size);
  const uint64_t line_table = line_table_of(layout_, const_method);
  if (line_table != 0) version.line_table_head = u64_at(line_table);
  const uint16_t idnum = method_number_of(layout_, method, const_method, klass);
  Ref<ClassFact> holder = epoch_.find_class(id);
  if (!holder) holder = class_of(klass);
  if (!holder) return {};
  if (const Ref<MethodFact> known = epoch_.find_method(holder, idnum, version)) return known;
  return first_use(method, const_method, constants, holder, idnum, version);
}

Ref<ClassFact> Tagger::library(uint16_t number) {
  if (const Ref<ClassFact> known = epoch_.find_class(library_class_id(number))) return known;
  const LibraryIdentity* identity = library_numbered(number);
  if (identity == nullptr) return {};
  return epoch_.tag_library(
      {number, text_view(identity->name), text_view(identity->build_id), text_view(identity->path), identity->place()});
}

Ref<MethodFact> Tagger::native_place(uint16_t library, uint64_t address) {
  if (library != last_library_ || !last_holder_) last_holder_ = this->library(last_library_ = library);
  const Ref<ClassFact> holder = last_holder_;
  if (!holder) return {};
  if (const Ref<MethodFact> known = epoch_.find_native(holder, address)) return known;
  return epoch_.tag_native(holder, address, library == kStubs ? stub_text(address) : TextView{});
}

Ref<MethodFact> Tagger::first_use(uint64_t method, uint64_t const_method, uint64_t constants, Ref<ClassFact> holder,
                                  uint16_t idnum, const MethodVersion& version) {
  const auto symbol_at = [&](uint32_t index_offset) {
    return pool_text(layout_, constants, u16_at(const_method + index_offset));
  };
  MethodShape shape;
  shape.holder = holder;
  shape.idnum = idnum;
  shape.version = version;
  shape.modifiers = access_flags_of(layout_, method) & kMethodModifiers;
  shape.hidden = layout_.method.flags != kAbsent && (u16_at(method + layout_.method.flags) & kHiddenMethod) != 0;
  shape.name = symbol_at(layout_.const_method.name);
  shape.descriptor = symbol_at(layout_.const_method.signature);
  if (shape.name.address == nullptr || shape.descriptor.address == nullptr) return {};
  shape.lines_size = measure_lines(layout_, const_method);
  const Epoch::NewMethod made = epoch_.begin_method(shape);
  if (!made) return {};
  if (!write_lines(layout_, const_method, made.lines)) return epoch_.give_up(made), Ref<MethodFact>{};
  return epoch_.publish_method(made);
}

Ref<ClassFact> Tagger::class_of(uint64_t klass, int depth) {
  const ClassId id = class_id_of(layout_, klass);
  if (klass == 0 || id == ClassId::kNone) return {};
  if (const Ref<ClassFact> known = epoch_.find_class(id)) return known;
  ClassShape shape = class_shape_of(layout_, klass);
  if (shape.name.address == nullptr) return {};
  shape.loader = loader_of(u64_at(klass + layout_.klass.loader_data), depth);
  return epoch_.tag_class(shape);
}

// The boot loader has no class of its own: nothing stands for it.
Ref<LoaderFact> Tagger::loader_of(uint64_t loader_data, int depth) {
  if (layout_.loader_data.trace_id == kAbsent || layout_.loader_data.klass == kAbsent || loader_data == 0) return {};
  const uint64_t loader_class = u64_at(loader_data + layout_.loader_data.klass);
  const auto id = static_cast<LoaderId>(u64_at(loader_data + layout_.loader_data.trace_id) >> 16);
  if (loader_class == 0 || id == LoaderId::kNone || depth >= kMaxLoaderDepth) return {};
  if (const Ref<LoaderFact> known = epoch_.find_loader(id)) return known;
  LoaderShape shape;
  shape.id = id;
  shape.name = symbol_text(layout_, u64_at(loader_data + layout_.loader_data.name));
  shape.type = class_of(loader_class, depth + 1);
  return epoch_.tag_loader(shape);
}

LoaderId loader_id_of(const Layout& layout, uint64_t klass) {
  if (layout.loader_data.trace_id == kAbsent || layout.loader_data.klass == kAbsent) return LoaderId::kNone;
  const uint64_t loader_data = u64_at(klass + layout.klass.loader_data);
  if (u64_at(loader_data + layout.loader_data.klass) == 0) return LoaderId::kNone;
  return static_cast<LoaderId>(u64_at(loader_data + layout.loader_data.trace_id) >> 16);
}

bool class_is_named(const Layout& layout, uint64_t klass, std::string_view name) {
  const TextView text = symbol_text(layout, u64_at(klass + layout.klass.name));
  std::array<char, 64> copy;  // no longer ones are asked for
  return text.size == name.size() && name.size() <= copy.size() && safe_copy(copy.data(), text.address, name.size()) &&
         std::string_view(copy.data(), name.size()) == name;
}

ClassShape class_shape_of(const Layout& layout, uint64_t klass) {
  ClassShape shape;
  shape.id = class_id_of(layout, klass);
  shape.name = symbol_text(layout, u64_at(klass + layout.klass.name));
  if (shape.name.address == nullptr) return shape;
  shape.hidden = is_hidden_name(shape.name);
  if (layout.klass.access_flags != kAbsent)
    shape.modifiers = u16_at(klass + layout.klass.access_flags) & kClassModifiers;
  if (is_array_name(shape.name)) return read_array_module(layout, klass, shape), shape;
  const uint32_t count = u32_at(u64_at(klass + layout.instance_klass.methods));  // Array::_length comes first
  shape.method_count = count < 0xffff ? static_cast<uint16_t>(count) : 0xffff;
  read_module(layout, klass, shape);
  return shape;
}

}  // namespace rec::agent
