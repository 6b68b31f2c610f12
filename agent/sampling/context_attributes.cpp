// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/context_attributes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "agent/context/process_context.h"
#include "agent/hotspot/state/thread_context.h"
#include "base/text_lines.h"
#include "recorder/spool/context_event.h"

namespace rec::agent {

Ref<EncodedFact> ContextAttributes::fact(Epoch& epoch, uint64_t record, Ref<EncodedFact> name) {
  ThreadAttributes attributes;
  if (!read_thread_attributes(record, kMostBytes, name.unit, attributes)) return {};
  // acquire: pairs with the release in publish(): the text is whole.
  Keys* const keys = keys_.load(std::memory_order_acquire);
  if (keys == nullptr) return are_told_.store(true, std::memory_order_relaxed), Ref<EncodedFact>();
  const Ref<EncodedFact> key_fact =
      epoch.tag_text(keys->tag, {keys->text.data(), static_cast<uint16_t>(keys->text.size())});
  if (!key_fact) return {};
  const uint64_t hash = attributes.hash ^ (uint64_t{epoch.serial()} << 32 | key_fact.unit);
  Known& known = known_[hash % kKnown];
  // acquire: pairs with the release below, in who has copied them: the fact is whole.
  const bool is_known = known.hash.load(std::memory_order_acquire) == hash;
  const uint64_t unit = known.unit.load(std::memory_order_relaxed) ^ hash;
  if (is_known && unit >> 32 == 0) return {static_cast<uint32_t>(unit)};
  const ContextRefs refs{name, key_fact};
  const Ref<EncodedFact> fact = epoch.copy_encoded({.type = kAttributesFact,
                                                    .fields = reinterpret_cast<const uint8_t*>(&refs),
                                                    .size = sizeof refs,
                                                    .more = {attributes.at, attributes.size}});
  if (!fact) return {};
  known.unit.store(fact.unit ^ hash, std::memory_order_relaxed);
  // release: pairs with the acquire above.
  known.hash.store(hash, std::memory_order_release);
  return fact;
}

void ContextAttributes::open() { tends_ = 0, wait_ = 1, has_looked_ = false; }

void ContextAttributes::tend() {
  if (std::exchange(has_looked_, true) && !are_told_.load(std::memory_order_relaxed)) return;
  if (header_ != 0) return look();
  if (++tends_ < wait_) return;
  tends_ = 0, wait_ = std::min(wait_ * 2, kLongestWait);
  header_ = process_context_in(base::read_own_mappings());
  if (header_ != 0) look();
}

// Once more when it has been changed; another time, if just then.
void ContextAttributes::look() {
  std::array<uint8_t, kProcessContextBytes> bytes{};
  ProcessContextHeader header, again;
  const auto is_there = [&] { return read_process_context(header_, bytes); };
  const auto read = [&](ProcessContextHeader& to) { return is_there() && parse_process_context(bytes, to); };
  if (!is_there()) header_ = 0;
  if (header_ == 0 || !read(header) || header.published_at == published_) return;
  std::vector<uint8_t> payload(header.payload_bytes);
  if (!read_process_context(header.payload, payload) || !read(again) || again.published_at != header.published_at)
    return;
  published_ = header.published_at;
  publish(attribute_keys_of(payload, kMostKeyBytes));
}

void ContextAttributes::publish(std::string keys) {
  if (keys.empty() || all_.size() == kMostKeyMaps || (!all_.empty() && all_.back().text == keys)) return;
  Keys& made = all_.emplace_back();
  made.text = std::move(keys);
  // release: pairs with the acquire in fact().
  keys_.store(&made, std::memory_order_release);
}

}  // namespace rec::agent
