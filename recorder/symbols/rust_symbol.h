// SPDX-License-Identifier: Apache-2.0
// Names of functions as Rust's compiler has mangled them since 2025 (v0, RFC 2603), as their authors wrote them:
//
//   _RNvNtCs1234_7mycrate3foo3bar                     mycrate::foo::bar
//   _RINvNtC4core3mem4swapmE                          core::mem::swap::<u32>
//   _RNvXC5crateNtB2_4TreeNtC3std4Drop4drop           <crate::Tree as std::Drop>::drop
//
// Hashes of crates and the crate that made an instance are left out; a name without end is cut. A symbol is a stranger:
// names nest to a depth, a reference to what was named before leads to the front, and steps and letters are counted, since a
// name made of references can double with each. Allocates.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rec {

// Nothing: it is no such symbol, is damaged, or has what is not known here (constants that are structures).
std::optional<std::string> rust_name(std::string_view symbol);

}  // namespace rec
