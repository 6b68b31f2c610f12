// SPDX-License-Identifier: Apache-2.0
// ChunkCalls stands between the product and the system where chunks are written, and lets a test make calls fail, fall
// short, wait or be watched.
//
//   jfr::ChunkFile -> pwrite()   chunk_calls.cpp, in the test program   -> pwrite()   libc
//                                asks the ChunkCalls there is, if any
//
// The linker takes the test program's functions before libc's, so the product knows nothing of this. Only calls on
// the files of chunks are asked about (NAME.jfr, .NAME.jfr.tmp, and those that somebody has removed): spools, finished
// recordings and the tests' own files are left alone.
//
// Names of calls: "pwrite", "fallocate", "punch" (fallocate that gives blocks back), "ftruncate", "copy"
// (copy_file_range), "rename" (renameat2), "fdatasync". Any thread may be the one that calls.
#pragma once

#include <cstddef>

namespace test {

class ChunkCalls {
 public:
  ChunkCalls() = default;
  ChunkCalls(const ChunkCalls&) = delete;
  ChunkCalls& operator=(const ChunkCalls&) = delete;

  // Before the call: the errno that it fails with, or 0 to let it through.
  virtual int refuse(const char* name) = 0;
  virtual void done(const char*) {}                       // after a call that went through, whatever it returned
  virtual size_t at_most(size_t bytes) { return bytes; }  // of one write or copy
  virtual bool syncs() { return true; }                   // false: fdatasync does nothing

 protected:
  ~ChunkCalls() = default;
};

// From now on that one is asked; null: nobody. One at a time; it outlives the calls under way.
void ask(ChunkCalls* calls);

}  // namespace test
