// SPDX-License-Identifier: Apache-2.0
// stacks, frames, threads: what events refer to.
#include <set>

#include "jrec/profile/sample_names.h"
#include "jrec/sql/chunk_rows.h"
#include "jrec/sql/sql_tables.h"

namespace jrec {
namespace {

using jfr::read::Chunk;
using Key = SqlColumn::Key;

// Reads every chunk's stacks into the store, once for a query.
void read_all_stacks(SqlWorld& world) {
  if (world.has_all_stacks) return;
  world.has_all_stacks = true;
  for (size_t i = 0; i < world.source.chunks().size(); ++i) {
    const auto open = world.source.open(i);
    if (!open) continue;
    ChunkStacks(open->chunk(), world.stacks).add_all();
    world.source.close(i, *open);
  }
}

std::string collapsed_text(const StackStore& store, const StoredStack& stack) {
  std::string text;
  for (size_t i = stack.frames.size(); i-- > 0;)
    text += (text.empty() ? "" : ";") + store.frame(stack.frames[i]).method;
  return text;
}

// The stack that is asked for, or all of them.
class StackRows : public SqlRows {
 public:
  StackRows(SqlWorld& world, const SqlWanted& wanted) : store_(world.stacks) {
    if (wanted.stack && store_.find(*wanted.stack) != nullptr) {
      stacks_ = {*wanted.stack};
      return;
    }
    read_all_stacks(world);
    if (!wanted.stack)
      stacks_ = store_.order();
    else if (store_.find(*wanted.stack) != nullptr)
      stacks_ = {*wanted.stack};
  }

  bool next() override {
    if (at_ == stacks_.size()) return false;
    stack_ = store_.find(stacks_[at_++]);
    return true;
  }
  Cell column(size_t index) override {
    switch (index) {
      case 0: return Cell::of(stacks_[at_ - 1]);
      case 1: return Cell::of(static_cast<int64_t>(stack_->frames.size()));
      case 2: return Cell::of(stack_->truncated ? 1 : 0);
      case 3: return stack_->frames.empty() ? Cell() : Cell::of_text(store_.frame(stack_->frames[0]).method);
      default: return Cell::of_text(collapsed_text(store_, *stack_));
    }
  }

 protected:
  int64_t number() const { return stacks_[at_ - 1]; }
  const StoredStack& stack() const { return *stack_; }
  const StackStore& store() const { return store_; }

 private:
  const StackStore& store_;
  std::vector<int64_t> stacks_;
  const StoredStack* stack_ = nullptr;
  size_t at_ = 0;
};

class FrameRows : public StackRows {
 public:
  using StackRows::StackRows;

  bool next() override {
    ++level_;
    while (!entered_ || level_ >= stack().frames.size()) {
      if (!StackRows::next()) return false;
      entered_ = true;
      level_ = 0;
    }
    return true;
  }
  Cell column(size_t index) override {
    const StoredFrame& frame = store().frame(stack().frames[level_]);
    switch (index) {
      case 0: return Cell::of(number());
      case 1: return Cell::of(static_cast<int64_t>(level_));
      case 2: return Cell::of_text(frame.method);
      case 3: return Cell::of_text(frame.method.substr(0, frame.method.rfind('.')));
      case 4: return Cell::of(frame.line);
      case 5: return Cell::of(frame.bci);
      default: return Cell::of_text(frame.kind);
    }
  }

 private:
  bool entered_ = false;
  size_t level_ = 0;
};

class ThreadRows : public ChunkRows {
 public:
  using ChunkRows::ChunkRows;

  Cell column(size_t index) override {
    const SampleThread& thread = threads_[at_ - 1];
    switch (index) {
      case 0: return Cell::of(int64_t{recording()} + 1);
      case 1: return Cell::of_text(thread.name);
      case 2: return Cell::of(thread.java_id > 0 ? thread.java_id : -thread.os_id);
      case 3: return Cell::of(thread.java_id);
      default: return Cell::of(thread.os_id);
    }
  }

 protected:
  void enter(Chunk& chunk) override {
    threads_.clear();
    at_ = 0;
    const jfr::read::Type* type = chunk.metadata().find("java.lang.Thread");
    if (type == nullptr) return;
    if (recording() != of_) met_.clear();
    of_ = recording();
    const uint32_t index = chunk.metadata().index_of(type->id);
    for (const uint64_t key : chunk.constants().keys(index)) {
      SampleThread thread = read_thread(chunk, index, key);
      if (met_.insert(thread).second) threads_.push_back(std::move(thread));
    }
  }
  bool next_in_chunk() override { return at_++ < threads_.size(); }

 private:
  std::vector<SampleThread> threads_;  // of this chunk, new ones of its recording
  std::set<SampleThread> met_;
  uint32_t of_ = UINT32_MAX;  // the recording of met_
  size_t at_ = 0;
};

}  // namespace

std::unique_ptr<SqlTable> make_stacks_table(SqlWorld& world) {
  return std::make_unique<WorldTable<StackRows>>(world, "stacks",
                                                 std::vector<SqlColumn>{{"stack", "INTEGER", Key::kStack},
                                                                        {"depth", "INTEGER"},
                                                                        {"truncated", "INTEGER"},
                                                                        {"top", "TEXT"},
                                                                        {"text", "TEXT"}});
}

std::unique_ptr<SqlTable> make_frames_table(SqlWorld& world) {
  return std::make_unique<WorldTable<FrameRows>>(world, "frames",
                                                 std::vector<SqlColumn>{{"stack", "INTEGER", Key::kStack},
                                                                        {"level", "INTEGER"},
                                                                        {"method", "TEXT"},
                                                                        {"class", "TEXT"},
                                                                        {"line", "INTEGER"},
                                                                        {"bci", "INTEGER"},
                                                                        {"kind", "TEXT"}});
}

std::unique_ptr<SqlTable> make_threads_table(SqlWorld& world) {
  return std::make_unique<WorldTable<ThreadRows>>(world, "threads",
                                                  std::vector<SqlColumn>{{"recording", "INTEGER", Key::kRecording},
                                                                         {"name", "TEXT"},
                                                                         {"thread_id", "INTEGER"},
                                                                         {"java_id", "INTEGER"},
                                                                         {"os_id", "INTEGER"}});
}

}  // namespace jrec
