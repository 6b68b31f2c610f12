// SPDX-License-Identifier: Apache-2.0
// FrameShares is how much of a tree of samples is spent in well-known kinds of work, and who in the application asked for it.
//
//   Thread.run <- app.Main.run <- app.Orders.parse <- String.replaceAll <- Pattern.compile <- Pattern.atom
//                                 ^ the caller        ^---- the JDK's own ----------------------------------^
//
// A sample counts for a kind if its stack has one of the kind's frames with nothing but frames of the JDK, of native code
// and of the kind itself above it: what a logger's or a reflective call's callee does for the application is the application's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "jrec/findings/sampled_facts.h"

namespace jrec {

enum class WorkKind : uint8_t {
  kRegexCompile,
  kFormat,
  kStackTraces,
  kLogging,
  kReflection,
  kClassLoading,
  kSerialization,
  kJitCompilers,
};
inline constexpr size_t kWorkKinds = 8;

// What one of the kind's frames matches, for -I.
std::string_view pattern_of(WorkKind kind);

class FrameShares {
 public:
  explicit FrameShares(const SampledFacts& samples);

  uint64_t weight(WorkKind kind) const { return shares_[static_cast<size_t>(kind)].weight; }
  const SampleWorth& worth(WorkKind kind) const { return shares_[static_cast<size_t>(kind)].worth; }
  struct Caller {
    std::string_view name;  // empty: there is none
    uint64_t weight = 0;
  };
  Caller main_caller(WorkKind kind) const;  // of most of that weight

  // Of a native function, by its place in the tree's names: the application's method that calls it in most of the samples that have it
  // on top. No name: it is of Java, or no method has most of it.
  Caller caller_of_native(uint32_t function) const;

  // By node: the nearest frame of the application at or below it, towards the root; no name where there is none.
  static constexpr uint32_t kNobody = UINT32_MAX;
  const std::vector<uint32_t>& callers() const { return callers_; }

 private:
  using Weights = std::unordered_map<uint32_t, uint64_t>;  // by name, or kNobody
  struct Share {
    uint64_t weight = 0;
    SampleWorth worth;
    Weights by_caller;
  };
  Caller main_of(const Weights& by_caller) const;

  const StackTree& tree_;
  std::vector<uint32_t> callers_;
  std::vector<Share> shares_{kWorkKinds};
};

}  // namespace jrec
