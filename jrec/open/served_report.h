// SPDX-License-Identifier: Apache-2.0
// ServedReport is the page of `jrec report` in memory, made anew when what it tells of has changed.
//
//   a file          as it is
//   a directory     its *.jfr, in the order of their names, as one
//   a pid, or a file that rec still writes (FILE.chunks): the chunks that are there by then
//
//   page()  -->  the same files, sizes and times as before?  the page before : another one
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/report/report.h"

namespace jrec {

class ServedReport {
 public:
  // files of options: targets as above. follow_s: how often the page asks whether there is another one; 0: never.
  ServedReport(ReportOptions options, uint32_t follow_s) : options_(std::move(options)), follow_s_(follow_s) {}

  struct Page {
    ExitCode code = kNothingReadable;  // kDone, or kDamaged: there is one, of what can be read or could be before
    uint64_t version = 0;              // changes with the page
    std::string html;                  // empty: stderr says why
  };
  // Any thread; the others wait meanwhile.
  Page page();

 private:
  struct Seen {
    std::string path;
    uint64_t size = 0;
    int64_t changed_ns = 0;
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  // What the targets are at this time; empty: there is nothing of that name.
  std::vector<Seen> look() const;
  ExitCode make(const std::vector<Seen>& files);

  // The data of `jrec report`, and how the page follows it.
  std::string data_of(Recording& recording, uint64_t version) const;

  const ReportOptions options_;
  const uint32_t follow_s_;
  std::mutex lock_;
  std::vector<Seen> seen_;
  Page page_;
};

}  // namespace jrec
