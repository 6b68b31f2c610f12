// SPDX-License-Identifier: Apache-2.0
// Work of many parts on several threads, its results in order:
//
//   next() --> item --make(item), any thread--> result --take(item, result), the caller's thread-->
//
// At most jobs() + 1 results are there at a time. take() may say false: the rest is not begun. A last item that has
// nothing beside it is made on the caller's thread, and so are small ones: a file may have a hundred thousand of them,
// and a thread takes longer to begin than they do.
#pragma once

#include <deque>
#include <future>
#include <optional>
#include <type_traits>
#include <utility>

#include "jrec/input/jobs.h"

namespace jrec {

// next() gives std::optional<Item>; item.last says that none comes behind it, where that is known; item.small, that it
// is not worth a thread.
template <typename Next, typename Make, typename Take>
void side_by_side_of(Next next, Make make, Take take) {
  using Item = typename std::invoke_result_t<Next&>::value_type;
  using Result = std::invoke_result_t<Make&, const Item&>;
  struct UnderWay {
    Item item;
    std::future<Result> result;
  };
  std::deque<UnderWay> under_way;
  const auto take_first = [&] {
    UnderWay first = std::move(under_way.front());
    under_way.pop_front();
    return take(first.item, first.result.get());
  };
  while (std::optional<Item> item = next()) {
    const bool alone = jobs() == 1 || (under_way.empty() && item->last);
    if (under_way.size() > jobs() || (alone && !under_way.empty()))
      if (!take_first()) return;
    // Where no thread is to be had, it is made on the caller's, too.
    const auto how = alone || item->small ? std::launch::deferred : std::launch::async | std::launch::deferred;
    under_way.push_back({*item, std::async(how, [&make, made = *item] { return make(made); })});
  }
  while (!under_way.empty())
    if (!take_first()) return;
}

// make(i) and take(i, result) for all i below count.
template <typename Make, typename Take>
void side_by_side(size_t count, Make make, Take take) {
  struct Index {
    size_t at;
    bool last;
    bool small = false;
  };
  size_t begun = 0;
  side_by_side_of(
      [&]() -> std::optional<Index> {
        if (begun == count) return std::nullopt;
        ++begun;
        return Index{begun - 1, begun == count};
      },
      [&](const Index& index) { return make(index.at); },
      [&](const Index& index, auto&& result) { return take(index.at, std::move(result)); });
}

}  // namespace jrec
