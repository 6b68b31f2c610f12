// SPDX-License-Identifier: Apache-2.0
// Where functions of native code begin: events that say of a method at which address in its library's file it is, as
// rec.NativeFunction does. The file is the same in each run, so the addresses of methods that a lexicon has are its own.
//
//   function 524691, address 4876224     lexicon's method 17, its first: 4876224   ->   0
//   function 524692, address 4919488     no known method, or elsewhere             ->   4919489
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "format/archive/name_columns.h"
#include "format/archive/shape.h"
#include "format/reader/key_table.h"

namespace jfr::archive {

// Columns of the first event type that has one field with the key of a method, and an integer "address".
struct AddressColumns {
  uint32_t methods = 0, addresses = 0;
  static std::optional<AddressColumns> of(const read::Metadata& metadata, const Shapes& shapes);
};

// By a method's number in the lexicon, and how many addresses of it came before.
class KnownAddresses {
 public:
  void add(uint32_t method, uint32_t before, uint64_t address) {
    addresses_.find_or_add(key_of(method, before), address);
  }
  const uint64_t* find(uint32_t method, uint32_t before) const { return addresses_.find(key_of(method, before)); }

 private:
  static uint64_t key_of(uint32_t method, uint32_t before) { return uint64_t{method} << 32 | before; }
  read::KeyTable<uint64_t> addresses_;
};

// numbers: in the lexicon, by the chunk's key; another key is no known method. Addresses to what is told of them; nothing
// if there is one that nothing can be told of.
std::optional<std::vector<uint64_t>> code_addresses(std::span<const uint64_t> methods,
                                                    std::span<const uint64_t> addresses, const KnownAddresses& known,
                                                    const read::KeyTable<uint32_t>& numbers);
// And back. Nothing: they are not as many as the methods, or name what the lexicon does not have.
std::optional<std::vector<uint64_t>> restore_addresses(std::span<const uint64_t> methods,
                                                       std::span<const uint64_t> codes, const KnownAddresses& known,
                                                       const read::KeyTable<uint32_t>& numbers);

}  // namespace jfr::archive
