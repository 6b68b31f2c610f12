// SPDX-License-Identifier: Apache-2.0
#include "jrec/view/view_list.h"

namespace jrec {

using enum Aggregate;

namespace {

constexpr size_t kTopWaits = 25;

View contention(std::string by, std::string caption, std::string field) {
  return {.name = "contention-by-" + by,
          .title = "Contention by " + caption,
          .what = "waits for a lock that another thread had",
          .types = {"jdk.JavaMonitorEnter"},
          .columns = {{caption, kKey, field},
                      {"Count", kCount},
                      {"Average", kAverage, "duration"},
                      {"P90", kP90, "duration"},
                      {"Max.", kMax, "duration"},
                      {"Total", kSum, "duration"}},
          .order = 1,
          .limit = kTopWaits};
}

View moved(std::string name, std::string title, std::string type, std::string key, std::string caption,
           std::string count, std::string total, std::string amount) {
  return {.name = std::move(name),
          .title = std::move(title),
          .what = "how often and how much",
          .types = {std::move(type)},
          .columns = {{std::move(caption), kKey, std::move(key)},
                      {std::move(count), kCount},
                      {std::move(total), kSum, std::move(amount)},
                      {"Time", kSum, "duration"},
                      {"Longest", kMax, "duration"}},
          .order = 1,
          .limit = kTopWaits};
}

}  // namespace

std::vector<View> waiting_views() {
  return {
      contention("thread", "Thread", "eventThread"),
      contention("class", "Lock Class", "monitorClass"),
      contention("site", "Method", "stackTrace"),
      {.name = "contention-by-address",
       .title = "Contention by Monitor Address",
       .what = "the same, for each lock",
       .types = {"jdk.JavaMonitorEnter"},
       .columns = {{"Monitor Address", kKey, "address"},
                   {"Class", kFirst, "monitorClass"},
                   {"Threads", kUnique, "eventThread"},
                   {"Max Duration", kMax, "duration"}},
       .order = 3,
       .limit = kTopWaits},
      moved("file-reads-by-path", "File Reads by Path", "jdk.FileRead", "path", "Path", "Reads", "Total Read",
            "bytesRead"),
      moved("file-writes-by-path", "File Writes by Path", "jdk.FileWrite", "path", "Path", "Writes", "Total Written",
            "bytesWritten"),
      moved("socket-reads-by-host", "Socket Reads by Host", "jdk.SocketRead", "host", "Host", "Reads", "Total Read",
            "bytesRead"),
      moved("socket-writes-by-host", "Socket Writes by Host", "jdk.SocketWrite", "host", "Host", "Writes",
            "Total Written", "bytesWritten"),
      {.name = "latencies-by-type",
       .title = "Latencies by Type",
       .what = "what threads waited for: locks, parks, sleeps, files, sockets",
       .types = {"jdk.JavaMonitorWait", "jdk.JavaMonitorEnter", "jdk.ThreadPark", "jdk.ThreadSleep", "jdk.SocketRead",
                 "jdk.SocketWrite", "jdk.FileWrite", "jdk.FileRead"},
       .columns = {{"Event Type", kKey, "@type"},
                   {"Count", kCount},
                   {"Average", kAverage, "duration"},
                   {"P99", kP99, "duration"},
                   {"Longest", kMax, "duration"},
                   {"Total", kSum, "duration"}},
       .order = 5},
  };
}

}  // namespace jrec
