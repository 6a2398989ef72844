// Preloaded under MPICH, which spins while it waits: gives the core away whenever there was nothing
// to do, so that tests with more ranks than cores end in good time. Open MPI has a setting for
// that.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>

typedef unsigned progress_function(void* worker);

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static progress_function* real = NULL;
  if (real == NULL) {
    *(void**)&real = dlsym(RTLD_NEXT, "ucp_worker_progress");
  }
  const unsigned events = real(worker);
  if (events == 0) {
    sched_yield();
  }
  return events;
}
