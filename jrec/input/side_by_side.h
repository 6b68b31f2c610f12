// SPDX-License-Identifier: Apache-2.0
// Work of many parts on several threads, its results in order:   make(i) --any thread--> result --the caller's--> take(i, result)
//
// At most jobs() + 1 results are there at a time. take() may say false: the rest is not begun.
#pragma once

#include <deque>
#include <future>
#include <type_traits>
#include <utility>

#include "jrec/input/jobs.h"

namespace jrec {

template <typename Make, typename Take>
void side_by_side(size_t count, Make make, Take take) {
  using Result = std::invoke_result_t<Make&, size_t>;
  const auto how = jobs() == 1 || count == 1 ? std::launch::deferred : std::launch::async;
  std::deque<std::future<Result>> under_way;
  size_t begun = 0;
  for (size_t i = 0; i < count; ++i) {
    for (; begun < count && begun <= i + jobs(); ++begun) under_way.push_back(std::async(how, make, begun));
    Result result = under_way.front().get();
    under_way.pop_front();
    if (!take(i, std::move(result))) return;
  }
}

}  // namespace jrec
