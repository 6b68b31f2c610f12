// SPDX-License-Identifier: Apache-2.0
// OnceIterator goes through a range that can be gone through once, for its range-for: the range has step(), which goes on, current()
// and is_over().
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace jfr::read {

template <typename Range, typename Value>
class OnceIterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using value_type = std::remove_const_t<Value>;
  using difference_type = std::ptrdiff_t;

  explicit OnceIterator(Range& range) : range_(&range) {}
  Value& operator*() const { return range_->current(); }
  OnceIterator& operator++() {
    range_->step();
    return *this;
  }
  void operator++(int) { range_->step(); }
  bool operator==(std::default_sentinel_t) const { return range_->is_over(); }

 private:
  Range* range_;
};

}  // namespace jfr::read
