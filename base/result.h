// SPDX-License-Identifier: Apache-2.0
// How this project says that something did not work: an Error that names what and where, inside a Result. No
// exceptions.
#pragma once

#include <cassert>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace base {

enum class ErrorCode {
  kSystem,   // a system call failed; errno_value says why
  kCorrupt,  // a file contradicts itself or its format
  kUsage,    // the caller asked for something that does not exist
  kLimit,    // a named limit was reached
};

struct Error {
  ErrorCode code;
  uint64_t offset = 0;  // bytes into the file, where that makes sense
  std::string what;     // one sentence without a full stop, for a user
  int errno_value = 0;
};

// "WHAT: No space left on device".
inline Error system_error(std::string_view what, int errno_value = errno) {
  return Error{ErrorCode::kSystem, 0, std::string(what) + ": " + std::strerror(errno_value), errno_value};
}

// "cannot open /a/path: No such file or directory".
inline Error system_error(std::string_view tried, const std::string& path) {
  const int why = errno;  // before the strings are put together, which may change it
  return system_error(std::string(tried) + " " + path, why);
}

// The file contradicts itself at byte `at`.
inline Error corrupt(uint64_t at, std::string what) { return Error{ErrorCode::kCorrupt, at, std::move(what)}; }

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() {
    assert(ok() && "value() of a failed Result");
    return *std::get_if<0>(&state_);
  }
  const T& value() const {
    assert(ok() && "value() of a failed Result");
    return *std::get_if<0>(&state_);
  }
  const Error& error() const {
    assert(!ok() && "error() of a Result that holds a value");
    return *std::get_if<1>(&state_);
  }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }

 private:
  std::variant<T, Error> state_;
};

struct Done {};
using Status = Result<Done>;

}  // namespace base
