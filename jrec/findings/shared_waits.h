// SPDX-License-Identifier: Apache-2.0
// SharedWaits is waits for things that one thread alone may wait for in peace, as an idle one does for a Semaphore that
// somebody gives it as a signal. What counts is the time in which another thread waits for the same thing, too:
//
//   thread 1   |-----------------|
//   thread 2         |-----|          --> both: the length of the second
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "jrec/findings/ranking.h"

namespace jrec {

class SharedWaits {
 public:
  static constexpr size_t kMost = 65'536;  // waits; what comes behind does not count

  struct Thing {
    uint32_t jvm = 0;
    int64_t address = 0;
    auto operator<=>(const Thing&) const = default;
  };

  // thread: a number that no other has. site: where it waits. is_look: Lengths::looks.
  void add(const Thing& thing, uint64_t thread, const std::string& site, int64_t at_ns, double length_ns,
           bool is_look = false);

  // What of the waits is shared, by `kind` and site.
  Ranking shared(const std::string& kind) const { return ranked(kind, false); }
  // Of that the part in which all threads wait that ever wait for the thing. None of them has it then: idle ones wait for a signal
  // so, or others have it, which never wait. Of those that hand a thing to each other one has it at any time.
  Ranking all_at_once(const std::string& kind) const { return ranked(kind, true); }

 private:
  struct Wait {
    int64_t from_ns, to_ns;
    uint64_t thread;
    const std::string* site;
    bool is_look;
  };
  Ranking ranked(const std::string& kind, bool all_at_once) const;
  static void rank(const std::vector<Wait>& waits, size_t fewest, const std::string& kind, Ranking& ranking);
  static size_t threads_of(const std::vector<Wait>& waits);

  std::map<Thing, std::vector<Wait>> waits_;
  std::set<std::string> sites_;
  size_t count_ = 0;
};

}  // namespace jrec
