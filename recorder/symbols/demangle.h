// SPDX-License-Identifier: Apache-2.0
// The name of a function as its author wrote it, without parameters and the type it returns, so that a stack can be read:
//
//   _ZN20G1ParScanThreadState11do_oop_evacIP7oopDescEEvPT_        G1ParScanThreadState::do_oop_evac<oopDesc*>
//   _ZN4core3fmt5write17h0123456789abcdefE                        core::fmt::write       (Rust, as it was until 2025)
//   _RNvNtCs1234_7mycrate3foo3bar                                 mycrate::foo::bar      (and since: rust_symbol.h)
//   compute.part.0, compute.cold, compute.constprop.2.isra.0      compute                (parts and copies that GCC makes)
//   dlsym@@GLIBC_2.34                                             dlsym                  (versions)
//
// What is not understood stays as it is. Allocates.
#pragma once

#include <string>
#include <string_view>

namespace rec {

std::string readable_name(std::string_view symbol);

}  // namespace rec
