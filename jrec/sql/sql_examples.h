// SPDX-License-Identifier: Apache-2.0
// Queries that are ready to be run, and to be changed.
#pragma once

#include <span>
#include <string_view>

namespace jrec {

struct SqlExample {
  std::string_view name, what, query;
};

std::span<const SqlExample> sql_examples();

}  // namespace jrec
