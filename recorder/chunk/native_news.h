// SPDX-License-Identifier: Apache-2.0
// NativeNews is what a chunk has to tell of native code besides its constants: which library the class of a frame is, and
// where in it the method lies. Events say so (rec.NativeModule, rec.NativeFunction), since constants of JFR's types have no
// room for it. Each library and each place once a chunk. By these a name can be found, or mended, on another machine.
// Recorder thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recorder/spool/facts.h"

namespace rec {

class EventEncoder;

struct NativeNews {
  struct Module {
    uint64_t library = 0;  // key of its class
    std::string path, build_id;
    LoadPlace place;  // where it lay when it was tagged; zeros: not known
  };
  struct Function {
    uint64_t method = 0;   // its key
    uint64_t address = 0;  // in the file. A method may have several: parts and copies of a function
  };
  std::vector<Module> modules;
  std::vector<Function> functions;

  // As events of that time; then it is empty.
  void encode(int64_t ticks, EventEncoder& out);
  void clear();
};

}  // namespace rec
