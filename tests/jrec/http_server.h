// SPDX-License-Identifier: Apache-2.0
// HttpServer is a server on the loopback that answers what a test has written down, and remembers what it was sent.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace test {

struct HeardRequest {
  std::string line, headers, body;
};

class HttpServer {
 public:
  // The answers in their order, as "503 Busy\r\nRetry-After: 1"; the last one for all that comes later.
  explicit HttpServer(std::vector<std::string> answers, std::string body = "")
      : answers_(std::move(answers)), body_(std::move(body)), socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::listen(socket_, 16);
    socklen_t size = sizeof address;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~HttpServer() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<HeardRequest> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void serve() {
    for (int client; (client = ::accept(socket_, nullptr, nullptr)) >= 0; ::close(client)) answer(client);
  }

  void answer(int client) {
    std::string text;
    const auto read_more = [&] {
      char bytes[65536];
      const ssize_t got = ::read(client, bytes, sizeof bytes);
      if (got > 0) text.append(bytes, static_cast<size_t>(got));
      return got > 0;
    };
    size_t head = 0;
    while ((head = text.find("\r\n\r\n")) == std::string::npos)
      if (!read_more()) return;
    const size_t place = text.find("Content-Length: ");
    const size_t length = place < head ? std::stoul(text.substr(place + 16)) : 0;
    while (text.size() < head + 4 + length)
      if (!read_more()) return;
    const size_t line = text.find("\r\n");
    const std::lock_guard lock(mutex_);
    const std::string& said = answers_[std::min(requests_.size(), answers_.size() - 1)];
    requests_.push_back({text.substr(0, line), text.substr(line, head - line), text.substr(head + 4)});
    const std::string reply = "HTTP/1.1 " + said +
                              "\r\nConnection: close\r\nContent-Length: " + std::to_string(body_.size()) + "\r\n\r\n" +
                              body_;
    if (::send(client, reply.data(), reply.size(), MSG_NOSIGNAL) < 0) return;
  }

  std::vector<std::string> answers_;
  std::string body_;
  int socket_;
  uint16_t port_ = 0;
  std::mutex mutex_;
  std::vector<HeardRequest> requests_;
  std::thread thread_;
};

}  // namespace test
