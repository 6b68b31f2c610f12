// SPDX-License-Identifier: Apache-2.0
// ChunkRows is rows that come from chunks, one after the other: who derives from it reads the rows of one.
#pragma once

#include <memory>

#include "jrec/sql/sql_world.h"

namespace jrec {

class ChunkRows : public SqlRows {
 public:
  ChunkRows(SqlWorld& world, const SqlWanted& wanted) : world_(world), source_(world.source), wanted_(wanted) {}
  ~ChunkRows() override { leave(); }

  bool next() final;

 protected:
  virtual void enter(
      jfr::read::Chunk& chunk) = 0;  // another chunk: whatever is known of the last one is no longer good
  virtual bool next_in_chunk() = 0;
  virtual bool reads(std::string_view /*type*/) const { return true; }  // rows may be of events of that type

  uint32_t recording() const { return source_.chunks()[at_ - 1].recording; }
  const SqlWanted& wanted() const { return wanted_; }
  SqlWorld& world() { return world_; }

 private:
  bool open_next();
  bool enter_only();
  bool may_hold(const SqlChunk& chunk) const;
  void leave();

  SqlWorld& world_;
  ChunkSource& source_;
  const SqlWanted wanted_;
  size_t at_ = 0;         // behind the chunk that is open
  bool entered_ = false;  // there is one
  std::unique_ptr<OpenChunk> open_;
};

}  // namespace jrec
