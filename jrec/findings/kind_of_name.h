// SPDX-License-Identifier: Apache-2.0
// What names of one kind have in common: each number in them, also one in hex and a UUID, is a #.
//
//   worker-17                                        worker-#
//   conn 4f3a90de                                    conn #
//   request 0f8fad5b-d9cb-469f-a165-70867728950e     request #
//
// A word is a number in hex if it has four digits or more, and one of them is no letter, or if it has eight or more: "face" is a
// word. In all other words the decimal digits alone are set aside ("db2" is "db#").
#pragma once

#include <string>
#include <string_view>

namespace jrec {

std::string kind_of_name(std::string_view name);

}  // namespace jrec
