// SPDX-License-Identifier: Apache-2.0
#include "agent/threads/frame_table.h"

#include <algorithm>

#include "agent/hotspot/vm/symbols.h"

namespace rec::agent {
namespace {

bool copy(const TextView& from, std::string& to) {
  to.resize(from.size);
  return copy_text(from, to.data());
}

// As HotSpot writes it: "Foo$$Lambda/0x00007f0123456789" for the symbol Foo$$Lambda+0x... of a hidden class
// (Klass::external_name).
void make_external(std::string& name) {
  std::replace(name.begin(), name.end(), '/', '.');
  if (const size_t hidden = name.rfind("+0x"); hidden != std::string::npos) name[hidden] = '/';
}

uint64_t mixed(uint64_t value) {
  value ^= value >> 32;
  value *= 0x9e3779b97f4a7c15ull;
  return value ^ value >> 29;
}

}  // namespace

// Of the key, or of the free slot where it belongs.
size_t FrameTable::place_of(const FrameKey& key) const {
  const size_t mask = slots_.size() - 1;
  size_t at = mixed(key.method + mixed(static_cast<uint32_t>(key.bci))) & mask;
  while (slots_[at].frame != kUnknownFrame && !(slots_[at].key == key)) at = (at + 1) & mask;
  return at;
}

uint32_t FrameTable::find(const FrameKey& key) const { return slots_[place_of(key)].frame; }

uint32_t FrameTable::add(const FrameFacts& facts) {
  const size_t at = place_of(facts.key);
  if (slots_[at].frame != kUnknownFrame) return slots_[at].frame;
  DumpFrame frame;
  std::string* const texts[] = {&frame.klass, &frame.name, &frame.file, &frame.module, &frame.module_version};
  for (int i = 0; i < FrameFacts::kTexts; ++i)
    if (!copy(facts.text(i), *texts[i])) return kUnknownFrame;
  make_external(frame.klass);
  frame.line = facts.line;
  frame.native = facts.native;
  frames_.push_back(std::move(frame));
  const auto index = static_cast<uint32_t>(frames_.size() - 1);
  slots_[at] = {facts.key, index};
  if (++used_ * 2 > slots_.size()) grow();
  return index;
}

void FrameTable::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old)
    if (slot.frame != kUnknownFrame) slots_[place_of(slot.key)] = slot;
}

}  // namespace rec::agent
