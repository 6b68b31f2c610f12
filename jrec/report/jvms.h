// SPDX-License-Identifier: Apache-2.0
// ReportJvms numbers the JVMs of a page, and says which is which. Threads are told apart by these numbers ("main, JVM 2").
//
//   JVM      PID     Started                  Files
//   JVM 1    4711    2026-11-30T08:44:48Z     a.jfr
//   JVM 2    4712    2026-11-30T08:44:49Z     b.jfr; c.jfr; d.jfr; and 2 more
//
// Numbers follow the chunks, which are in order of time. Chunks that do not tell of their JVM are those of one.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "jrec/values/jvm_numbers.h"
#include "jrec/view/view_rows.h"

namespace jrec {

class ReportJvms {
 public:
  // A chunk of it, which is in that file.
  void meet(const WriterProcess& jvm, const std::string& path);

  size_t count() const { return in_order_.size(); }
  std::string name_of(const WriterProcess& jvm) const;  // "JVM 1"

  // "JVM 1, as rec has recorded it, and JVM 2, as the JDK has, are one": of each such pair, none where there is none.
  std::vector<std::string> recorded_twice() const;

  // The table above; of one JVM none.
  Rows rows() const;

 private:
  struct Met {
    WriterProcess jvm;
    std::vector<std::string> paths;
  };
  std::string files_of(const Met& met) const;
  bool is_only_of_its_name(const std::string& path) const;

  std::vector<Met> in_order_;
  std::map<WriterProcess, size_t> places_;  // in in_order_
};

}  // namespace jrec
