// SPDX-License-Identifier: Apache-2.0
// Tagging of loaders, classes and methods: copy first, publish after.
#include <cassert>

#include "recorder/epoch/epoch_take.h"
#include "recorder/spool/fact_check.h"

namespace rec {
namespace {

// acquire: pairs with the exchanges in publish() and publish_method(); the fact is complete.
uint32_t unit_in(const std::atomic<uint32_t>* word) { return word ? word->load(std::memory_order_acquire) : 0; }

// Gives the unit that stands in `word` afterwards: ours, or that of who was faster.
uint32_t publish(std::atomic<uint32_t>& word, uint32_t unit) {
  assert(unit != 0 && "a word of 0 says that there is no tag");
  uint32_t seen = 0;
  // acq_rel: pairs with the acquire in unit_in(); and, where somebody was faster, with this exchange of theirs.
  return word.compare_exchange_strong(seen, unit, std::memory_order_acq_rel) ? unit : seen;
}

}  // namespace

Ref<LoaderFact> Epoch::find_loader(LoaderId id) const { return {unit_in(loaders_.word(static_cast<uint64_t>(id)))}; }
Ref<ClassFact> Epoch::find_class(ClassId id) const { return {unit_in(class_word(id))}; }

// Null: the id is beyond the table.
std::atomic<uint32_t>* Epoch::class_word(ClassId id) const {
  const auto number = static_cast<uint64_t>(id);
  return is_library(id) ? &libraries_[number - kFirstLibraryId] : classes_.word(number);
}

Ref<LoaderFact> Epoch::tag_loader(const LoaderShape& shape) {
  if (const auto known = find_loader(shape.id)) return known;
  std::atomic<uint32_t>* word = loaders_.word(static_cast<uint64_t>(shape.id));
  Arena::Block block;
  if (!word) return refuse(), Ref<LoaderFact>{};
  const auto ref = take<LoaderFact>(shape.name.size, block);
  if (!ref) return {};
  LoaderFact& fact = arena_.fact(ref);
  fact.id = static_cast<uint64_t>(shape.id);
  fact.type = shape.type;
  fact.text_sizes = {shape.name.size};
  char* to = fact.tail();
  if (!copy_text(to, shape.name)) return give_back(block), refuse(), Ref<LoaderFact>{};
  fact.check = fact_check(fact);
  const uint32_t winner = publish(*word, ref.unit);
  if (winner != ref.unit) give_back(block);
  return {winner};
}

Ref<ClassFact> Epoch::tag_class(const ClassShape& shape) {
  if (const auto known = find_class(shape.id)) return known;
  std::atomic<uint32_t>* word = class_word(shape.id);
  if (!word) return refuse(), Ref<ClassFact>{};
  Arena::Block block;
  const size_t texts =
      size_t{shape.name.size} + shape.module_name.size + shape.module_version.size + shape.module_location.size;
  const auto ref = take<ClassFact>(size_t{shape.method_count} * sizeof(uint32_t) + texts, block);
  if (!ref) return {};
  ClassFact& fact = arena_.fact(ref);
  fact.id = static_cast<uint64_t>(shape.id);
  fact.loader = shape.loader;
  fact.modifiers = shape.modifiers;
  fact.method_count = shape.method_count;
  fact.hidden = shape.hidden;
  fact.text_sizes = {shape.name.size, shape.module_name.size, shape.module_version.size, shape.module_location.size};
  char* to = fact.tail() + fact.fixed_tail_bytes();
  const bool copied = copy_text(to, shape.name) && copy_text(to, shape.module_name) &&
                      copy_text(to, shape.module_version) && copy_text(to, shape.module_location);
  if (!copied) return give_back(block), refuse(), Ref<ClassFact>{};
  fact.check = fact_check(fact);
  const uint32_t winner = publish(*word, ref.unit);
  if (winner != ref.unit) give_back(block);
  return {winner};
}

std::atomic<uint32_t>& Epoch::method_word(ClassFact& holder, uint16_t idnum) const {
  return idnum < holder.method_count ? holder.method_tags()[idnum] : holder.overflow;
}

Ref<MethodFact> Epoch::find_in_chain(uint32_t unit, uint16_t idnum, const MethodVersion& version, unsigned walk) const {
  for (; unit != 0 && walk > 0; --walk) {
    const Ref<MethodFact> ref{unit};
    const MethodFact& fact = arena_.fact(ref);
    if (fact.idnum == idnum && fact.version == version) return ref;
    unit = fact.next.unit;
  }
  return {};
}

Ref<MethodFact> Epoch::find_method(Ref<ClassFact> holder, uint16_t idnum, const MethodVersion& version) const {
  assert(holder && "a class is tagged before its methods");
  ClassFact& fact = arena_.fact(holder);
  const unsigned walk = idnum < fact.method_count ? kMaxVersionWalk : kMaxOverflowWalk;
  return find_in_chain(unit_in(&method_word(fact, idnum)), idnum, version, walk);
}

Epoch::NewMethod Epoch::begin_method(const MethodShape& shape) {
  NewMethod made;
  if (!shape.holder) return made;
  const uint32_t lines = shape.lines_size <= kMaxLineTableBytes ? shape.lines_size : 0;
  made.ref = take<MethodFact>(size_t{shape.name.size} + shape.descriptor.size + lines, made.block);
  if (!made) return made;
  MethodFact& fact = arena_.fact(made.ref);
  fact.version = shape.version;
  fact.holder = shape.holder;
  fact.modifiers = shape.modifiers;
  fact.lines_size = lines;
  fact.idnum = shape.idnum;
  fact.hidden = shape.hidden;
  fact.text_sizes = {shape.name.size, shape.descriptor.size};
  char* to = fact.tail();
  if (!copy_text(to, shape.name) || !copy_text(to, shape.descriptor)) return give_up(made), NewMethod{};
  made.lines = {reinterpret_cast<uint8_t*>(to), lines};
  return made;
}

void Epoch::give_up(const NewMethod& made) {
  give_back(made.block);
  refuse();
}

Ref<ClassFact> Epoch::tag_library(const LibraryShape& shape) {
  return tag_class({.id = library_class_id(shape.number),
                    .name = shape.name,
                    .module_name = {reinterpret_cast<const char*>(&shape.place), sizeof shape.place},
                    .module_version = shape.build_id,
                    .module_location = shape.path});
}

namespace {

// Of two places no two are alike, as long as files are shorter than 4 GiB.
uint64_t hash_of_native(Ref<ClassFact> library, uint64_t address) {
  const uint64_t hash = (address ^ uint64_t{library.unit} << 32) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 32;
}
bool is_short(uint64_t address) { return address <= UINT32_MAX; }

}  // namespace

bool Epoch::is_native_at(uint32_t unit, Ref<ClassFact> library, uint64_t address) const {
  const MethodFact& fact = arena_.fact(Ref<MethodFact>{unit});
  return fact.holder == library && fact.version.const_method == address;
}

Ref<MethodFact> Epoch::find_native(Ref<ClassFact> library, uint64_t address) const {
  const uint64_t hash = hash_of_native(library, address);
  if (const uint32_t near = near_natives_.find(hash); near != 0 && is_short(address)) return {near};
  const auto same = [&](uint32_t unit) { return is_native_at(unit, library, address); };
  const uint32_t unit = natives_.find(hash, same);
  if (unit != 0 && is_short(address)) near_natives_.enter(hash, unit);
  return {unit};
}

Ref<MethodFact> Epoch::tag_native(Ref<ClassFact> library, uint64_t address, TextView name) {
  if (!library) return {};
  if (const auto known = find_native(library, address)) return known;
  Arena::Block block;
  const auto ref = take<MethodFact>(name.size, block);
  if (!ref) return {};
  MethodFact& fact = arena_.fact(ref);
  fact.version.const_method = address;
  fact.holder = library;
  fact.idnum = kNoIdnum;
  fact.text_sizes = {name.size, 0};
  char* to = fact.tail();
  if (!copy_text(to, name)) return give_back(block), refuse(), Ref<MethodFact>{};
  fact.check = fact_check(fact);
  const auto same = [&](uint32_t unit) { return is_native_at(unit, library, address); };
  const uint32_t winner = natives_.enter(hash_of_native(library, address), ref.unit, same);
  if (winner != ref.unit) give_back(block);
  if (winner == 0) refuse();
  return {winner};
}

Ref<MethodFact> Epoch::tag_method(const MethodShape& shape) {
  if (!shape.holder) return {};
  if (const auto known = find_method(shape.holder, shape.idnum, shape.version)) return known;
  const NewMethod made = begin_method(shape);
  if (!made) return {};
  if (!made.lines.empty() && !copy(made.lines.data(), shape.lines, made.lines.size()))
    return give_up(made), Ref<MethodFact>{};
  return publish_method(made);
}

Ref<MethodFact> Epoch::publish_method(const NewMethod& made) {
  MethodFact& fact = arena_.fact(made.ref);
  fact.check = fact_check(fact);  // its lines are there now
  std::atomic<uint32_t>& head = method_word(arena_.fact(fact.holder), fact.idnum);
  // acquire: pairs with the exchange below, in who entered `newest`: its record is read in the chain.
  uint32_t newest = head.load(std::memory_order_acquire);
  for (unsigned tries = 0; tries < kPublishTries; ++tries) {
    if (const auto faster = find_in_chain(newest, fact.idnum, fact.version, kMaxVersionWalk))
      return give_back(made.block), faster;
    fact.next = {newest};
    // acq_rel: pairs with the acquire in unit_in() and above; when it fails, with the exchange of who was faster.
    if (head.compare_exchange_weak(newest, made.ref.unit, std::memory_order_acq_rel)) return made.ref;
  }
  return made.ref;  // not in the list, yet a whole fact: good for this one stack
}

}  // namespace rec
