// SPDX-License-Identifier: Apache-2.0
// Attributes of a request, from the bytes that a thread has told to the text that the event has.
#include "recorder/chunk/context_facts.h"

#include <doctest/doctest.h>

#include <string>

namespace context_facts_test {

using namespace rec;

std::string piece(const std::string& text) { return static_cast<char>(text.size()) + text; }
std::string attribute(int index, const std::string& value) { return static_cast<char>(index) + piece(value); }

const std::string kKeys = piece("http.route") + piece("") + piece("tenant");

TEST_CASE("attributes have the names of their indexes, and the last value of each counts") {
  CHECK(attributes_text(attribute(2, "7") + attribute(0, "/old") + attribute(0, "/cart"), kKeys) ==
        "http.route=/cart,tenant=7");
  CHECK(attributes_text("", kKeys).empty());
  CHECK(attributes_text(attribute(0, ""), kKeys) == "http.route=");
}

TEST_CASE("attributes of an index without a name are left out, and a last one that is cut") {
  CHECK(attributes_text(attribute(1, "none") + attribute(3, "beyond") + attribute(255, "far") + attribute(2, "7"),
                        kKeys) == "tenant=7");
  const std::string two = attribute(0, "/cart") + attribute(2, "seven");
  for (size_t size = 7; size < two.size(); ++size)
    CHECK(attributes_text(two.substr(0, size), kKeys) == "http.route=/cart");
  CHECK(attributes_text(two, piece("http.route") + "\x09ten") == "http.route=/cart");
}

TEST_CASE("what separates attributes has a backslash in front where it is part of one") {
  CHECK(attributes_text(attribute(0, "a,b=c\\d"), kKeys) == "http.route=a\\,b\\=c\\\\d");
}

}  // namespace context_facts_test
