// Preloaded before the library: lets one of its allocations fail, as a machine without memory
// would. Environment: STARVE_RANK (all others get theirs), STARVE_AT which allocation, counted from
// 0 among those of at least STARVE_BYTES that the library makes after MPI_Init; with STARVE_ON, all
// from that one on. Others are not touched. Or STARVE_KEPT: every so many-th of the messages that
// the library would keep (src/history/copy.cpp) finds no memory, on all ranks; it is told at the
// end how many.
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
static int kept_between;
static atomic_int kept, not_kept;

static void* next(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

static void tell(void) {
  fprintf(stderr, "starve: kept, %d times\n", atomic_load(&not_kept));
}

static void arm(void) {
  if (getenv("STARVE_KEPT") != NULL && kept_between == 0) {
    atexit(tell);
    kept_between = atoi(getenv("STARVE_KEPT"));
  }
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

// The only single objects that it does without.
static int is_not_to_be_kept(const void* caller) {
  if (kept_between == 0 || !from_the_library(caller)) return 0;
  if (atomic_fetch_add(&kept, 1) % kept_between != kept_between - 1) return 0;
  atomic_fetch_add(&not_kept, 1);
  return 1;
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
#define NEW_NOTHROW(symbol, fails_too)                         \
  void* symbol(size_t size, const void* tag);                  \
  void* symbol(size_t size, const void* tag) {                 \
    static void* (*real)(size_t, const void*);                 \
    const void* const caller = __builtin_return_address(0);    \
    if (real == NULL) *(void**)&real = next(#symbol);          \
    if (fails(size, caller) || fails_too(caller)) return NULL; \
    return real(size, tag);                                    \
  }
static int does_not(const void* caller) {
  return caller == NULL;
}
NEW(_Znwm)
NEW(_Znam)
NEW_NOTHROW(_ZnwmRKSt9nothrow_t, is_not_to_be_kept)
NEW_NOTHROW(_ZnamRKSt9nothrow_t, does_not)

int MPI_Init(int* argc, char*** argv) {
  static int (*real)(int*, char***);
  if (real == NULL) *(void**)&real = next("MPI_Init");
  const int code = real(argc, argv);
  arm();
  return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  static int (*real)(int*, char***, int, int*);
  if (real == NULL) *(void**)&real = next("MPI_Init_thread");
  const int code = real(argc, argv, required, provided);
  arm();
  return code;
}
