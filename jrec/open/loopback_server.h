// SPDX-License-Identifier: Apache-2.0
// LoopbackServer answers the browsers of this machine, and nobody else, with pages that are made when they are asked for.
//
//   socket of 127.0.0.1 --accept--> connections that say nothing --first byte--> a thread for each: one request, one answer, closed
//
//   GET, HEAD /TOKEN/...    what `answer` says of the rest of the path
//   another path            404: who does not know the token learns nothing
//   another Host            403: a page of elsewhere, whose name leads here, gets nothing (DNS rebinding)
//   another method          405: nothing can be written
//
// Browsers connect in advance. A connection that says nothing is closed after kPatience, without a word, or earlier where there are more than
// kMostConnections: the one that has waited longest. Of those that ask, each beyond kMostConnections is refused.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace jrec {

struct WebAnswer {
  int status = 200;  // 200, or 404, 503
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::string version;  // what the browser may know the body by; empty: nothing
};

class LoopbackServer {
 public:
  static constexpr std::chrono::seconds kPatience{10};
  static constexpr int kMostConnections = 16;
  using Answer = std::function<WebAnswer(const std::string& path)>;  // any thread, several at a time

  LoopbackServer() = default;
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  // Port 0: one that is free. kUsage: there is no such port; kSystem: it is taken, or there is no randomness.
  base::Status listen(uint32_t port);
  // http://127.0.0.1:PORT/TOKEN/
  std::string address() const;
  // Does not return; the process ends by a signal.
  [[noreturn]] void serve(const Answer& answer);

  // The whole answer to a head, as bytes; none to nothing. For serve(), and for tests.
  std::string reply(const std::string& head, const Answer& answer) const;

 private:
  // It has said nothing yet.
  struct Waiting {
    int connection;
    std::chrono::steady_clock::time_point until;
  };
  void take_connection();
  void drop_first();
  void wait_for_words();  // until somebody connects or speaks, or a connection has waited long enough
  void begin(int connection, const Answer& answer);
  void talk(int connection, const Answer& answer) const;

  int socket_ = -1;
  uint16_t port_ = 0;
  std::string token_;
  std::deque<Waiting> waiting_;  // the longest first
  std::vector<int> speaking_;    // that wait for a thread
};

}  // namespace jrec
