// SPDX-License-Identifier: Apache-2.0
// Runs commands of jrec on recordings that a test has built: in a directory of its own, with the output as a string.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "jrec/base/inputs.h"
#include "jrec/base/output.h"
#include "tests/format/reader_builder.h"

namespace test {

// What a command printed, and its exit code.
struct Said {
  int code = 0;
  std::string text;
};

class Workplace {
 public:
  Workplace() {
    std::string pattern = (std::filesystem::temp_directory_path() / "jrec-test-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
  }
  ~Workplace() { std::filesystem::remove_all(directory_); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  std::string write(const std::string& name, const Bytes& bytes) const {
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path(name);
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return text.str();
  }

  // What `command(out)` printed; its exit code goes to code.
  template <typename Command>
  std::string output_of(Command command, int& code) const {
    const int fd = ::open(path("stdout").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    jrec::Output out(fd);
    jrec::forget_inputs();  // another command of the same process
    code = command(out);
    out.flush();
    ::close(fd);
    return read("stdout");
  }

  // Of a function as run_print(options, out).
  template <typename Run, typename Options>
  Said run(Run command, const Options& options) const {
    Said said;
    said.text = output_of([&](jrec::Output& out) { return command(options, out); }, said.code);
    return said;
  }

 private:
  std::string directory_;
};

}  // namespace test
