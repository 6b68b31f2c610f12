// SPDX-License-Identifier: Apache-2.0
#ifndef REC_STATIC_JREC
#include "jrec/http/curl_api.h"

#include <dlfcn.h>

#include <optional>

#include "jrec/base/loaded_function.h"

namespace jrec {
namespace {

constexpr char kLibrary[] = "libcurl.so.4";

std::optional<CurlApi> load() {
  void* library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  CurlApi api;
  const bool all =
      library != nullptr && find_function(library, "curl_easy_init", api.easy_init) &&
      find_function(library, "curl_easy_cleanup", api.easy_cleanup) &&
      find_function(library, "curl_easy_reset", api.easy_reset) &&
      find_function(library, "curl_easy_setopt", api.easy_setopt) &&
      find_function(library, "curl_easy_getinfo", api.easy_getinfo) &&
      find_function(library, "curl_easy_perform", api.easy_perform) &&
      find_function(library, "curl_easy_strerror", api.easy_strerror) &&
      find_function(library, "curl_easy_escape", api.easy_escape) && find_function(library, "curl_free", api.free) &&
      find_function(library, "curl_slist_append", api.slist_append) &&
      find_function(library, "curl_slist_free_all", api.slist_free_all) &&
      find_function(library, "curl_url", api.url) && find_function(library, "curl_url_cleanup", api.url_cleanup) &&
      find_function(library, "curl_url_set", api.url_set) && find_function(library, "curl_url_get", api.url_get) &&
      find_function(library, "curl_url_strerror", api.url_strerror);
  return all ? std::optional(api) : std::nullopt;
}

}  // namespace

const CurlApi* curl_api() {
  static const std::optional<CurlApi> api = load();
  return api ? &*api : nullptr;
}

}  // namespace jrec
#endif
