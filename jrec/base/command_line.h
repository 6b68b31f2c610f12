// SPDX-License-Identifier: Apache-2.0
// CommandLine turns words into options. What can be said is declared first, Command by Command and Option by Option:
//
//   CommandLine line("sheep", "Counts sheep", "1.2");
//   Command count = line.root().add_command("count", "How many there are");
//   count.add_option("FILE", options->file, "the flock").required();
//   count.add_option("-n,--rows", options->rows, "rows to print").default_str("20");
//   count.add_flag("--json", options->json, "one JSON object");
//   const CommandLine::Answer answer = line.parse(argc, argv);
//
// Names are written as in "--output,-o"; a name without hyphens stands for a word at its place. Variables take what was
// said during parse() and keep their value if nothing was; they must live until then. Command and Option only point at
// what the CommandLine owns: they are copied freely, and are not used after it.
//
// The parser behind it is CLI11. Its header takes five seconds to compile, so command_line.cpp alone includes it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jrec/base/command_words.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace jrec {

// Something that can be said to a command. Its methods return it, so that they can be written in a row.
class Option {
 public:
  explicit Option(CLI::Option* parsed) : parsed_(parsed) {}

  Option required();
  Option default_str(const std::string& text);  // what --help shows as the default; the variable holds the real one
  Option type_name(const std::string& text);    // what --help shows in place of TEXT or INT
  Option excludes(Option other);                // they cannot be said together
  Option needs(Option other);                   // it makes sense beside that one only
  Option repeatable();                          // a flag may be said again, and that means the same
  Option words(int least, int most);            // how many follow the name
  Option one_word();                            // one follows each name; the name may be said again
  Option delimiter(char between);               // a,b is a and b

  // What is accepted, bounds included. --help tells.
  Option in_range(int least, int most);
  Option in_range(uint64_t least, uint64_t most);
  Option in_range(double least, double most);
  Option one_of(const std::vector<std::string>& words);
  // The check returns what is wrong with a word; nothing: it is fine.
  Option check(std::function<std::string(const std::string&)> check);

 private:
  CLI::Option* parsed_;
};

class Command {
 public:
  explicit Command(CLI::App* parser) : parser_(parser) {}

  // A command below this one. It takes the options of this one, too, if the root was told.
  Command add_command(const std::string& name, const std::string& what);
  void require_command();                // one of those below must be said
  std::string chosen_command() const;    // the name of the one that was said; after parse() only
  void under(const std::string& topic);  // in --help; not empty
  void hide();                           // from --help, the completions and the manual

  // T is bool for flags, and else std::string, a vector of them, int, int64_t, uint32_t, uint64_t, double or
  // std::optional<uint32_t>: command_line.cpp has them all.
  template <typename T>
  Option add_option(const std::string& names, T& variable, const std::string& what);
  Option add_flag(const std::string& names, bool& variable, const std::string& what);
  // They call instead of storing, during parse(), in the order in which they were declared.
  Option on_flag(const std::string& names, std::function<void()> call, const std::string& what);
  Option on_text(const std::string& names, std::function<void(const std::string&)> call, const std::string& what);
  Option on_texts(const std::string& names, std::function<void(const std::vector<std::string>&)> call,
                  const std::string& what);
  Option option(const std::string& name);  // one that was added before, by one of its names

 private:
  CLI::App* parser_;
};

class CommandLine {
 public:
  // What is to be done: run the chosen command; print the text, which was asked for; or complain of it.
  struct Answer {
    enum Kind { kRun, kPrint, kRefuse } kind;
    std::string text;
  };

  // The root has --help and --version. Options of the root may also stand behind the command.
  CommandLine(const std::string& program, const std::string& what, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command root() { return Command(parser_.get()); }
  Answer parse(int argc, const char* const* argv);

  std::string help() const;  // of all of it

  // All that can be said, without what is hidden.
  ProgramWords words() const;

 private:
  // In words that name what was meant, where the parser's do not.
  std::string refusal(const std::string& complaint) const;

  std::unique_ptr<CLI::App> parser_;
  std::string version_;
};

}  // namespace jrec
