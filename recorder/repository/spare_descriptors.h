// SPDX-License-Identifier: Apache-2.0
// SpareDescriptors keeps a few descriptors open, and lends them when a chunk is opened, closed or put together. So an
// application that has used up its own does not stop the recording. Whoever is faster may still take a lent one; the
// recorder then tries again at the next flush. Recorder thread only.
#pragma once

#include <fcntl.h>

#include <array>
#include <utility>

#include "base/kept_descriptor.h"

namespace rec {

class SpareDescriptors {
 public:
  // Lent as long as this lives.
  class Loan {
   public:
    explicit Loan(SpareDescriptors& spares) : spares_(spares) { spares_.give_up(); }
    ~Loan() { spares_.take(); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

   private:
    SpareDescriptors& spares_;
  };

  ~SpareDescriptors() { give_up(); }
  void take() {
    for (base::KeptDescriptor& spare : spares_)
      if (!spare.is_own()) spare = open_one();
  }

 private:
  // A file that nobody else has open, as a rule: of /dev/null one cannot tell whose it is.
  static base::KeptDescriptor open_one() {
    base::KeptDescriptor one(open("/proc/self/comm", O_RDONLY | O_CLOEXEC));
    return one ? std::move(one) : base::KeptDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
  void give_up() {
    for (base::KeptDescriptor& spare : spares_) spare.reset();
  }
  std::array<base::KeptDescriptor, 2> spares_;
};

}  // namespace rec
