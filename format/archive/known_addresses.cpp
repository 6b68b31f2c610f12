// SPDX-License-Identifier: Apache-2.0
#include "format/archive/known_addresses.h"

#include <algorithm>

namespace jfr::archive {
namespace {

std::optional<AddressColumns> columns_in(const read::Metadata& metadata, const read::Type& type, const Shape& shape) {
  if (!shape.known || shape.steps.size() != type.fields.size()) return std::nullopt;
  std::optional<uint32_t> method, address;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    const read::Field& field = type.fields[i];
    if (shape.steps[i].kind != Step::Kind::kLeb) continue;
    if (field.constant && field.type != read::kNoType && metadata.types()[field.type].name == "jdk.types.Method") {
      if (method) return std::nullopt;
      method = shape.steps[i].numbers;
    }
    if (!field.constant && field.name == "address") address = shape.steps[i].numbers;
  }
  if (!method || !address) return std::nullopt;
  return AddressColumns{*method, *address};
}

// Goes over methods, each with what is known of its next address.
class AddressWalk {
 public:
  AddressWalk(const KnownAddresses& known, const read::KeyTable<uint32_t>& numbers)
      : known_(known), numbers_(numbers) {}

  const uint64_t* next(uint64_t method) {
    const uint32_t* number = numbers_.find(method);
    return number == nullptr ? nullptr : known_.find(*number, before_.find_or_add(method).value++);
  }

 private:
  const KnownAddresses& known_;
  const read::KeyTable<uint32_t>& numbers_;
  read::KeyTable<uint32_t> before_;  // addresses of it so far
};

}  // namespace

std::optional<AddressColumns> AddressColumns::of(const read::Metadata& metadata, const Shapes& shapes) {
  for (uint32_t i = 0; i < metadata.types().size(); ++i)
    if (metadata.types()[i].event)
      if (const auto columns = columns_in(metadata, metadata.types()[i], shapes.event(i))) return columns;
  return std::nullopt;
}

std::optional<std::vector<uint64_t>> code_addresses(std::span<const uint64_t> methods,
                                                    std::span<const uint64_t> addresses, const KnownAddresses& known,
                                                    const read::KeyTable<uint32_t>& numbers) {
  if (methods.size() != addresses.size()) return std::nullopt;
  AddressWalk walk(known, numbers);
  std::vector<uint64_t> codes;
  for (size_t i = 0; i < methods.size(); ++i) {
    const uint64_t* there = walk.next(methods[i]);
    if (addresses[i] == ~uint64_t{0}) return std::nullopt;
    codes.push_back(there != nullptr && *there == addresses[i] ? 0 : addresses[i] + 1);
  }
  return codes;
}

std::optional<std::vector<uint64_t>> restore_addresses(std::span<const uint64_t> methods,
                                                       std::span<const uint64_t> codes, const KnownAddresses& known,
                                                       const read::KeyTable<uint32_t>& numbers) {
  if (methods.size() != codes.size()) return std::nullopt;
  AddressWalk walk(known, numbers);
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < methods.size(); ++i) {
    const uint64_t* there = walk.next(methods[i]);
    if (codes[i] == 0 && there == nullptr) return std::nullopt;
    addresses.push_back(codes[i] == 0 ? *there : codes[i] - 1);
  }
  return addresses;
}

}  // namespace jfr::archive
