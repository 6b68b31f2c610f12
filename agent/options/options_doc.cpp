// SPDX-License-Identifier: Apache-2.0
// Prints docs/options.md.
#include <cstdio>

#include "agent/options/help.h"

int main() { return std::fputs(rec::agent::options_markdown().c_str(), stdout) < 0 ? 1 : 0; }
