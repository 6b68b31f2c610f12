// SPDX-License-Identifier: Apache-2.0
#include "recorder/epoch/lease.h"

#include <algorithm>
#include <cassert>

#include "recorder/spool/limits.h"

namespace rec {
namespace {

TextView view(const std::string& text) {
  assert(text.size() <= UINT16_MAX && "it comes from a fact, whose texts have 16 bits for their sizes");
  return {text.data(), static_cast<uint16_t>(text.size())};
}

template <typename Fact>
std::string owned_text(Fact& fact, size_t n) {
  return std::string(FactReader::text(fact, n));
}

template <typename Owned, typename Id>
size_t index_of(const std::vector<Owned>& all, Id id) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Owned& one) { return one.id == id; });
  return found == all.end() ? SIZE_MAX : static_cast<size_t>(found - all.begin());
}

}  // namespace

size_t Lease::own_loader(const FactReader& facts, Ref<LoaderFact> ref) {
  LoaderFact* fact = facts.get(ref);
  if (!fact) return kNone;
  const auto id = static_cast<LoaderId>(fact->id);
  if (const size_t known = index_of(loaders_, id); known != kNone) return known;
  const size_t index = loaders_.size();
  loaders_.push_back({id, owned_text(*fact, 0), kNone});
  const size_t type = own_class(facts, fact->type);  // may come back to this loader, and finds it
  loaders_[index].type = type;
  return index;
}

size_t Lease::own_class(const FactReader& facts, Ref<ClassFact> ref) {
  ClassFact* fact = facts.get(ref);
  if (!fact) return kNone;
  const auto id = static_cast<ClassId>(fact->id);
  if (const size_t known = index_of(classes_, id); known != kNone) return known;
  const size_t index = classes_.size();
  classes_.push_back({id, kNone, fact->modifiers, fact->hidden, fact->method_count, owned_text(*fact, 0),
                      owned_text(*fact, 1), owned_text(*fact, 2), owned_text(*fact, 3)});
  const size_t loader = own_loader(facts, fact->loader);
  classes_[index].loader = loader;
  return index;
}

size_t Lease::own_method(const FactReader& facts, Ref<MethodFact> ref) {
  MethodFact* fact = facts.get(ref);
  if (!fact) return kNone;
  const size_t holder = own_class(facts, fact->holder);
  const auto lines = FactReader::line_table(*fact);
  methods_.push_back({holder, fact->idnum, fact->version, fact->modifiers, fact->hidden, owned_text(*fact, 0),
                      owned_text(*fact, 1), std::string(lines.begin(), lines.end())});
  return methods_.size() - 1;
}

void Lease::take_stack(Epoch& epoch, Ref<StackFact> stack) {
  const FactReader facts = epoch.facts();
  StackFact* fact = facts.get(stack);
  if (!fact) return;
  frames_.clear();
  methods_.clear();
  for (const Frame& frame : FactReader::frames(*fact)) frames_.push_back({own_method(facts, frame.method), frame});
  truncated_ = fact->truncated;
  has_stack_ = true;
}

void Lease::take_loader(Epoch& epoch, Ref<LoaderFact> loader) { loader_ = own_loader(epoch.facts(), loader); }

Ref<LoaderFact> Lease::tag_loader(Epoch& epoch, size_t index, unsigned depth) const {
  if (index == kNone) return {};
  const OwnedLoader& owned = loaders_[index];
  if (const auto known = epoch.find_loader(owned.id)) return known;
  return epoch.tag_loader({.id = owned.id, .name = view(owned.name), .type = tag_class(epoch, owned.type, depth + 1)});
}

void Lease::take_class(Epoch& epoch, Ref<ClassFact> klass) { class_ = own_class(epoch.facts(), klass); }

// depth: a loader's class has a loader in turn. The chain ends at the boot loader; a broken one ends at the limit,
// unnamed.
Ref<ClassFact> Lease::tag_class(Epoch& epoch, size_t index, unsigned depth) const {
  if (index == kNone || depth > kMaxLoaderDepth) return {};
  const OwnedClass& owned = classes_[index];
  if (const auto known = epoch.find_class(owned.id)) return known;
  return epoch.tag_class({.id = owned.id,
                          .loader = tag_loader(epoch, owned.loader, depth),
                          .modifiers = owned.modifiers,
                          .hidden = owned.hidden,
                          .method_count = owned.method_count,
                          .name = view(owned.name),
                          .module_name = view(owned.module_name),
                          .module_version = view(owned.module_version),
                          .module_location = view(owned.module_location)});
}

Ref<MethodFact> Lease::tag_method(Epoch& epoch, size_t index) const {
  if (index == kNone) return {};
  const OwnedMethod& owned = methods_[index];
  const auto holder = tag_class(epoch, owned.holder, 0);
  if (!holder) return {};
  return epoch.tag_method({.holder = holder,
                           .idnum = owned.idnum,
                           .version = owned.version,
                           .modifiers = owned.modifiers,
                           .hidden = owned.hidden,
                           .name = view(owned.name),
                           .descriptor = view(owned.descriptor),
                           .lines = reinterpret_cast<const uint8_t*>(owned.line_table.data()),
                           .lines_size = static_cast<uint32_t>(owned.line_table.size())});
}

Ref<StackFact> Lease::retag_stack(Epoch& epoch, uint32_t samples) const {
  if (!has_stack_) return {};
  std::vector<Frame> frames;
  for (const OwnedFrame& owned : frames_) {
    frames.push_back(owned.frame);
    frames.back().method = tag_method(epoch, owned.method);
  }
  return epoch.intern_stack(frames, truncated_, samples);
}

Ref<ClassFact> Lease::retag_class(Epoch& epoch) const { return tag_class(epoch, class_, 0); }

Ref<LoaderFact> Lease::retag_loader(Epoch& epoch) const { return tag_loader(epoch, loader_, 0); }

}  // namespace rec
