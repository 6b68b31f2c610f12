// SPDX-License-Identifier: Apache-2.0
// ServedReport is the page of `jrec report` in memory, made anew when what it tells of has changed.
//
//   a file          as it is
//   a directory     its *.jfr, in the order of their names, as one; a JDK's repository has them in a directory below
//   a pid, or a file that rec still writes (FILE.chunks): the chunks that are there by then, and when it has ended, what became of them
//
//   page()  -->  the same files, sizes and times as before?  the page before : another one
//
// The first page comes in steps, for whoever waits for a large recording: that it is read; the overview and the tables; all of it, with stacks
// and findings. The browser asks for the next one by itself.
//
//   part()  -->  a page of a time alone, which a page of all of a long recording is too coarse for
//
// Any thread may ask; a page is made by one at a time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "jrec/base/exit_code.h"
#include "jrec/open/page_part.h"
#include "jrec/report/report.h"
#include "jrec/view/live_recording.h"

namespace jrec {

class ServedReport {
 public:
  // files of options: targets as above. follow_s: how often the page asks whether there is another one; 0: never.
  ServedReport(ReportOptions options, uint32_t follow_s) : options_(std::move(options)), follow_s_(follow_s) {}
  ~ServedReport();
  ServedReport(const ServedReport&) = delete;
  ServedReport& operator=(const ServedReport&) = delete;

  struct Page {
    ExitCode code = kNothingReadable;  // kDone, or kDamaged: there is one, of what can be read or could be before
    uint64_t version = 0;              // changes with the page
    std::string html;                  // empty: stderr says why
  };
  Page page();   // waits for all of it, but not for the first
  Page first();  // waits until it is known that there is one: its overview, or that it cannot be made
  Page part(const PagePart& part);

 private:
  struct Seen {
    std::string path;
    uint64_t size = 0;
    int64_t changed_ns = 0;
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  // What the targets are at this time; empty: there is nothing of that name.
  std::vector<Seen> look();
  std::vector<std::string> files_of(const std::string& target);
  static std::vector<std::string> paths_of(const std::vector<Seen>& files);
  void begin_if_changed();  // under lock_
  void run(const std::vector<Seen>& files);
  ExitCode make(const std::vector<Seen>& files);
  void publish(ExitCode code, const std::string& json, bool whole);
  Page made_part(const PagePart& part, const std::vector<Seen>& files) const;
  std::string html_of(std::string json, const std::string& more) const;

  const ReportOptions options_;
  const uint32_t follow_s_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::thread maker_;
  bool making_ = false;
  bool whole_ = false;  // page_ is
  std::vector<Seen> seen_;
  Page page_;

  std::mutex places_lock_;
  std::map<std::string, LiveRecording> places_;  // by target: where it was when it was last found

  std::mutex part_lock_;
  std::optional<PagePart> part_;  // the last one, and what it was made of
  std::vector<Seen> part_files_;
  Page part_page_;
};

}  // namespace jrec
