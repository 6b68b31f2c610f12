// SPDX-License-Identifier: Apache-2.0
#include "jrec/input/joined_input.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "format/reader/chunk_scanner.h"

namespace jrec {
namespace {

// A stretch for each chunk of a mapped file, and for each stretch of bytes that belong to none.
std::vector<Input::Outline> outlines_by_chunk(std::span<const uint8_t> file) {
  jfr::read::Problems unsaid;
  jfr::read::ChunkScanner scanner(file, unsaid);
  std::vector<Input::Outline> outlines;
  uint64_t end = 0;
  const auto pass_over = [&](uint64_t to) {
    if (to > end || (to == 0 && file.empty())) outlines.push_back({end, to - end, false, 0, 0, 0, true, 0});
  };
  while (const auto extent = scanner.next()) {
    pass_over(extent->offset);
    const auto duration_ns = static_cast<uint64_t>(std::max<int64_t>(0, extent->header.duration_ns));
    outlines.push_back({extent->offset, extent->size, extent->whole, extent->header.start_ns, duration_ns, 0, true,
                        extent->header.start_ticks});
    end = extent->offset + extent->size;
  }
  pass_over(file.size());
  return outlines;
}

struct JoinedPart {
  std::string path;
  std::unique_ptr<Input> input;
  jfr::read::Problems problems;          // of unpacking it
  RecordingSpan span;                    // of its chunks: to find it out takes a look at each
  uint64_t offset = 0;                   // of its first byte
  size_t first = 0;                      // of its stretches
  size_t first_file = 0;                 // of its files
  std::vector<Input::Outline> by_chunk;  // its stretches, where it has but one itself

  size_t stretches() const { return by_chunk.empty() ? input->stretches() : by_chunk.size(); }
  Input::Outline outline(size_t stretch) const {
    return by_chunk.empty() ? input->outline(stretch) : by_chunk[stretch];
  }
  base::Result<Stretch> read(size_t stretch) const {
    if (by_chunk.empty()) return input->read(stretch);
    base::Result<Stretch> all = input->read(0);
    if (all)
      all->offset = by_chunk[stretch].offset, all->bytes = all->bytes.subspan(all->offset, by_chunk[stretch].size);
    return all;
  }
};

class JoinedInput : public Input {
 public:
  JoinedInput(std::vector<JoinedPart> parts, jfr::read::Problems& problems) : parts_(std::move(parts)) {
    std::ranges::stable_sort(parts_, {}, [](const JoinedPart& part) {
      return std::tuple(part.span.start_ns, part.span.end_ns, std::string_view(part.path));
    });
    for (JoinedPart& part : parts_) {
      if (!part.input->restores()) part.by_chunk = outlines_by_chunk(part.input->read(0)->bytes);
      part.offset = std::exchange(size_, size_ + part.input->size());
      part.first = std::exchange(stretches_, stretches_ + part.stretches());
      part.first_file =
          std::exchange(files_, files_ + (part.stretches() == 0 ? 0 : part.outline(part.stretches() - 1).file + 1));
      for (base::Error problem : part.problems.kept()) {
        problem.offset += part.offset;
        problems.add(std::move(problem));
      }
    }
  }

  uint64_t size() const override { return size_; }
  size_t stretches() const override { return stretches_; }
  Outline outline(size_t stretch) const override {
    const JoinedPart& part = with(stretch);
    Outline outline = part.outline(stretch - part.first);
    outline.offset += part.offset;
    outline.file += part.first_file;
    return outline;
  }
  RecordingSpan span() const override {
    RecordingSpan all = parts_.front().span;
    for (const JoinedPart& part : parts_) {
      all.start_ns = std::min(all.start_ns, part.span.start_ns);
      all.end_ns = std::max(all.end_ns, part.span.end_ns);
    }
    return all;
  }
  base::Result<Stretch> read(size_t stretch) override {
    const JoinedPart& part = with(stretch);
    base::Result<Stretch> read = part.read(stretch - part.first);
    if (read) return Stretch{read->offset + part.offset, read->bytes, read->owner};
    base::Error error = read.error();
    error.offset += part.offset;
    return error;
  }
  // It does not, but it has several stretches, as those that do.
  bool restores() const override { return true; }
  Place place_of(uint64_t offset) const override {
    const JoinedPart& part = part_at(offset);
    return {part.path, offset - part.offset};
  }
  Place member_of(uint64_t offset) const override {
    const JoinedPart& part = part_at(offset);
    Place place = part.input->member_of(offset - part.offset);
    if (place.path.empty()) place.path = part.path;
    return place;
  }
  void read_again_later(bool again) override {
    for (JoinedPart& part : parts_) part.input->read_again_later(again);
  }
  void let_go(uint64_t offset, uint64_t bytes) override {
    const JoinedPart& part = part_at(offset);
    part.input->let_go(offset - part.offset, bytes);
  }

 private:
  const JoinedPart& part_at(uint64_t offset) const {
    size_t at = parts_.size() - 1;
    while (at > 0 && parts_[at].offset > offset) --at;
    return parts_[at];
  }
  const JoinedPart& with(size_t stretch) const {
    size_t at = parts_.size() - 1;
    while (parts_[at].first > stretch) --at;
    return parts_[at];
  }

  std::vector<JoinedPart> parts_;
  uint64_t size_ = 0;
  size_t stretches_ = 0, files_ = 0;
};

}  // namespace

base::Result<std::unique_ptr<Input>> open_joined(const std::vector<std::string>& paths, jfr::read::Problems& problems,
                                                 const TimeChoice& choose, TimeRange& range, std::string& failed) {
  std::vector<JoinedPart> parts;
  for (const std::string& path : paths) {
    jfr::read::Problems noted;
    base::Result<std::unique_ptr<Input>> input = Input::open(path, noted);
    if (!input) return failed = path, input.error();
    const RecordingSpan span = (*input)->span();
    parts.push_back({path, std::move(*input), std::move(noted), span});
  }
  auto joined = std::make_unique<JoinedInput>(std::move(parts), problems);
  if (choose.chooses()) {
    const base::Result<TimeRange> chosen = choose.choose(joined->span());
    if (!chosen) return chosen.error();
    range = *chosen;
  }
  return std::unique_ptr<Input>(std::move(joined));
}

}  // namespace jrec
