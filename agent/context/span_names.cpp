// SPDX-License-Identifier: Apache-2.0
#include "agent/context/span_names.h"

#include <algorithm>
#include <new>

#include "recorder/engine/engine.h"

namespace rec::agent {
namespace {

constexpr std::string_view kOtherName = "[other]";

constinit SpanNames the_names;

// At most so many bytes, and no half of a character.
std::string_view cut_name(std::string_view name) {
  if (name.size() <= SpanNames::kMostBytes) return name;
  size_t end = SpanNames::kMostBytes;
  while (end > 0 && (static_cast<uint8_t>(name[end]) & 0xc0) == 0x80) --end;
  return name.substr(0, end);
}

// FNV-1a.
uint32_t name_hash(std::string_view name) {
  uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  return hash;
}

}  // namespace

SpanNames& span_names() { return the_names; }

SpanNames::Name* SpanNames::name(uint32_t number) const {
  // acquire: pairs with the release in enter(): the text is whole.
  return number > kOther ? nullptr : all_[number].load(std::memory_order_acquire);
}

// slot: where it stands in the index, or may be put.
uint32_t SpanNames::find(std::string_view text, uint32_t& slot) const {
  for (slot = name_hash(text) % kSlots; by_hash_[slot] != 0; slot = (slot + 1) % kSlots)
    if (this->text(by_hash_[slot]) == text) return by_hash_[slot];
  return 0;
}

uint32_t SpanNames::number_of(std::string_view text) {
  text = cut_name(text);
  if (text.empty()) return 0;
  const std::lock_guard<std::mutex> lock(mutex_);
  uint32_t slot = 0;
  if (const uint32_t known = find(text, slot); known != 0) return known;
  if (count_ + 1 == kOther) return enter(kOther, kOtherName);
  const uint32_t number = enter(count_ + 1, text);
  if (number != 0) by_hash_[slot] = static_cast<uint16_t>(number), count_ = number;
  return number;
}

uint32_t SpanNames::enter(uint32_t number, std::string_view text) {
  if (name(number) != nullptr) return number;
  Name* const made = new (std::nothrow) Name;
  if (made == nullptr) return 0;
  made->size = static_cast<uint32_t>(text.size());
  std::ranges::copy(text, made->text.begin());
  // release: pairs with the acquire in name().
  all_[number].store(made, std::memory_order_release);
  return number;
}

uint32_t SpanNames::used(uint32_t number) const {
  if (number == 0) return 0;
  const bool is_given = name(number) != nullptr;
  if (!is_given || number == kOther) Engine::losses().note(Note::kSpanNamesRefused);
  return is_given ? number : 0;
}

std::string_view SpanNames::text(uint32_t number) const {
  const Name* const known = name(number);
  return known == nullptr ? std::string_view() : std::string_view(known->text.data(), known->size);
}

Ref<EncodedFact> SpanNames::tag(Epoch& epoch, uint32_t number) {
  Name* const known = name(number);
  if (known == nullptr) return {};
  return epoch.tag_text(known->tag, {known->text.data(), static_cast<uint16_t>(known->size)});
}

}  // namespace rec::agent
