// Preloaded behind the library: what receivers tell senders of the time that their messages took
// becomes that of a network of NETWORK bytes per second. Says at the end what each of them told of
// helpers, in eighths. Offsets are those of src/wire/transfer_report.h; with history off nothing
// else of that length ends in such a sum.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { report_size = 32, seconds_at = 0, of_network_at = 8, speedup_at = 17, sum_at = 24 };

static int told[16];
static int reports = 0;

__attribute__((destructor)) static void tell(void) {
  if (reports == 0) return;
  printf("told");
  for (int i = 0; i < reports; i++) printf(" %d", told[i]);
  printf("\n");
}

static int is_report(const unsigned char* bytes, int count, MPI_Datatype type) {
  if (type != MPI_BYTE || count != report_size) return 0;
  const uint64_t sum = XXH3_64bits(bytes, sum_at);
  return memcmp(bytes + sum_at, &sum, sizeof sum) == 0;
}

int PMPI_Issend(const void* buf, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,
                MPI_Request* request) {
  static int (*real)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = NULL;
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Issend");
  if (is_report(buf, count, type)) {
    unsigned char* const report = (unsigned char*)buf;  // the library's own
    const double seconds = 1 / atof(getenv("NETWORK"));
    memcpy(report + seconds_at, &seconds, sizeof seconds);
    memcpy(report + of_network_at, &seconds, sizeof seconds);
    const uint64_t sum = XXH3_64bits(report, sum_at);
    memcpy(report + sum_at, &sum, sizeof sum);
    if (reports < 16) told[reports++] = report[speedup_at];
  }
  return real(buf, count, type, target, tag, comm, request);
}
