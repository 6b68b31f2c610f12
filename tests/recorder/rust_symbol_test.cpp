// SPDX-License-Identifier: Apache-2.0
// Names of Rust's compiler, by the grammar of RFC 2603: a pair for each of its rules.
#include <doctest/doctest.h>

#include <string>

#include "recorder/symbols/demangle.h"
#include "recorder/symbols/rust_symbol.h"

namespace rec {
namespace rust_symbol_test {

std::string of(std::string_view symbol) { return rust_name(symbol).value_or("none"); }

std::string reference_to(size_t place) {
  constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  size_t left = place - 1;
  std::string number;
  do number.insert(0, 1, kDigits[left % 62]);
  while ((left /= 62) > 0);
  return 'B' + number + '_';
}

TEST_CASE("golden: Rust's paths, crates, impls and closures") {
  CHECK(of("_RNvNtCs1234_7mycrate3foo3bar") == "mycrate::foo::bar");
  CHECK(of("_RNvC6_123foo3bar") == "123foo::bar");
  CHECK(of("_RNvMC7mycrateNtB2_3Foo3bar") == "<mycrate::Foo>::bar");
  CHECK(of("_RNvXC7mycrateNtB2_3FooNtC3std5Clone5clone") == "<mycrate::Foo as std::Clone>::clone");
  CHECK(of("_RNvYNtC7mycrate3FooNtC3std5Clone5clone") == "<mycrate::Foo as std::Clone>::clone");
  CHECK(of("_RNvMs_Cs4Cv8Wi1oAIB_7mycrateNtB4_3Foo3bar") == "<mycrate::Foo>::bar");
  CHECK(of("_RNCNvC7mycrate4main0") == "mycrate::main::{closure#0}");
  CHECK(of("_RNCNvC7mycrate4mains_0") == "mycrate::main::{closure#1}");
  CHECK(of("_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_") == "cc::spawn::{closure#0}::{closure#0}");
  CHECK(of("_RNSC7mycrate3foo") == "mycrate::{shim:foo#0}");
}

TEST_CASE("golden: Rust's generic arguments, types and constants") {
  CHECK(of("_RINvNtC4core3mem4swapmE") == "core::mem::swap::<u32>");
  CHECK(of("_RINvC1a1fhxoaszudfbcjieE") ==
        "a::f::<u8, i64, u128, i8, i16, !, (), f64, f32, bool, char, usize, isize, str>");
  CHECK(of("_RINvC1a1fRhQhPhOhE") == "a::f::<&u8, &mut u8, *const u8, *mut u8>");
  CHECK(of("_RINvC1a1fShAhj10_TEThETabEE") == "a::f::<[u8], [u8; 16], (), (u8,), (i8, bool)>");
  CHECK(of("_RINvC1a1fFEuFhEtFUKCEuE") == "a::f::<fn(), fn(u8) -> u16, unsafe extern \"C\" fn()>");
  CHECK(of("_RINvC1a1fFG_RL0_hEuE") == "a::f::<for<'a> fn(&'a u8)>");
  CHECK(of("_RINvC1a1fDNtB2_5TraitEL_E") == "a::f::<dyn a::Trait>");
  CHECK(of("_RINvC1a1fDINtB2_5TraithEp4ItemjEL_E") == "a::f::<dyn a::Trait<u8, Item = usize>>");
  CHECK(of("_RMC0INtC8arrayvec8ArrayVechKj7b_E") == "<arrayvec::ArrayVec<u8, 123>>");
  CHECK(of("_RINvC1a1fKanb_Kb1_Kc76_Kc2019_KpE") == "a::f::<-11, true, 'v', '\\u{2019}', _>");
  CHECK(of("_RINvC1a1fRhB7_E") == "a::f::<&u8, &u8>");
  CHECK(of("_RINvC1a1fhEC1b") == "a::f::<u8>");  // b made the instance
  CHECK(readable_name("_RNvC1a1f.llvm.1234567") == "a::f");
}

TEST_CASE("golden: Rust's names of other letters") {
  CHECK(of("_RNvC1au7caf_dma") == "a::caf\xc3\xa9");
  CHECK(of("_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y").starts_with("utf8_idents::\xe1\x83"));
  CHECK(of("_RNvC1au3___9") == "a::punycode{__9}");
}

TEST_CASE("damage: what is no symbol of Rust, or is cut, has no name") {
  for (const char* each :
       {"", "_R", "_RN", "_RNv", "_R0NvC1a1f", "_RNvC1a9f", "_RNvC1a1fC1bx", "_RB_", "_RNvB_1f", "_RNvC1a1f$",
        "_RINvC1a1fKjx_E", "_RINvC1a1fRL0_hE", "_RNvCszzzzzzzzzzzzzzzzz_1a1f", "_RN1C1a1f"}) {
    CAPTURE(each);
    CHECK((of(each) == "none") == (std::string(each) != "_RNvC1a1f$"));
  }
  const std::string whole = "_RINvNtCs1234_4core3mem4swapDINtB4_5TraithEp4ItemjEL_FG_RL0_hEuAhj10_E";
  for (size_t size = 0; size < whole.size(); ++size) CHECK(of(whole.substr(0, size)) == "none");
  CHECK(of(whole) != "none");
}

TEST_CASE("damage: each letter of a symbol of Rust may be any other, and a name made of itself ends") {
  const std::string whole = "_RINvNtCs1234_4core3mem4swapDINtB4_5TraithEp4ItemjEL_FG_RL0_hEuAhj10_RB4_E";
  for (size_t at = 2; at < whole.size(); ++at)
    for (int letter = 1; letter < 256; ++letter) {
      std::string wrong = whole;
      wrong[at] = static_cast<char>(letter);
      CHECK(rust_name(wrong).value_or("").size() < 3000);
    }
  CHECK(of("_R" + std::string(5000, 'S')) == "none");
  CHECK(of("_RINvC1a1f" + std::string(5000, 'R') + "hE") == "none");
  std::string doubling = "INvC1a1fTjjE";
  for (size_t last = 8, i = 0; i < 40; ++i) {
    const std::string before = reference_to(last);
    last = doubling.size();
    doubling += 'T' + before + before + 'E';
  }
  const std::string name = of("_R" + doubling + 'E');
  CHECK(name.starts_with("a::f::<(usize, usize), ((usize, usize), (usize, usize)), "));
  CHECK(name.size() < 3000);
  CHECK(readable_name("_R" + doubling + 'E').size() <= 403);
}

}  // namespace rust_symbol_test
}  // namespace rec
