// SPDX-License-Identifier: Apache-2.0
// Damages recordings thousands of times and gives each to every command of jrec that reads one.
//
//   mutation_driver --jrec PATH [--count 10000] [--first 0] FILE...
//
// The victims are each file joined with the next one, so that there are chunks of two programs. Each command is run as
// a process, limited in CPU time and address space, its peak memory measured. What must hold:
//
//   no signal, no hang, no memory out of proportion          exit code 0, 2 or 3; 1 where a filter finds no field
//   exit code 2 comes with the offset of the damage          every line of an undamaged chunk is printed
//   what cut, scrub and merge wrote is read without complaint
//
// A line for each damage that breaks one of these, with the number that makes it again; the file is kept beside. Ends
// with a line of figures, and with 1 if there was anything.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string_view>

#include "jrec/base/exit_code.h"
#include "tests/mutation.h"

namespace {

using test::Bytes;
using test::Mutation;
using test::Victim;
using Words = std::vector<std::string>;

constexpr int kDeadline_s = 10;  // of CPU time, for a command
constexpr rlim_t kAddressSpace = rlim_t{2} << 30;
constexpr size_t kMemoryAtRest = size_t{64} << 20, kMemoryPerByte = 24;

Bytes read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::vector<Words> all_commands(const std::string& file, const std::string& other, const std::string& out) {
  std::vector<Words> commands = {{"print", "--json-lines", "--stack-depth", "4", file},
                                 {"verify", file},
                                 {"verify", "--json", file},
                                 {"summary", file},
                                 {"summary", "--json", file},
                                 {"print", file},
                                 {"print", "--json", file},
                                 {"print", "--xml", "--stack-depth", "16", file},
                                 {"print", "--csv", "--events", "jdk.ExecutionSample", file},
                                 {"print", "--where", "duration > 1ms and eventThread.javaName = 'a*'", file},
                                 {"metadata", file},
                                 {"collapsed", "--lines", file},
                                 {"collapsed", "--event", "wall", file},
                                 {"hot", file},
                                 {"findings", file},
                                 {"findings", "--json", file},
                                 {"flame", "--text", file},
                                 {"flame", "-o", out + ".html", file},
                                 {"heatmap", "-o", out + ".html", file},
                                 {"diff", other, file},
                                 {"cut", file, "-q", "-o", out + "cut.jfr", "--from", "10ms"},
                                 {"summary", out + "cut.jfr"},
                                 {"scrub", file, "-q", "-o", out + "scrub.jfr", "--secrets"},
                                 {"summary", out + "scrub.jfr"},
                                 {"symbolize", file, "-q", "-o", out + "symbolize.jfr"},
                                 {"summary", out + "symbolize.jfr"},
                                 {"merge", other, file, "-q", "-o", out + "merge.jfr"},
                                 {"summary", out + "merge.jfr"},
                                 {"export", file, "-q", "--parquet", out + "fleet"},
                                 {"disassemble", file, "-q", "--to", out + "pieces", "--max-chunks", "1"}};
  for (const char* format : {"collapsed", "pprof", "otlp", "speedscope", "firefox", "chrome", "csv"})
    commands.push_back({"convert", "-f", format, "-o", out + ".converted", file});
  return commands;
}

// The lines of `print`, as hashes, ascending. Times are left out of them: by the clock of the chunk in front they may
// be some nanoseconds off.
std::vector<size_t> line_hashes(const std::string& path) {
  std::vector<size_t> hashes;
  std::ifstream in(path);
  std::string line, kept;
  while (std::getline(in, line)) {
    kept.clear();
    for (size_t i = 0; i < line.size();) {
      const bool time = line[i] == '"' && i + 6 < line.size() &&
                        (line.compare(i + 1, 2, "PT") == 0 || line.compare(i + 1, 3, "-PT") == 0 ||
                         (std::isdigit(line[i + 1]) != 0 && std::isdigit(line[i + 4]) != 0 && line[i + 5] == '-'));
      if (!time) {
        kept += line[i++];
        continue;
      }
      i = line.find('"', i + 1);
      if (i == std::string::npos) break;
      ++i;
    }
    hashes.push_back(std::hash<std::string>()(kept));
  }
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

void redirect(int fd, const std::string& path) {
  const int opened = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  ::dup2(opened, fd);
  ::close(opened);
}

[[noreturn]] void execute(const std::string& jrec, const Words& words, const std::string& said,
                          const std::string& complaint) {
  redirect(STDOUT_FILENO, said);
  redirect(STDERR_FILENO, complaint);
  const struct rlimit space { kAddressSpace, kAddressSpace };
  const struct rlimit time { kDeadline_s, kDeadline_s };
  const struct rlimit no_core { 0, 0 };
  ::setrlimit(RLIMIT_AS, &space);
  ::setrlimit(RLIMIT_CPU, &time);
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(30 * kDeadline_s);  // for what waits and does not work
  std::vector<const char*> argv = {"jrec", "--jobs", "2"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  argv.push_back(nullptr);
  ::execv(jrec.c_str(), const_cast<char* const*>(argv.data()));
  std::_Exit(127);
}

struct Ran {
  int status = 0;
  size_t peak_bytes = 0;
};

class Driver {
 public:
  Driver(std::string jrec, std::string directory) : jrec_(std::move(jrec)), directory_(std::move(directory)) {}

  void add_victim(Bytes bytes) {
    auto victim = std::make_unique<Victim>(std::move(bytes));
    if (victim->chunks.empty()) return;
    std::vector<std::vector<size_t>> lines;
    for (const auto& chunk : victim->chunks) lines.push_back(lines_of(*victim, chunk));
    victims_.push_back(std::move(victim));
    expected_.push_back(std::move(lines));
  }

  bool ready() const { return !victims_.empty(); }

  void run(uint64_t number) {
    const size_t index = number % victims_.size();
    const Mutation mutation = mutate(*victims_[index], number);
    const std::string file = directory_ + "/in.jfr", other = directory_ + "/other.jfr";
    write_file(file, mutation.bytes);
    write_file(other, victims_[(index + 1) % victims_.size()]->bytes);
    start_afresh();
    ++done_;
    ++kinds_[mutation.kind];
    bool first = true, seen = false;
    verdict_ = WEXITSTATUS(run_words({"verify", file}).status);
    for (const Words& words : all_commands(file, other, directory_ + "/out-")) {
      const bool of_output = words[0] == "summary" && words.back().find("/out-") != std::string::npos;
      if (of_output && !std::filesystem::exists(words.back())) continue;
      ++runs_;
      std::string why = judge(words, of_output, run_words(words), mutation.bytes.size(), seen);
      if (first && why.empty()) why = missing_lines(mutation, expected_[index]);
      first = false;
      if (!why.empty()) return tell(number, mutation, words, why);
    }
    seen_ += seen;
  }

  int finish() {
    fmt::print("{} mutations of {} recordings, {} runs of commands: {} wrong, damage seen in {}, at most {} MiB\n",
               done_, victims_.size(), runs_, bad_, seen_, most_memory_ >> 20);
    for (const auto& [kind, count] : kinds_) fmt::print("  {:6} {}\n", count, kind);
    return bad_ == 0 ? 0 : 1;
  }

 private:
  std::string said() const { return directory_ + "/stdout"; }
  std::string complaint() const { return directory_ + "/stderr"; }

  void start_afresh() {
    std::filesystem::remove_all(directory_ + "/out-pieces");
    std::filesystem::create_directory(directory_ + "/out-pieces");
    std::filesystem::remove_all(directory_ + "/out-fleet");
    for (const char* name : {"cut", "scrub", "symbolize", "merge"})
      std::filesystem::remove(directory_ + "/out-" + name + ".jfr");
  }

  Ran run_words(const Words& words) {
    const pid_t child = ::fork();
    if (child == 0) execute(jrec_, words, said(), complaint());
    Ran ran;
    struct rusage usage {};
    ::wait4(child, &ran.status, 0, &usage);
    ran.peak_bytes = static_cast<size_t>(usage.ru_maxrss) * 1024;
    most_memory_ = std::max(most_memory_, ran.peak_bytes);
    return ran;
  }

  std::vector<size_t> lines_of(const Victim& victim, const jfr::read::ChunkExtent& chunk) {
    const auto from = victim.bytes.begin() + static_cast<ptrdiff_t>(chunk.offset);
    const std::string file = directory_ + "/chunk.jfr";
    write_file(file, Bytes(from, from + static_cast<ptrdiff_t>(chunk.size)));
    run_words({"print", "--json-lines", "--stack-depth", "4", file});
    return line_hashes(said());
  }

  // Empty when all is well.
  std::string judge(const Words& words, bool of_output, const Ran& ran, size_t size, bool& seen) {
    if (WIFSIGNALED(ran.status)) {
      const int signal = WTERMSIG(ran.status);
      const bool slow = signal == SIGXCPU || signal == SIGALRM || signal == SIGKILL;
      return fmt::format("signal {}{}", signal, slow ? " (too slow)" : "");
    }
    if (ran.peak_bytes > kMemoryAtRest + kMemoryPerByte * size)
      return fmt::format("{} KiB of memory for {} bytes", ran.peak_bytes >> 10, size);
    const int code = WEXITSTATUS(ran.status);
    const bool may_refuse = words[1] == "--csv" || words[1] == "--where" || words[0] == "cut";
    if (!of_output && verdict_ == jrec::kDamaged && code == jrec::kDone) return "ends well, and verify does not";
    const bool allowed = code == jrec::kDone || code == jrec::kDamaged ||
                         (!of_output && code == jrec::kNothingReadable) || (may_refuse && code == jrec::kUsageError);
    if (!allowed) return fmt::format("exit code {}", code);
    if (code != jrec::kDamaged) return "";
    seen = true;
    const Bytes text = read_file(words[0] == "verify" ? said() : complaint());
    const std::string_view all(reinterpret_cast<const char*>(text.data()), text.size());
    const char* sign = words[0] == "verify" && words[1] == "--json" ? "\"offset\":" : "at 0x";
    return all.find(sign) == std::string_view::npos ? "exit code 2 without an offset" : "";
  }

  std::string missing_lines(const Mutation& mutation, const std::vector<std::vector<size_t>>& expected) {
    std::vector<size_t> wanted, missing;
    for (size_t i = 0; i < expected.size(); ++i)
      if (mutation.spared(i)) wanted.insert(wanted.end(), expected[i].begin(), expected[i].end());
    std::sort(wanted.begin(), wanted.end());
    const std::vector<size_t> got = line_hashes(said());
    std::set_difference(wanted.begin(), wanted.end(), got.begin(), got.end(), std::back_inserter(missing));
    return missing.empty()
               ? ""
               : fmt::format("{} of {} lines of undamaged chunks are missing", missing.size(), wanted.size());
  }

  void tell(uint64_t number, const Mutation& mutation, const Words& words, const std::string& why) {
    ++bad_;
    const std::string kept = fmt::format("{}/bad-{}.jfr", directory_, number);
    write_file(kept, mutation.bytes);
    fmt::print("FAIL mutation {} ({}, chunk {}): jrec {} {}: {}; kept as {}\n", number, mutation.kind, mutation.chunk,
               words[0], words[1].find('/') == std::string::npos ? words[1] : "", why, kept);
    std::fflush(stdout);
  }

  std::string jrec_, directory_;
  std::vector<std::unique_ptr<Victim>> victims_;
  std::vector<std::vector<std::vector<size_t>>> expected_;  // by victim and chunk
  std::map<std::string, size_t> kinds_;
  int verdict_ = 0;  // of verify, on the mutation at hand
  size_t done_ = 0, runs_ = 0, bad_ = 0, seen_ = 0, most_memory_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  uint64_t count = 10000, first = 0;
  std::string jrec;
  Words files;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--jrec" && i + 1 < argc)
      jrec = argv[++i];
    else if (word == "--count" && i + 1 < argc)
      count = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--first" && i + 1 < argc)
      first = std::strtoull(argv[++i], nullptr, 10);
    else
      files.push_back(word);
  }
  std::string directory = (std::filesystem::temp_directory_path() / "jrec-mutations-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) return 1;
  Driver driver(jrec, directory);
  for (size_t i = 0; i < files.size(); ++i) {
    Bytes bytes = read_file(files[i]);
    const Bytes next = read_file(files[(i + 1) % files.size()]);
    bytes.insert(bytes.end(), next.begin(), next.end());
    driver.add_victim(std::move(bytes));
  }
  if (::access(jrec.c_str(), X_OK) != 0 || !driver.ready()) {
    fmt::print("mutation_driver: --jrec names no program, or none of the files is a recording\n");
    std::filesystem::remove_all(directory);
    return 1;
  }
  for (uint64_t i = 0; i < count; ++i) driver.run(first + i);
  const int code = driver.finish();
  if (code == 0) std::filesystem::remove_all(directory);
  return code;
}
