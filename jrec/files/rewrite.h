// SPDX-License-Identifier: Apache-2.0
// jrec cut and jrec scrub: a recording, once more, with less in it.
//
//   cut     some of the events; the constants stay            small and quick
//   scrub   some of the events, only the constants that these reach, and no secrets if so asked: what is left out can
//           be found nowhere in the output's bytes
#pragma once

#include <string>

#include "jrec/base/exit_code.h"
#include "jrec/base/output.h"
#include "jrec/files/event_selection.h"

namespace jrec {

struct RewriteOptions {
  std::string file;
  std::string out;  // "-": standard output. Empty: beside the input, FILE-scrubbed.jfr
  SelectionOptions selection;
  bool prune = false;    // constants that no event reaches go, too
  bool secrets = false;  // are replaced (secret_edit.h)
};

ExitCode run_rewrite(const RewriteOptions& options, Output& out);

}  // namespace jrec
