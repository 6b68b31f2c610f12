/* SPDX-License-Identifier: Apache-2.0 */
/* Says which version of asgst.h it was compiled with, which the library has, and that no JVM is here. */
#include <asgst.h>
#include <stdio.h>

int main(void) {
  printf("%d %d %s\n", ASGST_VERSION, ASGST_Version(), ASGST_ErrorName(ASGST_Open(NULL, 0)));
  return 0;
}
