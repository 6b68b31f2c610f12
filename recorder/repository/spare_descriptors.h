// SPDX-License-Identifier: Apache-2.0
// SpareDescriptors keeps a few descriptors open on /dev/null, and lends them when a chunk is opened, closed or put
// together. So an application that has used up its own does not stop the recording. Whoever is faster may still take a
// lent one; the recorder then tries again at the next flush. Recorder thread only.
#pragma once

#include <fcntl.h>

#include <array>

#include "base/descriptor.h"
#include "base/open_files.h"

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
    for (base::Descriptor& spare : spares_)
      if (!spare && (spare = base::Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))))
        base::OpenFiles::add(spare.fd());
  }

 private:
  void give_up() {
    for (base::Descriptor& spare : spares_) {
      base::OpenFiles::remove(spare.fd());
      spare.reset();
    }
  }
  std::array<base::Descriptor, 2> spares_;
};

}  // namespace rec
