// SPDX-License-Identifier: Apache-2.0
// Names that the VM makes up have a part that is another one in each run of a program:
//
//   app.Burn$$Lambda$14+0x00007fd1a0000a08        17        an address, and how many lambdas came before
//   app.Burn$$Lambda.0x00007fd1a0000a08           from 21 on; in some recordings .648129364 follows, a hash
//   java.lang.invoke.LambdaForm$MH+0x000000080100 likewise; all hidden classes
//   jdk.internal.reflect.GeneratedMethodAccessor7 how many came before
//
// Who compares runs drops it. Then all lambdas of a class are one, since nothing else tells them apart.
#pragma once

#include <string>

namespace jrec {

void drop_run_marks(std::string& class_name);

}  // namespace jrec
