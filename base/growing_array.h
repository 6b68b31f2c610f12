// SPDX-License-Identifier: Apache-2.0
// GrowingArray is a vector of plain values that may become millions: it grows without copying them, and without having twice
// the memory meanwhile. Once it is large it is a mapping of its own, in large pages where there are (large_vector.h), which
// the kernel moves.
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "base/large_vector.h"

namespace base {

template <typename T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>, "it is moved by its bytes");

 public:
  GrowingArray() = default;
  GrowingArray(const GrowingArray& other) : size_(other.size_), capacity_(other.size_) {
    values_ = static_cast<T*>(resize_memory(nullptr, 0, size_ * sizeof(T)));
    std::uninitialized_copy(other.begin(), other.end(), values_);
  }
  GrowingArray(GrowingArray&& other) noexcept { swap(other); }
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    GrowingArray(std::move(other)).swap(*this);
    return *this;
  }
  ~GrowingArray() { resize_memory(values_, capacity_ * sizeof(T), 0); }

  T& operator[](size_t i) { return assert(i < size_), values_[i]; }
  const T& operator[](size_t i) const { return assert(i < size_), values_[i]; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return values_; }
  T* end() { return values_ + size_; }
  const T* begin() const { return values_; }
  const T* end() const { return values_ + size_; }

  // Its place moves when it grows, as a vector's does.
  T& push_back(const T& value) {
    if (size_ == capacity_) return grow_by(value);
    return *new (values_ + size_++) T(value);
  }
  void shorten(size_t to) { assert(to <= size_), size_ = to; }  // the memory stays

 private:
  static constexpr size_t kFirst = 16;

  void swap(GrowingArray& other) {
    std::swap(values_, other.values_), std::swap(size_, other.size_), std::swap(capacity_, other.capacity_);
  }
  [[gnu::noinline]] T& grow_by(T value) {  // a copy: it may be one of these
    const size_t more = capacity_ == 0 ? kFirst : capacity_ * 2;
    values_ = static_cast<T*>(resize_memory(values_, capacity_ * sizeof(T), more * sizeof(T)));
    capacity_ = more;
    return push_back(value);
  }

  T* values_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace base
