// SPDX-License-Identifier: Apache-2.0
// ThreadKinds counts threads that start and end, by kind (kind_of_name.h). A thread is of the kind of the name that it starts
// with, whatever it is called at its end:
//
//   thread 42 starts as idle-17   idle-#: one was started
//   thread 42 ends as busy        idle-#: one has ended
//
// Kept are the counts of Ranking::kMost kinds, others together, and the number of each thread that is alive.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace jrec {

class ThreadKinds {
 public:
  struct Count {
    uint64_t started = 0, ended = 0;
  };
  using Kind = std::map<std::string, Count>::value_type;

  // Of some threads: the kind that most of them are of.
  struct Most {
    const Kind* kind = nullptr;
    uint64_t of_kind = 0, of_all = 0;

    // The kind where it is at least a third of so many; else null: others are as much to blame.
    const Kind* that_explains(double threads) const;
  };

  // number: tells the threads of a JVM apart; 0: it is not known, nor when the thread ends.
  void start(uint32_t jvm, int64_t number, const std::string& kind, int64_t at_ns);
  void end(uint32_t jvm, int64_t number);

  Most most_of(uint64_t Count::*count) const;
  Most most_that_stay(uint32_t jvm, int64_t since_ns) const;  // that started since, and have not ended

 private:
  struct Alive {
    Kind* kind;  // null: there was no room for it
    int64_t since_ns;
  };

  Kind* kind_of(const std::string& name);

  Count all_;
  std::map<std::string, Count> by_kind_;
  std::map<std::pair<uint32_t, int64_t>, Alive> alive_;  // by JVM and number
};

}  // namespace jrec
