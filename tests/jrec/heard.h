// SPDX-License-Identifier: Apache-2.0
// Runs a command line of jrec in this process, as a shell would: what it says on standard output and standard error,
// and its exit code.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "jrec/command/commands.h"
#include "tests/jrec/commands.h"

namespace test {

struct Heard {
  int code = -1;
  std::string out, err;
};

// Standard output or error goes to a file as long as it lives.
class Into {
 public:
  Into(int fd, const std::string& path) : fd_(fd), saved_(::dup(fd)) {
    const int file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    std::fflush(nullptr);
    ::dup2(file, fd_);
    ::close(file);
  }
  ~Into() {
    std::fflush(nullptr);
    ::dup2(saved_, fd_);
    ::close(saved_);
  }
  Into(const Into&) = delete;
  Into& operator=(const Into&) = delete;

 private:
  int fd_;
  int saved_;
};

inline Heard hear(const Workplace& place, const std::vector<std::string>& command) {
  std::vector<const char*> words = {"jrec"};
  for (const std::string& word : command) words.push_back(word.c_str());
  Heard heard;
  {
    const Into out(STDOUT_FILENO, place.path("heard.out")), err(STDERR_FILENO, place.path("heard.err"));
    heard.code = jrec::run(static_cast<int>(words.size()), words.data());
  }
  heard.out = place.read("heard.out");
  heard.err = place.read("heard.err");
  return heard;
}

}  // namespace test
