// SPDX-License-Identifier: Apache-2.0
// FakeJvm is a child process that looks like a JVM to jrec: it has a libjvm.so mapped, handles SIGQUIT, and then plays
// the attach listener the way a test wants. All of its requests are kept in a file.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "agent/options/option_list.h"
#include "tests/jrec/commands.h"

namespace test {

using Words = std::vector<std::string>;

// What a test needs to know of a request: "1", "load", PATH, "true", OPTIONS.
inline std::string option_of(const Words& request, const std::string& key) {
  if (request.size() < 5) return "";
  for (const auto& item : rec::agent::split_options(request[4])) {
    if (item.key == key) return item.value;
  }
  return "";
}

inline void put(int fd, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = ::send(fd, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (n <= 0) return;
    done += static_cast<size_t>(n);
  }
}

// Writes into the file that `answer=` names, as the agent does.
inline void answer(const Words& request, const std::string& text) {
  const int fd = ::open(option_of(request, "answer").c_str(), O_WRONLY | O_NOFOLLOW);
  if (fd >= 0 && ::write(fd, text.data(), text.size()) >= 0) ::close(fd);
}

class FakeJvm {
 public:
  using Listener = std::function<void(int fd, const Words& request)>;

  struct Looks {
    bool jvm = true;             // libjvm.so is mapped
    bool agent = false;          // librec.so is mapped
    bool handles_quit = true;    // else SIGQUIT kills
    bool makes_socket = true;    // on SIGQUIT, when the trigger file is there
    bool listens_early = false;  // without SIGQUIT, as with -Xrs
  };

  FakeJvm(const Looks& looks, Listener listener) : looks_(looks), listener_(std::move(listener)) {
    place_.write("libjvm.so", Bytes(4096));
    place_.write("librec.so", Bytes(4096));
    int ready[2];
    if (::pipe(ready) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ready[0]);
      live(ready[1]);
      ::_exit(0);
    }
    ::close(ready[1]);
    char byte;
    if (::read(ready[0], &byte, 1) != 1) std::abort();
    ::close(ready[0]);
  }
  ~FakeJvm() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    ::unlink(socket_path().c_str());
  }
  FakeJvm(const FakeJvm&) = delete;
  FakeJvm& operator=(const FakeJvm&) = delete;

  pid_t pid() const { return pid_; }
  std::string target() const { return std::to_string(pid_); }
  std::string agent() const { return place_.path("librec.so"); }
  std::string socket_path() const { return "/tmp/.java_pid" + target(); }
  std::string trigger_path() const { return "/tmp/.attach_pid" + target(); }
  bool lives() const { return ::waitpid(pid_, nullptr, WNOHANG) == 0; }
  bool was_signalled() const { return std::filesystem::exists(place_.path("signalled")); }
  void stop() const {
    int status = 0;
    ::kill(pid_, SIGSTOP);
    ::waitpid(pid_, &status, WUNTRACED);
  }

  // The words of the last request.
  Words request() const { return split(place_.read("request")); }

  // A socket at the JVM's place that somebody else listens at.
  static int listen_at(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path.c_str());
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(fd, 5) != 0) return -1;
    return fd;
  }

 private:
  static Words split(const std::string& bytes) {
    Words words;
    for (size_t at = 0, end; (end = bytes.find('\0', at)) != std::string::npos; at = end + 1)
      words.push_back(bytes.substr(at, end - at));
    return words;
  }

  static int& quit_pipe() {
    static int fd = -1;
    return fd;
  }
  static void on_quit(int) {
    const char byte = 1;
    if (::write(quit_pipe(), &byte, 1) < 0) ::_exit(3);
  }

  void map(const std::string& name) const {
    const int fd = ::open(place_.path(name).c_str(), O_RDONLY);
    ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
  }

  // All below runs in the child.
  void live(int ready) {
    int quits[2];
    if (::pipe(quits) != 0) ::_exit(2);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves nobody behind
    quit_pipe() = quits[1];
    ::signal(SIGQUIT, looks_.handles_quit ? on_quit : SIG_DFL);
    if (looks_.jvm) map("libjvm.so");
    if (looks_.agent) map("librec.so");
    const std::string socket = "/tmp/.java_pid" + std::to_string(::getpid());
    ::unlink(socket.c_str());
    int listening = looks_.listens_early ? listen_at(socket) : -1;
    if (::write(ready, "r", 1) != 1) ::_exit(2);
    char byte;
    while (listening < 0 && (::read(quits[0], &byte, 1) == 1 || errno == EINTR)) {
      place_.write("signalled", {});
      const std::string trigger = "/tmp/.attach_pid" + std::to_string(::getpid());
      if (looks_.makes_socket && std::filesystem::exists(trigger)) listening = listen_at(socket);
    }
    for (;;) serve(::accept(listening, nullptr, nullptr));
  }

  void serve(int fd) const {
    std::string bytes;
    char piece[4096];
    while (split(bytes).size() < 5) {
      const ssize_t n = ::read(fd, piece, sizeof piece);
      if (n <= 0) break;
      bytes.append(piece, static_cast<size_t>(n));
    }
    place_.write("request", Bytes(bytes.begin(), bytes.end()));
    listener_(fd, split(bytes));
    ::close(fd);
  }

  Workplace place_;
  Looks looks_;
  Listener listener_;
  pid_t pid_ = -1;
};

}  // namespace test
