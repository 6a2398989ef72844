// Lets MPICH 4.0 over UCX's TCP come out of MPI_Finalize.
//
// There MPICH closes its endpoints one by one, then waits for the other ranks without driving UCX.
// UCX 1.13's TCP endpoint is closed only after its peer has acknowledged (openucx/ucx #8738), so a
// rank that comes late waits for ever on one that has gone on. Preloaded, this closes no endpoint:
// it drives UCX until all is handed to the kernel, which needs no peer (UCX_FLUSH_WORKER_EPS=n),
// and leaves the endpoints to ucp_worker_destroy(), which MPICH calls after the wait.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

typedef signed char ucs_status_t;  // ucs_status_t is a packed enum

static void* worker;

ucs_status_t ucp_worker_create(void* context, const void* parameters, void** created) {
  ucs_status_t (*real)(void*, const void*, void**) = dlsym(RTLD_NEXT, "ucp_worker_create");
  ucs_status_t status = real(context, parameters, created);
  worker = *created;
  return status;
}

void* ucp_disconnect_nb(void* endpoint) {
  (void)endpoint;
  ucs_status_t (*flush)(void*) = dlsym(RTLD_NEXT, "ucp_worker_flush");
  flush(worker);
  return NULL;  // UCS_OK: closed already, there is nothing to wait for
}
