// SPDX-License-Identifier: Apache-2.0
// OnceRange makes a range-for of something that can be gone through once. Who is one has step(), which goes on, current() and is_over(),
// and lets OnceRange call them.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace jfr::read {

template <typename Range, typename Value>
class OnceRange {
 public:
  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = std::remove_const_t<Value>;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(OnceRange& range) : range_(&range) {}
    Value& operator*() const { return range_->self().current(); }
    Iterator& operator++() {
      range_->self().step();
      return *this;
    }
    void operator++(int) { range_->self().step(); }
    bool operator==(std::default_sentinel_t) const { return range_->self().is_over(); }

   private:
    OnceRange* range_;
  };

  Iterator begin() {
    self().step();
    return Iterator(*this);
  }
  std::default_sentinel_t end() const { return {}; }

 private:
  Range& self() { return static_cast<Range&>(*this); }
};

}  // namespace jfr::read
