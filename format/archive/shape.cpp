// SPDX-License-Identifier: Apache-2.0
#include "format/archive/shape.h"

#include <algorithm>

namespace jfr::archive {
namespace {

using read::Field;
using read::Kind;
using read::Type;

constexpr uint32_t kTextStreams = 4;
constexpr size_t kFrameFields = 4;

bool is_frames(const Type& type, const Field& field, const std::vector<Step>& element) {
  return type.name == "jdk.types.StackTrace" && field.name == "frames" && element.size() == kFrameFields &&
         std::ranges::all_of(element, [](const Step& each) { return each.kind == Step::Kind::kLeb; });
}

// Nothing where a step has a length that the record tells.
std::vector<ColumnCopy> copies_of(const std::vector<Step>& steps) {
  std::vector<ColumnCopy> copies;
  if (steps.size() > kMostCopies) return {};
  for (const Step& step : steps) {
    switch (step.kind) {
      case Step::Kind::kLeb: copies.push_back({ColumnCopy::Kind::kLeb, 0, step.numbers}); break;
      case Step::Kind::kTime: copies.push_back({ColumnCopy::Kind::kTime, 0, step.numbers}); break;
      case Step::Kind::kDuration: copies.push_back({ColumnCopy::Kind::kDuration, 0, step.numbers}); break;
      case Step::Kind::kByte: copies.push_back({ColumnCopy::Kind::kFixed, 1, step.numbers}); break;
      case Step::Kind::kFixed: copies.push_back({ColumnCopy::Kind::kFixed, step.width, step.numbers}); break;
      case Step::Kind::kText:
      case Step::Kind::kArray:
      case Step::Kind::kFrames: return {};
    }
  }
  return copies;
}

}  // namespace

Shapes::Shapes(const read::Metadata& metadata, Streams& streams) : metadata_(metadata), streams_(streams) {
  for (const Type& type : metadata.types()) {
    events_.push_back(type.event ? shape_of(type, true) : Shape());
    constants_.push_back(type.event ? Shape() : shape_of(type, false));
    keys_.push_back(type.event ? 0 : streams_.add_numbers());
  }
}

Shape Shapes::shape_of(const Type& type, bool event) {
  Shape shape;
  if (!type.decodable()) return shape;
  if (type.kind == Kind::kStruct) {
    shape.known = add_fields(type, event, 0, shape.steps);
  } else {
    Field value;
    value.kind = type.kind;
    shape.known = add_value(value, 0, shape.steps);
  }
  if (!shape.known) shape.steps.clear();
  shape.copies = copies_of(shape.steps);
  return shape;
}

bool Shapes::add_fields(const Type& type, bool event, int depth, std::vector<Step>& steps) {
  for (size_t i = 0; i < type.fields.size(); ++i) {
    const Field& field = type.fields[i];
    const bool starts = event && i == 0 && field.name == "startTime" && field.kind == Kind::kLong && !field.array;
    if (starts) {
      steps.push_back(step(Step::Kind::kTime, 1));
      continue;
    }
    if (!field.array) {
      if (!add_value(field, depth, steps)) return false;
      // A field may be a struct without fields, and have no step.
      const bool follows = event && i == 1 && steps.size() > 1 && field.name == "duration";
      if (follows && steps[0].kind == Step::Kind::kTime && steps[1].kind == Step::Kind::kLeb)
        steps[1].kind = Step::Kind::kDuration;
      continue;
    }
    Step array = step(Step::Kind::kArray, 1);
    if (!add_value(field, depth, array.inner)) return false;
    if (is_frames(type, field, array.inner)) array.kind = Step::Kind::kFrames;
    steps.push_back(std::move(array));
  }
  return true;
}

// One value, array or not.
bool Shapes::add_value(const Field& field, int depth, std::vector<Step>& steps) {
  if (field.constant) return steps.push_back(step(Step::Kind::kLeb, 1)), true;
  switch (field.kind) {
    case Kind::kBoolean:
    case Kind::kByte: return steps.push_back(step(Step::Kind::kByte, 1)), true;
    case Kind::kChar:
    case Kind::kShort:
    case Kind::kInt:
    case Kind::kLong: return steps.push_back(step(Step::Kind::kLeb, 1)), true;
    case Kind::kFloat: return steps.push_back(step(Step::Kind::kFixed, 1, 4)), true;
    case Kind::kDouble: return steps.push_back(step(Step::Kind::kFixed, 1, 8)), true;
    case Kind::kString:
      steps.push_back(step(Step::Kind::kText, kTextStreams));
      steps.back().bytes = streams_.add_bytes();
      return true;
    case Kind::kStruct: {
      if (field.type == read::kNoType || depth >= static_cast<int>(read::kMaxStructDepth)) return false;
      return add_fields(metadata_.types()[field.type], false, depth + 1, steps);
    }
    case Kind::kUndeclared: break;
  }
  return false;
}

Step Shapes::step(Step::Kind kind, uint32_t streams, uint8_t width) {
  Step made;
  made.kind = kind;
  made.width = width;
  made.numbers = streams_.add_numbers();
  for (uint32_t i = 1; i < streams; ++i) streams_.add_numbers();
  return made;
}

}  // namespace jfr::archive
