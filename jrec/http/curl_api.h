// SPDX-License-Identifier: Apache-2.0
// libcurl, loaded when somebody goes to a server: its thirty libraries take 10 ms, which every other command would pay.
#pragma once

#include <curl/curl.h>

#undef curl_easy_setopt  // macros that check types at the call of the function by that name
#undef curl_easy_getinfo

namespace jrec {

struct CurlApi {
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_reset) easy_reset = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_perform) easy_perform = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_easy_escape) easy_escape = nullptr;
  decltype(&curl_free) free = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
  decltype(&curl_url) url = nullptr;
  decltype(&curl_url_cleanup) url_cleanup = nullptr;
  decltype(&curl_url_set) url_set = nullptr;
  decltype(&curl_url_get) url_get = nullptr;
  decltype(&curl_url_strerror) url_strerror = nullptr;
};

// Loaded at the first call, for good. Null: it is not installed, or is older than 7.85.
const CurlApi* curl_api();

}  // namespace jrec
