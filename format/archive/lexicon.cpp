// SPDX-License-Identifier: Apache-2.0
#include "format/archive/lexicon.h"

#include <xxhash.h>

#include <algorithm>

#include "format/archive/chunk_model.h"
#include "format/archive/known_names.h"
#include "format/reader/key_hash.h"

namespace jfr::archive {
namespace {

// What a key stands for; kUnnamed: nothing that is known.
uint32_t number_of(const read::KeyTable<uint32_t>& numbers, uint64_t key) {
  const uint32_t* number = numbers.find(key);
  return number == nullptr ? kUnnamed : *number;
}

template <typename Table, typename Key>
uint32_t number_in(const Table& table, const Key& key) {
  const uint32_t* number = table.find(key);
  return number == nullptr ? kUnnamed : *number;
}

}  // namespace

size_t Lexicon::TextHash::operator()(const WireText& text) const {
  return XXH3_64bits_withSeed(text.text.data(), text.text.size(), read::key_hash_seed());
}

bool take_others(const NameColumns& columns, const std::vector<std::vector<uint64_t>>& fields, size_t at,
                 LexiconMethod& method) {
  size_t other = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i == columns.klass || i == columns.name || i == columns.descriptor) continue;
    if (other == LexiconMethod::kMostOthers) return false;
    method.others[other++] = fields[i][at];
  }
  return true;
}

std::shared_ptr<const Lexicon> Lexicon::of(const Blocks& base, const read::Metadata& metadata, uint64_t values,
                                           std::shared_ptr<const Lexicon> before, const LearnedStacks* learned) {
  const auto lexicon = std::make_shared<Lexicon>();
  if (before) lexicon->begin_with(std::move(before));
  return lexicon->read(base, metadata, values, learned) ? lexicon : nullptr;
}

// But for the calls, which are not complete without those of the last base.
void Lexicon::begin_with(std::shared_ptr<const Lexicon> before) {
  symbols_ = before->symbols_;
  symbol_numbers_ = before->symbol_numbers_;
  methods_ = before->methods_;
  numbers_in_class_ = before->numbers_in_class_;
  method_numbers_ = before->method_numbers_;
  frames_ = before->frames_;
  addresses_ = before->addresses_;
  before_ = std::move(before);
}

bool Lexicon::read(const Blocks& base, const read::Metadata& metadata, uint64_t values, const LearnedStacks* learned) {
  Streams streams;
  ChunkStreams own(streams);
  if (!streams.from_blocks(base, values)) return false;
  const Shapes shapes(metadata, streams);
  const auto columns = NameColumns::of(metadata, shapes);
  if (!columns) return false;
  auto known = KnownNames::of_chunk(before_, *columns, own.names, streams);
  if (!known) return false;
  const uint64_t follows = follows_of(streams, own);
  const bool counted = (follows & kCounted) != 0, addresses_told = (follows & kAddresses) != 0;
  if (!restore_method_keys(streams, own.method_keys, *columns, own.stacks.methods(), &*known, counted) ||
      !read_names(*columns, *known, streams) ||
      !read_addresses(AddressColumns::of(metadata, shapes), addresses_told ? &*known : nullptr, streams))
    return false;
  if (learned == nullptr) return read_stacks(*known, own.stacks, values);
  add_frames(*learned);
  return true;
}

bool Lexicon::read_names(const NameColumns& columns, const KnownNames& known, const Streams& streams) {
  const auto names = known.all_names(streams);
  if (!names) return false;
  add_symbols(*names);
  add_methods(columns, *names);
  return true;
}

// known: those that addresses are told by; null where they stand as they are.
bool Lexicon::read_addresses(const std::optional<AddressColumns>& columns, const KnownNames* known, Streams& streams) {
  if (!columns) return true;
  if (known != nullptr && !known->restore_addresses(*columns, streams)) return false;
  add_addresses(streams.all(columns->methods), streams.all(columns->addresses));
  return true;
}

bool Lexicon::read_stacks(const KnownNames& known, StackModel& stacks, uint64_t most) {
  known.prime(stacks);
  if (!learn(stacks, most)) return false;
  add_frames(stacks.take_learned());
  return true;
}

// Numbers are their places, so the first base's are all there, whatever they are.
void Lexicon::add_symbols(const ChunkNames& names) {
  size_t size = 0;
  for (const WireText& symbol : names.symbols) size += symbol.text.size();
  text_.reserve(size);  // views stay where they are
  for (const WireText& symbol : names.symbols) {
    if (before_ && (symbol.text.empty() || find(symbol) != kUnnamed)) continue;
    const size_t at = text_.size();
    text_.insert(text_.end(), symbol.text.begin(), symbol.text.end());
    symbols_.push_back({symbol.coding, {reinterpret_cast<const char*>(text_.data()) + at, symbol.text.size()}});
    if (!symbol.text.empty()) symbol_numbers_.find_or_add(symbols_.back(), static_cast<uint32_t>(symbols_.size() - 1));
  }
}

void Lexicon::add_methods(const NameColumns& columns, const ChunkNames& names) {
  read::KeyTable<uint32_t> symbols, classes;
  for (size_t i = 0; i < names.symbols.size(); ++i)
    if (!names.symbols[i].text.empty()) symbols.find_or_add(names.symbol_keys[i], find(names.symbols[i]));
  for (size_t i = 0; i < names.class_keys.size(); ++i)
    classes.find_or_add(names.class_keys[i], number_of(symbols, names.class_names[i]));
  for (size_t i = 0; i < names.method_keys.size(); ++i) {
    LexiconMethod method;
    method.klass = number_of(classes, names.method_fields[columns.klass][i]);
    method.name = number_of(symbols, names.method_fields[columns.name][i]);
    method.descriptor = number_of(symbols, names.method_fields[columns.descriptor][i]);
    if (method.klass == kUnnamed || method.name == kUnnamed || method.descriptor == kUnnamed) continue;
    if (!take_others(columns, names.method_fields, i, method)) return;
    const auto number = static_cast<uint32_t>(methods_.size());
    const auto found = method_numbers_.find_or_add(method, number);
    if (found.is_new) {
      methods_.push_back(method);
      numbers_in_class_.push_back(static_cast<uint16_t>(names.method_keys[i]));
    }
    methods_by_key_.find_or_add(names.method_keys[i], found.value);
  }
}

// Of no more methods than there are addresses, whatever the base says.
void Lexicon::add_addresses(const std::vector<uint64_t>& methods, const std::vector<uint64_t>& addresses) {
  read::KeyTable<uint32_t> before;
  for (size_t i = 0; i < std::min(methods.size(), addresses.size()); ++i) {
    const uint32_t number = number_of(methods_by_key_, methods[i]);
    if (number != kUnnamed) addresses_.add(number, before.find_or_add(number).value++, addresses[i]);
  }
}

bool Lexicon::learn(StackModel& stacks, uint64_t most) {
  stacks.make_room();
  for (uint64_t frames = 0; stacks.left() > 0;) {
    stacks.learn();
    frames += stacks.depth() + 1;
    if (!stacks.ok() || frames > most) return false;
  }
  return true;
}

LexiconFrame Lexicon::frame_of(const StackFrame& fields) const {
  return {number_of(methods_by_key_, fields[0]), fields};
}

// Numbers are those that the first base's stacks have for them.
void Lexicon::add_frames(const LearnedStacks& stacks) {
  if (before_) return add_new_frames(stacks);
  for (uint32_t i = 0; i < stacks.frames.size(); ++i) frames_.push_back(frame_of(stacks.frames.fields(i)));
  frames_[0].method = kUnnamed;
  calls_ = stacks.calls;
}

void Lexicon::add_new_frames(const LearnedStacks& stacks) {
  read::KeyTable<uint32_t, StackFrame, FrameHash> known;
  const auto number_in = [&](const LexiconFrame& frame, uint32_t fresh) {
    StackFrame key = frame.frame;
    key[0] = frame.method;
    return known.find_or_add(key, fresh).value;
  };
  for (uint32_t i = 1; i < frames_.size(); ++i)
    if (frames_[i].method != kUnnamed) number_in(frames_[i], i);
  std::vector<uint32_t> numbers(stacks.frames.size());
  for (uint32_t i = 1; i < numbers.size(); ++i) {
    const LexiconFrame frame = frame_of(stacks.frames.fields(i));
    if (frame.method == kUnnamed) continue;
    numbers[i] = number_in(frame, static_cast<uint32_t>(frames_.size()));
    if (numbers[i] == frames_.size()) frames_.push_back(frame);
  }
  calls_ = stacks.calls.renumbered(numbers);
  calls_.add_older(before_->calls_);
}

uint32_t Lexicon::find(const WireText& symbol) const { return number_in(symbol_numbers_, symbol); }
uint32_t Lexicon::find(const LexiconMethod& method) const { return number_in(method_numbers_, method); }

}  // namespace jfr::archive
