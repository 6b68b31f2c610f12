// SPDX-License-Identifier: Apache-2.0
#include "format/archive/known_names.h"

#include <algorithm>

#include "base/leb128.h"

namespace jfr::archive {
namespace {

template <typename Value, typename Key>
Value found_or(const read::KeyTable<Value>& table, Key key, Value none) {
  const Value* found = table.find(key);
  return found == nullptr ? none : *found;
}

void write_numbers(const std::vector<uint32_t>& numbers, NumberStream& to) {
  uint64_t before = ~uint64_t{0};
  for (const uint32_t number : numbers) {
    to.put(number == kUnnamed ? 0 : zigzag(number - before - 1) + 1);
    if (number != kUnnamed) before = number;
  }
}

bool read_numbers(const std::vector<uint64_t>& from, size_t known, std::vector<uint32_t>& numbers) {
  uint64_t before = ~uint64_t{0};
  for (const uint64_t value : from) {
    const uint64_t number = before + 1 + unzigzag(value - 1);
    if (value != 0 && number >= known) return false;
    numbers.push_back(value == 0 ? kUnnamed : static_cast<uint32_t>(number));
    if (value != 0) before = number;
  }
  return true;
}

// The known ones in their places and the others between them; more or fewer than there are places if these do not fit.
template <typename Value, typename Known>
std::vector<Value> in_places(const std::vector<uint32_t>& numbers, std::span<const Value> others, const Known& known) {
  std::vector<Value> all;
  for (const uint32_t number : numbers) {
    if (number == kUnnamed && others.empty()) return {};
    all.push_back(number == kUnnamed ? others.front() : known(number));
    if (number == kUnnamed) others = others.subspan(1);
  }
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace

KnownNames::KnownNames(std::shared_ptr<const Lexicon> lexicon, NameColumns columns)
    : lexicon_(std::move(lexicon)), columns_(std::move(columns)) {}

KnownNames::KnownNames(std::shared_ptr<const Lexicon> lexicon, NameColumns columns, const ChunkNames& names)
    : KnownNames(std::move(lexicon), std::move(columns)) {
  for (const WireText& symbol : names.symbols)
    symbols_.push_back(symbol.text.empty() ? kUnnamed : lexicon_->find(symbol));
  learn_symbols(names.symbol_keys);
  learn_classes(names.class_keys, names.class_names);
  for (size_t i = 0; i < names.method_keys.size(); ++i) methods_.push_back(find_method(names, i));
  learn_methods(names.method_keys);
}

void KnownNames::write(const NameStreams& own, Streams& streams) const {
  streams.numbers(own.used).put(1);
  write_numbers(symbols_, streams.numbers(own.symbols));
  write_numbers(methods_, streams.numbers(own.methods));
}

std::optional<KnownNames> KnownNames::read(std::shared_ptr<const Lexicon> lexicon, NameColumns columns,
                                           const NameStreams& own, const Streams& streams) {
  KnownNames known(std::move(lexicon), std::move(columns));
  const std::vector<uint64_t> symbols = streams.all(known.columns_.symbol_keys),
                              classes = streams.all(known.columns_.class_keys),
                              names = streams.all(known.columns_.class_name);
  if (!read_numbers(streams.all(own.symbols), known.lexicon_->symbols().size(), known.symbols_) ||
      !read_numbers(streams.all(own.methods), known.lexicon_->methods().size(), known.methods_) ||
      known.symbols_.size() != symbols.size() || names.size() != classes.size())
    return std::nullopt;
  known.learn_symbols(symbols);
  known.learn_classes(classes, names);
  for (const uint32_t method : known.methods_)
    if (method != kUnnamed && !known.knows_parts_of(known.lexicon_->methods()[method])) return std::nullopt;
  return known;
}

std::optional<KnownNames> KnownNames::of_chunk(std::shared_ptr<const Lexicon> lexicon, const NameColumns& columns,
                                               const NameStreams& own, const Streams& streams) {
  const bool uses = !streams.all(own.used).empty();
  if (uses) return lexicon ? read(std::move(lexicon), columns, own, streams) : std::nullopt;
  KnownNames none(std::make_shared<const Lexicon>(), columns);
  none.symbols_.assign(streams.all(columns.symbol_keys).size(), kUnnamed);
  none.methods_.assign(streams.all(columns.method_keys).size(), kUnnamed);
  return none;
}

std::optional<ChunkNames> KnownNames::all_names(const Streams& streams) const {
  ChunkNames names;
  if (!names.take(columns_, streams)) return std::nullopt;
  names.symbols = all_symbols(names.symbols);
  for (size_t i = 0; i < names.method_fields.size(); ++i)
    names.method_fields[i] = all_of_field(i, names.method_fields[i]);
  if (!names.are_whole()) return std::nullopt;
  return names;
}

std::vector<WireText> KnownNames::all_symbols(std::span<const WireText> others) const {
  return in_places(symbols_, others, [&](uint32_t symbol) { return lexicon_->symbols()[symbol]; });
}

std::vector<uint64_t> KnownNames::all_of_field(size_t field, std::span<const uint64_t> others) const {
  return in_places(methods_, others, [&](uint32_t method) { return field_of(lexicon_->methods()[method], field); });
}

void KnownNames::learn_symbols(const std::vector<uint64_t>& keys) {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (symbols_[i] == kUnnamed) continue;
    symbol_of_key_.find_or_add(keys[i], symbols_[i]);
    key_of_symbol_.find_or_add(symbols_[i], keys[i]);
  }
}

// Of classes of one name, the first.
void KnownNames::learn_classes(const std::vector<uint64_t>& keys, const std::vector<uint64_t>& names) {
  for (size_t i = 0; i < keys.size(); ++i) {
    const uint32_t symbol = found_or(symbol_of_key_, names[i], kUnnamed);
    if (symbol == kUnnamed) continue;
    symbol_of_class_.find_or_add(keys[i], symbol);
    class_of_symbol_.find_or_add(symbol, keys[i]);
  }
}

double KnownNames::known_methods() const {
  const auto unknown = static_cast<size_t>(std::ranges::count(methods_, kUnnamed));
  return methods_.empty() ? 0 : static_cast<double>(methods_.size() - unknown) / static_cast<double>(methods_.size());
}

std::optional<uint64_t> KnownNames::key_guess(size_t method) const {
  const uint32_t number = method < methods_.size() ? methods_[method] : kUnnamed;
  if (number == kUnnamed) return std::nullopt;
  return *class_of_symbol_.find(lexicon_->methods()[number].klass) << 16 | lexicon_->number_in_class(number);
}

bool KnownNames::learn_methods(const std::vector<uint64_t>& keys) {
  if (keys.size() != methods_.size()) return false;
  for (size_t i = 0; i < keys.size(); ++i)
    if (methods_[i] != kUnnamed) {
      key_of_method_.find_or_add(methods_[i], keys[i]);
      method_of_key_.find_or_add(keys[i], methods_[i]);
    }
  return true;
}

bool KnownNames::code_addresses(const AddressColumns& columns, Streams& streams) const {
  auto codes = archive::code_addresses(streams.all(columns.methods), streams.all(columns.addresses),
                                       lexicon_->addresses(), method_of_key_);
  if (codes) streams.numbers(columns.addresses).values = std::move(*codes);
  return codes.has_value();
}

bool KnownNames::restore_addresses(const AddressColumns& columns, Streams& streams) const {
  const auto addresses = archive::restore_addresses(streams.all(columns.methods), streams.all(columns.addresses),
                                                    lexicon_->addresses(), method_of_key_);
  if (addresses) streams.replace(columns.addresses, *addresses);
  return addresses.has_value();
}

// The lexicon's, if its parts have the keys in this chunk that the constant has.
uint32_t KnownNames::find_method(const ChunkNames& names, size_t at) const {
  const auto& fields = names.method_fields;
  LexiconMethod method;
  method.klass = found_or(symbol_of_class_, fields[columns_.klass][at], kUnnamed);
  method.name = found_or(symbol_of_key_, fields[columns_.name][at], kUnnamed);
  method.descriptor = found_or(symbol_of_key_, fields[columns_.descriptor][at], kUnnamed);
  if (!take_others(columns_, fields, at, method)) return kUnnamed;
  const uint32_t number = lexicon_->find(method);
  if (number == kUnnamed || !knows_parts_of(method)) return kUnnamed;
  for (size_t i = 0; i < fields.size(); ++i)
    if (field_of(method, i) != fields[i][at]) return kUnnamed;
  return number;
}

bool KnownNames::knows_parts_of(const LexiconMethod& method) const {
  return class_of_symbol_.find(method.klass) != nullptr && key_of_symbol_.find(method.name) != nullptr &&
         key_of_symbol_.find(method.descriptor) != nullptr;
}

uint64_t KnownNames::field_of(const LexiconMethod& method, size_t field) const {
  if (field == columns_.klass) return *class_of_symbol_.find(method.klass);
  if (field == columns_.name) return *key_of_symbol_.find(method.name);
  if (field == columns_.descriptor) return *key_of_symbol_.find(method.descriptor);
  const size_t before =
      size_t{columns_.klass < field} + size_t{columns_.name < field} + size_t{columns_.descriptor < field};
  return method.others[field - before];
}

void KnownNames::prime(StackModel& stacks) const {
  std::vector<StackFrame> frames(1);
  std::vector<uint32_t> numbers(lexicon_->frames().size());
  for (size_t i = 1; i < lexicon_->frames().size(); ++i) {
    const LexiconFrame& frame = lexicon_->frames()[i];
    const uint64_t* key = frame.method == kUnnamed ? nullptr : key_of_method_.find(frame.method);
    if (key == nullptr) continue;
    numbers[i] = static_cast<uint32_t>(frames.size());
    frames.push_back(frame.frame);
    frames.back()[0] = *key;
  }
  stacks.expect(frames, lexicon_->calls().renumbered(numbers));
}

std::span<const uint8_t> KnownNames::next(uint32_t type) {
  wire_.clear();
  if (type == columns_.symbol_type && next_symbol_ < symbols_.size()) {
    const uint32_t symbol = symbols_[next_symbol_++];
    if (symbol == kUnnamed) return {};
    const WireText& text = lexicon_->symbols()[symbol];
    wire_.push_back(text.coding);
    base::append_leb(text.text.size(), wire_);
    wire_.insert(wire_.end(), text.text.begin(), text.text.end());
  } else if (type == columns_.method_type && next_method_ < methods_.size()) {
    const uint32_t method = methods_[next_method_++];
    for (size_t i = 0; method != kUnnamed && i < columns_.method_fields.size(); ++i) {
      const uint64_t value = field_of(lexicon_->methods()[method], i);
      columns_.method_fields[i].byte ? wire_.push_back(static_cast<uint8_t>(value)) : base::append_leb(value, wire_);
    }
  }
  return wire_;
}

}  // namespace jfr::archive
