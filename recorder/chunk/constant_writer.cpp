// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/constant_writer.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string>

#include "recorder/spool/line_table.h"

namespace rec {
namespace {

using jfr::ByteSink;
using jfr::TypeId;

// "java/lang/String" -> "java/lang"; "[[Ljava/lang/String;" likewise; empty: the unnamed package, or an array of
// primitives.
std::string_view package_of(std::string_view name) {
  if (name.starts_with('[')) {
    name.remove_prefix(std::min(name.find_first_not_of('['), name.size()));
    if (!name.starts_with('L')) return {};
    name.remove_prefix(1);
  }
  const size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : name.substr(0, slash);
}

// Parts with their lengths, so that ("ab", "c") and ("a", "bc") differ.
void add_part(std::string& content, std::string_view part) {
  content += std::to_string(part.size());
  content += ':';
  content += part;
}

NativeLibrary library_of(ClassFact& fact) {
  const LoadPlace place = FactReader::place(fact);
  return {fact.id, FactReader::text(fact, 3), FactReader::text(fact, 2), place.begin, place.end, place.file};
}

}  // namespace

void ConstantWriter::start_chunk(uint32_t serial) {
  assert(serial != 0 && serial != serial_ && "0 stands in facts that no chunk has, and each chunk has its own serial");
  serial_ = serial;
  segment_.clear();
  native_news_.clear();
  frames_.start_over();
  for (auto& keys : written_) keys.clear();
  for (ContentIds* ids : {&symbols_, &packages_, &modules_, &groups_, &old_objects_, &unnumbered_methods_, &functions_})
    ids->start_chunk(serial, kMaxContentIds);
  threads_.start_chunk(serial);
}

template <typename Fact>
bool ConstantWriter::first_time(Kind kind, uint64_t key, Fact& fact) {
  assert(serial_ != 0 && "start_chunk() comes first");
  if (fact.written_in == serial_) return false;
  fact.written_in = serial_;
  return first_time(kind, key);
}

uint64_t ConstantWriter::symbol(std::string_view text) {
  if (text.empty()) return 0;
  const auto answer = symbols_.id_of(text);
  if (answer.fresh) segment_.pool(TypeId::kSymbol).entry(answer.id).text(text);
  return answer.id;
}

// Of what tools expect to have a name: null would stop them.
uint64_t ConstantWriter::name_symbol(std::string_view text) { return symbol(text.empty() ? "unknown" : text); }

uint64_t ConstantWriter::group(std::string_view name) {
  if (name.empty()) return 0;
  const auto answer = groups_.id_of(name);
  if (!answer.fresh) return answer.id;
  ByteSink& entry = segment_.pool(TypeId::kThreadGroup).entry(answer.id);
  entry.leb(0);  // the parent is not known
  entry.text(name);
  return answer.id;
}

uint64_t ConstantWriter::thread(const FactReader& facts, Ref<ThreadFact> ref) {
  ThreadFact* fact = facts.get(ref);
  if (!fact || fact->id == 0) return 0;
  const auto [key, fresh] = threads_.key_of(fact->id, fact->check);
  if (!fresh) return key;
  const std::string_view java_name = FactReader::text(*fact, 1);
  const uint64_t group_key = group(FactReader::text(*fact, 2));
  ByteSink& entry = segment_.pool(TypeId::kThread).entry(key);
  entry.text(FactReader::text(*fact, 0));
  entry.leb_i64(fact->os_thread_id);
  fact->java_thread_id == 0 && java_name.empty() ? entry.null_text() : entry.text(java_name);
  entry.leb_i64(fact->java_thread_id);
  entry.leb(group_key);
  entry.boolean(fact->is_virtual);
  return key;
}

uint64_t ConstantWriter::boot_loader() {
  if (!first_time(kLoader, kBootLoaderKey)) return kBootLoaderKey;
  const uint64_t name = symbol("bootstrap");
  ByteSink& entry = segment_.pool(TypeId::kClassLoader).entry(kBootLoaderKey);
  entry.leb(0);
  entry.leb(name);
  return kBootLoaderKey;
}

uint64_t ConstantWriter::loader_key(const FactReader& facts, Ref<LoaderFact> ref) {
  LoaderFact* fact = facts.get(ref);
  if (!fact || fact->id == 0) return boot_loader();
  if (first_time(kLoader, fact->id, *fact)) pending_loaders_.push_back(ref);
  return fact->id;
}

// A loader's class has a loader in turn, so a chain of loaders is written in a loop and not by recursion.
void ConstantWriter::write_pending_loaders(const FactReader& facts) {
  while (!pending_loaders_.empty()) {
    LoaderFact& fact = *facts.get(pending_loaders_.back());
    pending_loaders_.pop_back();
    const uint64_t type = fact.type ? class_key(facts, fact.type) : 0;
    const uint64_t name = symbol(FactReader::text(fact, 0));
    ByteSink& entry = segment_.pool(TypeId::kClassLoader).entry(fact.id);
    entry.leb(type);
    entry.leb(name);
  }
}

uint64_t ConstantWriter::module(const FactReader& facts, ClassFact& of) {
  const std::string_view name = FactReader::text(of, 1);
  if (name.empty()) return 0;  // an unnamed module, as JFR has it
  const uint64_t loader = loader_key(facts, of.loader);
  std::string content = std::to_string(loader) + ' ';
  for (size_t n = 1; n < 4; ++n) add_part(content, FactReader::text(of, n));
  const auto [key, fresh] = modules_.id_of(content);
  if (!fresh) return key;
  const uint64_t symbols[] = {symbol(name), symbol(FactReader::text(of, 2)), symbol(FactReader::text(of, 3))};
  ByteSink& entry = segment_.pool(TypeId::kModule).entry(key);
  for (const uint64_t part : symbols) entry.leb(part);
  entry.leb(loader);
  return key;
}

uint64_t ConstantWriter::package(const FactReader& facts, ClassFact& of) {
  const std::string_view name = package_of(FactReader::text(of, 0));
  if (name.empty()) return 0;
  const uint64_t module_key = module(facts, of);
  std::string content = std::to_string(loader_key(facts, of.loader)) + ' ' + std::to_string(module_key) + ' ';
  const auto [key, fresh] = packages_.id_of(content.append(name));
  if (!fresh) return key;
  const uint64_t name_key = symbol(name);
  ByteSink& entry = segment_.pool(TypeId::kPackage).entry(key);
  entry.leb(name_key);
  entry.leb(module_key);
  entry.boolean(module_key == 0);  // known of unnamed modules only
  return key;
}

void ConstantWriter::write_class(const FactReader& facts, ClassFact& fact, uint64_t key) {
  const uint64_t loader = loader_key(facts, fact.loader);
  const uint64_t package_key = package(facts, fact);
  const uint64_t name = name_symbol(FactReader::text(fact, 0));
  ByteSink& entry = segment_.pool(TypeId::kClass).entry(key);
  entry.leb(loader);
  entry.leb(name);
  entry.leb(package_key);
  entry.leb_i32(static_cast<int32_t>(fact.modifiers));
  entry.boolean(fact.hidden);
  if (is_library(static_cast<ClassId>(fact.id))) tell_module(fact, key);
}

void ConstantWriter::tell_module(ClassFact& fact, uint64_t key) {
  const NativeLibrary library = library_of(fact);
  if (!library.has_places()) return;
  native_news_.modules.push_back(
      {key, std::string(library.path), std::string(library.build_id), FactReader::place(fact)});
}

uint64_t ConstantWriter::class_key(const FactReader& facts, Ref<ClassFact> ref) {
  ClassFact* fact = facts.get(ref);
  if (!fact || fact->id == 0) return unknown_class();  // key 0 would read as null
  if (first_time(kClass, fact->id, *fact)) write_class(facts, *fact, fact->id);
  return fact->id;
}

uint64_t ConstantWriter::unknown_class() {
  if (!first_time(kClass, kUnknownKey)) return kUnknownKey;
  const uint64_t loader = boot_loader();
  const uint64_t name = name_symbol({});
  ByteSink& entry = segment_.pool(TypeId::kClass).entry(kUnknownKey);
  entry.leb(loader);
  entry.leb(name);
  entry.leb(0);
  entry.leb_i32(0);
  entry.boolean(false);
  return kUnknownKey;
}

uint64_t ConstantWriter::unknown_method() {
  if (!first_time(kMethod, kUnknownKey)) return kUnknownKey;
  const uint64_t type = unknown_class();
  const uint64_t name = name_symbol({});
  const uint64_t descriptor = symbol("()V");
  ByteSink& entry = segment_.pool(TypeId::kMethod).entry(kUnknownKey);
  entry.leb(type);
  entry.leb(name);
  entry.leb(descriptor);
  entry.leb_i32(0);
  entry.boolean(false);
  return kUnknownKey;
}

// By what tells them apart. Two facts of one such method get one id.
uint64_t ConstantWriter::unnumbered_method(const ClassFact& holder, MethodFact& fact) {
  std::string content = std::to_string(holder.id) + ' ';
  add_part(content, FactReader::text(fact, 0));
  return unnumbered_methods_.id_of(content.append(FactReader::text(fact, 1))).id;
}

uint64_t ConstantWriter::method_key(const FactReader& facts, Ref<MethodFact> ref) {
  MethodFact* fact = facts.get(ref);
  ClassFact* holder = fact ? facts.get(fact->holder) : nullptr;
  if (!holder || holder->id == 0) return unknown_method();
  if (is_library(static_cast<ClassId>(holder->id))) return native_method(facts, *holder, *fact);
  const uint64_t key = fact->idnum == kNoIdnum
                           ? unnumbered_method(*holder, *fact)
                           : static_cast<uint64_t>(method_id(static_cast<ClassId>(holder->id), fact->idnum));
  if (!first_time(kMethod, key, *fact)) return key;
  return write_method(facts, *fact, key, FactReader::text(*fact, 0), FactReader::text(*fact, 1));
}

uint64_t ConstantWriter::write_method(const FactReader& facts, MethodFact& fact, uint64_t key, std::string_view name,
                                      std::string_view descriptor) {
  const uint64_t type = class_key(facts, fact.holder);
  const uint64_t name_key = name_symbol(name);
  const uint64_t descriptor_key = name_symbol(descriptor);
  ByteSink& entry = segment_.pool(TypeId::kMethod).entry(key);
  entry.leb(type);
  entry.leb(name_key);
  entry.leb(descriptor_key);
  entry.leb_i32(static_cast<int32_t>(fact.modifiers));
  entry.boolean(fact.hidden);
  return key;
}

// A function of a library, by its name: places of one function, and copies of it, are one method. Where the library was stripped, by its
// address as well: whoever has all its symbols may find two functions there (jrec symbolize).
uint64_t ConstantWriter::native_method(const FactReader& facts, ClassFact& holder, MethodFact& fact) {
  const NativeLibrary library = library_of(holder);
  const uint64_t address = fact.version.const_method;
  const std::string_view own_name = FactReader::text(fact, 0);  // of a stub of the VM
  const std::string name(own_name.empty() ? native_names_.name_of(library, address) : own_name);
  std::string content = std::to_string(library.id) + ' ';
  if (!native_names_.has_all(library)) content += std::to_string(address) + ' ';
  const uint64_t number = functions_.id_of(content.append(name)).id;
  const uint64_t key = number < kFunctionsEnd ? number : kManyFunctions + number;
  if (fact.written_in != serial_ && library.has_places()) native_news_.functions.push_back({key, address});
  if (!first_time(kMethod, key, fact)) return key;
  return write_method(facts, fact, key, name, "()V");
}

// Until the next one is asked for.
std::span<const uint8_t> ConstantWriter::frame_bytes(const FactReader& facts, const Frame& frame) {
  if (const auto known = frames_.find(frame); !known.empty()) return known;
  const bool has_bci = !(frame.flags & Frame::kNoBci);
  MethodFact* method = has_bci ? facts.get(frame.method) : nullptr;
  frame_.clear();
  frame_.leb(method_key(facts, frame.method));
  frame_.leb_i32(method ? line_of(FactReader::line_table(*method), frame.bci) : 0);
  frame_.leb_i32(has_bci ? frame.bci : is_native_place(frame.type) ? 0 : -1);
  frame_.leb(static_cast<uint8_t>(frame.type));
  frames_.enter(frame, frame_.bytes());
  return frame_.bytes();
}

void ConstantWriter::write_frames(const FactReader& facts, StackFact& fact, uint64_t key) {
  const auto frames = FactReader::frames(fact);
  ByteSink& entry = segment_.pool(TypeId::kStackTrace).entry(key);
  entry.boolean(fact.truncated);
  entry.leb(frames.size());
  for (const Frame& frame : frames) entry.raw(frame_bytes(facts, frame));
}

uint64_t ConstantWriter::stack(const FactReader& facts, Ref<StackFact> ref) {
  StackFact* fact = facts.get(ref);
  if (!fact) return 0;
  if (fact->written_in == serial_) return fact->id;
  fact->written_in = serial_;
  write_frames(facts, *fact, fact->id);
  write_pending_loaders(facts);
  return fact->id;
}

uint64_t ConstantWriter::klass(const FactReader& facts, Ref<ClassFact> ref) {
  if (!ref) return 0;
  const uint64_t key = class_key(facts, ref);
  write_pending_loaders(facts);
  return key;
}

uint64_t ConstantWriter::old_object(const FactReader& facts, Ref<ClassFact> type, uint64_t address) {
  const uint64_t type_key = klass(facts, type);
  const auto [key, fresh] = old_objects_.id_of(std::to_string(type_key) + ' ' + std::to_string(address));
  if (!fresh) return key;
  ByteSink& entry = segment_.pool(TypeId::kOldObject).entry(key);
  entry.leb(address);
  entry.leb(type_key);
  entry.null_text();
  entry.leb(0);  // who refers to it is not known
  return key;
}

uint64_t ConstantWriter::loader_of(const FactReader& facts, Ref<ClassFact> ref) {
  ClassFact* fact = facts.get(ref);
  if (!fact) return 0;
  const uint64_t key = loader_key(facts, fact->loader);
  write_pending_loaders(facts);
  return key;
}

}  // namespace rec
