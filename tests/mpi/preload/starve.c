// Preloaded before the library: lets one of its allocations fail, as a machine without memory
// would. Environment: STARVE_RANK (all others get theirs), STARVE_AT which allocation, counted from
// 0 among those of at least STARVE_BYTES that the library makes after MPI_Init; with STARVE_ON, all
// from that one on. Others are not touched.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int armed, seen;
static size_t least;
static int chosen, and_on;

static void* next(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

static void arm(void) {
  const char* wanted = getenv("STARVE_RANK");
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (wanted == NULL || rank != atoi(wanted)) return;
  least = (size_t)atol(getenv("STARVE_BYTES"));
  chosen = atoi(getenv("STARVE_AT"));
  and_on = getenv("STARVE_ON") != NULL;
  atomic_store(&armed, 1);
}

static int from_the_library(const void* caller) {
  Dl_info place;
  return dladdr(caller, &place) != 0 && place.dli_fname != NULL &&
         strstr(place.dli_fname, "libtightwire-") != NULL;
}

static int fails(size_t size, const void* caller) {
  if (!atomic_load(&armed) || size < least || !from_the_library(caller)) return 0;
  const int place = atomic_fetch_add(&seen, 1);
  if (place == chosen) fprintf(stderr, "starve: no memory for %zu bytes\n", size);
  return place == chosen || (and_on && place > chosen);
}

void* malloc(size_t size) {
  static void* (*real)(size_t);
  if (real == NULL) *(void**)&real = next("malloc");
  if (fails(size, __builtin_return_address(0))) {
    errno = ENOMEM;
    return NULL;
  }
  return real(size);
}

// operator new(size_t) and new[]; the other: with std::nothrow.
#define NEW(symbol)                                                      \
  void* symbol(size_t size);                                             \
  void* symbol(size_t size) {                                            \
    static void* (*real)(size_t);                                        \
    if (real == NULL) *(void**)&real = next(#symbol);                    \
    /* What the standard library does when malloc says no. */            \
    if (fails(size, __builtin_return_address(0))) return real(~0UL / 4); \
    return real(size);                                                   \
  }
#define NEW_NOTHROW(symbol)                                    \
  void* symbol(size_t size, const void* tag);                  \
  void* symbol(size_t size, const void* tag) {                 \
    static void* (*real)(size_t, const void*);                 \
    if (real == NULL) *(void**)&real = next(#symbol);          \
    if (fails(size, __builtin_return_address(0))) return NULL; \
    return real(size, tag);                                    \
  }
NEW(_Znwm)
NEW(_Znam)
NEW_NOTHROW(_ZnwmRKSt9nothrow_t)
NEW_NOTHROW(_ZnamRKSt9nothrow_t)

int MPI_Init(int* argc, char*** argv) {
  static int (*real)(int*, char***);
  if (real == NULL) *(void**)&real = next("MPI_Init");
  const int code = real(argc, argv);
  arm();
  return code;
}
