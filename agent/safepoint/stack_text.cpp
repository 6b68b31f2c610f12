// SPDX-License-Identifier: Apache-2.0
#include "agent/safepoint/stack_text.h"

#include <algorithm>
#include <utility>

namespace rec::agent {
namespace {

TextFrame native_text(ClassFact& library, const MethodFact& function) {
  return {std::string(FactReader::text(library, 0)),
          TextFrame::Native{library.id, function.version.const_method, std::string(FactReader::text(library, 3)),
                            std::string(FactReader::text(library, 2)), FactReader::place(library).file}};
}

TextFrame frame_text(const FactReader& facts, const Frame& frame) {
  MethodFact* method = facts.get(frame.method);
  ClassFact* holder = method == nullptr ? nullptr : facts.get(method->holder);
  if (holder == nullptr) return {"unknown"};
  if (is_library(static_cast<ClassId>(holder->id))) return native_text(*holder, *method);
  std::string text(FactReader::text(*holder, 0));
  std::replace(text.begin(), text.end(), '/', '.');
  text += '.';
  text += FactReader::text(*method, 0);
  text += FactReader::text(*method, 1);
  if ((frame.flags & Frame::kNoBci) == 0) text += " @" + std::to_string(frame.bci);
  return {std::move(text)};
}

}  // namespace

StackText stack_text(Epoch& epoch, Ref<StackFact> stack) {
  const FactReader facts = epoch.facts();
  StackText lines;
  StackFact* fact = facts.get(stack);
  if (fact == nullptr) return lines;
  for (const Frame& frame : FactReader::frames(*fact)) lines.push_back(frame_text(facts, frame));
  return lines;
}

}  // namespace rec::agent
