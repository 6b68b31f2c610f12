// SPDX-License-Identifier: Apache-2.0
#include "jrec/open/loopback_server.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "jrec/base/append_format.h"
#include "jrec/base/deadline.h"
#include "jrec/open/request_head.h"

namespace jrec {
namespace {

base::Error system_error(const std::string& what) {
  return {base::ErrorCode::kSystem, 0, what + ": " + std::strerror(errno), errno};
}

constexpr uint32_t kLastPort = 65535;

sockaddr_in loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

const char* reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    default: return "Service Unavailable";
  }
}

// For this browser alone, now, and for no page of elsewhere.
std::string bytes_of(const WebAnswer& answer, bool with_body) {
  std::string out = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n",
      answer.status, reason_of(answer.status), answer.type, answer.body.size());
  if (answer.status == 405) out += "Allow: GET, HEAD\r\n";
  if (!answer.version.empty()) append_format(out, "ETag: \"{}\"\r\n", answer.version);
  out += "\r\n";
  if (with_body) out += answer.body;
  return out;
}

WebAnswer refusal(int status, std::string why) { return {.status = status, .body = why + "\n"}; }

// All of a head, or what has come of it when it is too long, too slow, or at its end.
std::string read_head(int connection) {
  const Deadline deadline(LoopbackServer::kPatience);
  std::string head;
  std::array<char, 4096> piece;
  while (end_of_head(head) == std::string::npos && head.size() < kLongestHead && !deadline.over()) {
    pollfd waiting{connection, POLLIN, 0};
    if (::poll(&waiting, 1, deadline.left_ms()) < 0 && errno != EINTR) break;
    if (waiting.revents == 0) continue;
    const ssize_t got = ::recv(connection, piece.data(), piece.size(), 0);
    if (got <= 0) break;
    head.append(piece.data(), static_cast<size_t>(got));
  }
  return head;
}

void send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
}

std::atomic<int> connections{0};

}  // namespace

LoopbackServer::~LoopbackServer() {
  if (socket_ >= 0) ::close(socket_);
}

base::Status LoopbackServer::listen(uint32_t port) {
  if (port > kLastPort) return base::Error{base::ErrorCode::kUsage, 0, fmt::format("there is no port {}", port)};
  std::array<unsigned char, 16> random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
    return system_error("no random token");
  for (const unsigned char byte : random) append_format(token_, "{:02x}", byte);
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  if (socket_ < 0 || ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0)
    return system_error("no socket");
  sockaddr_in address = loopback(static_cast<uint16_t>(port));
  socklen_t size = sizeof address;
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) < 0 ||
      ::listen(socket_, kMostConnections) < 0 ||
      ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) < 0)
    return system_error(fmt::format("cannot listen at port {}", port));
  port_ = ntohs(address.sin_port);
  return base::Done{};
}

std::string LoopbackServer::address() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, token_); }

std::string LoopbackServer::reply(const std::string& text, const Answer& answer) const {
  if (text.empty()) return {};
  const size_t end = end_of_head(text);
  const auto head = end == std::string::npos ? std::nullopt : parse_head(std::string_view(text).substr(0, end));
  if (!head) return bytes_of(refusal(400, "no request"), true);
  const bool with_body = head->method != "HEAD";
  if (head->host != fmt::format("127.0.0.1:{}", port_) && head->host != fmt::format("localhost:{}", port_))
    return bytes_of(refusal(403, "another host"), with_body);
  if (head->method != "GET" && with_body) return bytes_of(refusal(405, "only GET and HEAD"), true);
  const std::string front = "/" + token_ + "/";
  if (!head->target.starts_with(front)) return bytes_of(refusal(404, "nothing here"), with_body);
  return bytes_of(answer(head->target.substr(front.size())), with_body);
}

void LoopbackServer::talk(int connection, const Answer& answer) const {
  send_all(connection, reply(read_head(connection), answer));
  ::shutdown(connection, SHUT_WR);
}

void LoopbackServer::take_connection() {
  const int connection = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection < 0) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return;
  }
  const timeval patience{kPatience.count(), 0};
  ::setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  waiting_.push_back({connection, std::chrono::steady_clock::now() + kPatience});
  if (waiting_.size() > kMostConnections) drop_first();
}

void LoopbackServer::drop_first() {
  ::close(waiting_.front().connection);
  waiting_.pop_front();
}

void LoopbackServer::wait_for_words() {
  std::vector<pollfd> all{{socket_, POLLIN, 0}};
  for (const Waiting& each : waiting_) all.push_back({each.connection, POLLIN, 0});
  const auto patience = waiting_.empty() ? kPatience : waiting_.front().until - std::chrono::steady_clock::now();
  const auto wait_ms = std::chrono::ceil<std::chrono::milliseconds>(patience).count();
  if (::poll(all.data(), all.size(), static_cast<int>(std::max<int64_t>(0, wait_ms))) < 0) return;
  for (size_t i = all.size(); i-- > 1;) {
    if (all[i].revents == 0) continue;
    speaking_.push_back(all[i].fd);
    waiting_.erase(waiting_.begin() + static_cast<ptrdiff_t>(i - 1));
  }
  while (!waiting_.empty() && waiting_.front().until <= std::chrono::steady_clock::now()) drop_first();
  if (all.front().revents != 0) take_connection();
}

void LoopbackServer::begin(int connection, const Answer& answer) {
  if (connections.fetch_add(1) >= kMostConnections) {
    send_all(connection, bytes_of(refusal(503, "too many at a time"), true));
    ::close(connection);
    connections.fetch_sub(1);
    return;
  }
  const auto serve_one = [this, connection, answer] {
    talk(connection, answer);
    ::close(connection);
    connections.fetch_sub(1);
  };
  try {
    std::thread(serve_one).detach();
  } catch (const std::system_error&) {  // no thread is to be had
    serve_one();
  }
}

void LoopbackServer::serve(const Answer& answer) {
  for (;;) {
    wait_for_words();
    for (const int connection : std::exchange(speaking_, {})) begin(connection, answer);
  }
}

}  // namespace jrec
