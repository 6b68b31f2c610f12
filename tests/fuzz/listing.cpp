// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: whatever an object store gives as a listing, reading it must not crash, and gives keys that begin as was asked.
//   fuzz_listing -max_len=4096 CORPUS
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "jrec/http/object_list.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string xml(reinterpret_cast<const char*>(data), size);
  const auto page = jrec::ObjectPage::of(xml, "a/");
  if (!page) return 0;
  for (const std::string& key : page->keys)
    if (!key.starts_with("a/") || key.size() > size) std::abort();
  if (jrec::list_query("a/", page->next).find('\n') != std::string::npos) std::abort();
  return 0;
}
