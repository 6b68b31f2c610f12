// SPDX-License-Identifier: Apache-2.0
#include "jrec/base/quiet.h"

namespace jrec {
namespace {

bool is_quiet = false;

}  // namespace

void set_quiet(bool quiet) { is_quiet = quiet; }

bool quiet() { return is_quiet; }

void add_quiet(Command& command, const std::string& what) {
  command
      .on_flag(
          "--quiet,-q", [] { set_quiet(true); }, what)
      .repeatable();
}

}  // namespace jrec
