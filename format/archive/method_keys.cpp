// SPDX-License-Identifier: Apache-2.0
#include "format/archive/method_keys.h"

#include <numeric>

#include "base/leb128.h"

namespace jfr::archive {
namespace {

constexpr uint64_t kKeys = 1, kFrames = 2;
using Numbers = std::vector<uint64_t>;

size_t size_of(const Numbers& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), size_t{0},
                         [](size_t sum, uint64_t number) { return sum + base::leb_size(number); });
}

// What keys should be, one after the other, by the keys so far.
class KeyGuess {
 public:
  // The classes of methods that are no known names stand in a column.
  KeyGuess(const Streams& streams, const NameColumns& columns, const KnownNames* names, bool counted)
      : classes_(streams.all(columns.method_fields[columns.klass].stream)), names_(names), counted_(counted) {}

  // Of method `i`, the next one. Nothing: that column is too short.
  std::optional<uint64_t> next(size_t i) {
    const auto known = names_ == nullptr ? std::nullopt : names_->key_guess(i);
    if (!known && at_ == classes_.size()) return std::nullopt;
    in_class_ = known ? *known : classes_[at_++] << 16;
    return counted_ && counting_.find(in_class_ >> 16) != nullptr ? last_ + 1 : in_class_;
  }
  // What it is.
  void learn(uint64_t key) {
    if (!counted_ || key >> 16 == in_class_ >> 16) return;
    counting_.find_or_add(in_class_ >> 16);
    last_ = key;
  }

 private:
  const Numbers classes_;
  const KnownNames* const names_;
  const bool counted_;
  size_t at_ = 0;
  uint64_t in_class_ = 0, last_ = 0;
  read::KeyTable<uint8_t> counting_;  // classes whose methods have other keys
};

Numbers numbered_frames(const Numbers& frames, const Numbers& methods) {
  read::KeyTable<uint32_t> numbers;
  for (size_t i = 0; i < methods.size(); ++i) numbers.find_or_add(methods[i], static_cast<uint32_t>(i));
  Numbers coded;
  uint64_t next = 0;
  for (const uint64_t key : frames) {
    const uint32_t* number = numbers.find(key);
    coded.push_back(number == nullptr ? 0 : zigzag(*number - next) + 1);
    if (number == nullptr) coded.push_back(key);
    if (number != nullptr) next = uint64_t{*number} + 1;
  }
  return coded;
}

bool named_frames(const Numbers& coded, const Numbers& methods, Numbers& frames) {
  uint64_t next = 0;
  for (size_t i = 0; i < coded.size(); ++i) {
    if (coded[i] == 0) {
      if (++i == coded.size()) return false;
      frames.push_back(coded[i]);
      continue;
    }
    const uint64_t number = next + unzigzag(coded[i] - 1);
    if (number >= methods.size()) return false;
    frames.push_back(methods[number]);
    next = number + 1;
  }
  return true;
}

}  // namespace

void code_method_keys(Streams& streams, const MethodKeyStreams& own, const NameColumns& columns, uint32_t frames,
                      const KnownNames* names, bool counted) {
  const Numbers methods = streams.all(columns.method_keys), of_frames = streams.all(frames);
  Numbers guessed;
  uint64_t coded = 0;
  KeyGuess guesses(streams, columns, names, counted);
  for (size_t i = 0; i < methods.size(); ++i) {
    const auto guess = guesses.next(i);
    if (!guess) return;
    guessed.push_back(zigzag(methods[i] - *guess));
    guesses.learn(methods[i]);
  }
  Numbers numbered = numbered_frames(of_frames, methods);
  if (size_of(guessed) < size_of(methods)) {
    streams.numbers(columns.method_keys).values = std::move(guessed);
    coded |= kKeys;
  }
  if (size_of(numbered) < size_of(of_frames)) {
    streams.numbers(frames).values = std::move(numbered);
    coded |= kFrames;
  }
  if (coded != 0) streams.numbers(own.coded).put(coded);
}

bool restore_method_keys(Streams& streams, const MethodKeyStreams& own, const NameColumns& columns, uint32_t frames,
                         KnownNames* names, bool counted) {
  const uint64_t coded = streams.numbers(own.coded).in.left() > 0 ? streams.next(own.coded) : 0;
  Numbers methods = streams.all(columns.method_keys), of_frames;
  if ((coded & kKeys) != 0) {
    KeyGuess guesses(streams, columns, names, counted);
    for (size_t i = 0; i < methods.size(); ++i) {
      const auto guess = guesses.next(i);
      if (!guess) return false;
      methods[i] = *guess + unzigzag(methods[i]);
      guesses.learn(methods[i]);
    }
    streams.replace(columns.method_keys, methods);
  }
  if ((coded & kFrames) != 0) {
    if (!named_frames(streams.all(frames), methods, of_frames)) return false;
    streams.replace(frames, of_frames);
  }
  return names == nullptr || names->learn_methods(methods);
}

}  // namespace jfr::archive
