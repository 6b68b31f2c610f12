// SPDX-License-Identifier: Apache-2.0
#include "agent/options/option_list.h"

namespace rec::agent {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  void step() { ++at_; }

  OptionItem item() {
    OptionItem item;
    item.offset = at_;
    item.key = until("=,");
    if (done() || text_[at_] == ',') return item;
    step();
    item.has_value = true;
    if (!done() && (text_[at_] == '"' || text_[at_] == '\'')) item.open_quote = !quoted(item.value);
    item.value += until(",");  // after a quote: what stands between it and the comma belongs to the value
    return item;
  }

 private:
  std::string until(std::string_view ends) {
    std::string out;
    for (; !done() && ends.find(text_[at_]) == std::string_view::npos; step()) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == ',') step();
      out += text_[at_];
    }
    return out;
  }

  bool quoted(std::string& out) {
    const char quote = text_[at_];
    step();
    const size_t start = at_;
    while (!done() && text_[at_] != quote) step();
    out = text_.substr(start, at_ - start);
    if (done()) return false;
    step();
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::vector<OptionItem> split_options(std::string_view text) {
  std::vector<OptionItem> items;
  for (Scanner scanner(text); !scanner.done(); scanner.step()) {
    OptionItem item = scanner.item();
    if (!item.key.empty() || item.has_value) items.push_back(std::move(item));
  }
  return items;
}

}  // namespace rec::agent
