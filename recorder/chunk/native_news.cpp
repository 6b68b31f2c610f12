// SPDX-License-Identifier: Apache-2.0
#include "recorder/chunk/native_news.h"

#include "recorder/chunk/event_encoder.h"

namespace rec {

void NativeNews::encode(int64_t ticks, EventEncoder& out) {
  for (const Module& module : modules) {
    jfr::ByteSink& body = out.begin(jfr::TypeId::kRecNativeModule, ticks);
    body.leb(module.library);
    body.text(module.path);
    body.text(module.build_id);
    for (const uint64_t each : {module.place.begin, module.place.end, module.place.file_offset, module.place.bias})
      body.leb(each);
    out.end();
  }
  for (const Function& function : functions) {
    jfr::ByteSink& body = out.begin(jfr::TypeId::kRecNativeFunction, ticks);
    for (const uint64_t each : {function.method, function.address}) body.leb(each);
    out.end();
  }
  clear();
}

void NativeNews::clear() {
  modules.clear();
  functions.clear();
}

}  // namespace rec
