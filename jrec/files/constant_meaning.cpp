// SPDX-License-Identifier: Apache-2.0
#include "jrec/files/constant_meaning.h"

#include "jrec/files/references.h"
#include "jrec/input/constant_hash.h"

namespace jrec {

using jfr::read::Cursor;
using jfr::read::Type;

uint64_t ConstantMeaning::of(const Type& type, uint64_t at, uint64_t end, int depth) {
  uint64_t meaning = jfr::read::key_hash_seed(), from = at;
  const auto add_bytes = [&](uint64_t to) {
    meaning = jfr::read::hash_key(content_hash(chunk_.bytes().subspan(from, to - from)), meaning);
  };
  Cursor in(chunk_.bytes(), at, end);
  const auto visit = [&](const Reference& reference) {
    add_bytes(reference.at);
    from = reference.end;
    meaning = jfr::read::hash_key(named(reference.type, reference.key, depth + 1), meaning);
  };
  visit_value(in, chunk_.metadata(), type, visit);
  add_bytes(end);
  return meaning;
}

uint64_t ConstantMeaning::named(uint32_t type, uint64_t key, int depth) {
  if (type >= chunk_.metadata().types().size() || depth > kDeepest) return key;
  const Type& named = chunk_.metadata().types()[type];
  const auto [entry, fresh] = known_.try_emplace(constant_name_hash(named.id, key), key);
  if (!fresh) return entry->second;  // inside itself: the key
  Cursor value = chunk_.constants().find(type, key);
  if (!value.ok()) return key;
  const uint64_t at = value.at();
  const auto skip = [](const Reference&) {};
  visit_value(value, chunk_.metadata(), named, skip);
  const uint64_t meaning = of(named, at, value.at(), depth);
  return known_[constant_name_hash(named.id, key)] = meaning;
}

}  // namespace jrec
