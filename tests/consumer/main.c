/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <jrec.h>
#include <stdio.h>

int main(int argc, char** argv) {
  jrec_file* file;
  jrec_type* sample;
  jrec_field* thread;
  const char* name;
  int64_t ns;
  jrec_status status = jrec_open(argc > 1 ? argv[1] : "-", &file);
  if (status == JREC_OK) status = jrec_type_named(file, "jdk.ExecutionSample", &sample);
  if (status == JREC_OK) status = jrec_bind(sample, "sampledThread", &thread);
  if (status == JREC_OK) status = jrec_select(sample);
  while (status == JREC_OK && (status = jrec_next(file, NULL)) == JREC_OK) {
    if ((status = jrec_start_time(file, &ns)) != JREC_OK) break;
    if ((status = jrec_text(thread, &name, NULL)) == JREC_NULL) status = JREC_OK;
    if (status == JREC_OK) printf("%" PRId64 " %s\n", ns, name);
  }
  if (status != JREC_END) fprintf(stderr, "%s\n", jrec_error(file));
  jrec_close(file);
  return status == JREC_END ? 0 : 2;
}
