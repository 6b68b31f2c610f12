// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace base;

TEST_CASE("two swapped letters are one mistake") {
  CHECK(edit_distance("filenmae", "filename") == 1);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "abc") == 0);
}

TEST_CASE("a misspelt command is guessed when it is near") {
  const std::vector<std::string> commands = {"summary", "print", "collapsed", "flame", "hot"};
  CHECK(nearest("sumary", commands) == "summary");
  CHECK(nearest("flmae", commands) == "flame");
  CHECK(nearest("prnt", commands) == "print");
  CHECK(nearest("qwertz", commands).empty());
}

TEST_CASE("letters in another case are no mistake") {
  const std::vector<std::string_view> keys = {"filename", "interval"};
  CHECK(edit_distance("FileName", "filename") == 0);
  CHECK(nearest("FileNmae", keys) == "filename");
}

TEST_CASE("of words that are equally near the first is meant") {
  CHECK(nearest("hat", std::vector<std::string>{"hot", "hit"}) == "hot");
}

TEST_CASE("nothing is near a word that shares nothing with any, or that is too long for a mistake") {
  CHECK(nearest("ab", std::vector<std::string>{"cd"}).empty());
  CHECK(nearest("", std::vector<std::string>{"a"}).empty());
  CHECK(nearest(std::string(65, 'x'), std::vector<std::string>{std::string(64, 'x')}).empty());
  CHECK(nearest("print", std::vector<std::string>{}).empty());
}
