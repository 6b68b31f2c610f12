// SPDX-License-Identifier: Apache-2.0
// Findings for people, for programs and for pull requests. Foreign texts are escaped.
#pragma once

#include <cstddef>
#include <string>

#include "jrec/findings/finding.h"

namespace jrec {

// A heading, each finding, what could not be judged and why. width: columns of a line.
void append_findings_text(const std::string& file, const Findings& findings, size_t width, std::string& out);
// {"file":...,"findings":[...],"unjudged":[...],"fine":[...]}
void append_findings_json(const std::string& file, const Findings& findings, std::string& out);
void append_findings_markdown(const std::string& file, const Findings& findings, std::string& out);

}  // namespace jrec
