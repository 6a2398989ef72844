/* Tightwire's optional C API, for programs that want to know of it. Nobody has to: an unmodified
 * program is compressed all the same.
 *
 * The functions live in the preload library and are weak here, so that a program which uses them
 * still links and runs without tightwire: test tightwire_available() first.
 *
 * Thread safety: no function may run at the same time as tightwire_set(). Errors: returned; nothing
 * here prints or ends the program. Since 0.1.
 */
#ifndef TIGHTWIRE_H
#define TIGHTWIRE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TIGHTWIRE_OK 0
#define TIGHTWIRE_NOT_ACTIVE 1 /* before MPI_Init or after MPI_Finalize */
#define TIGHTWIRE_BAD_SETTING 2

/* Changes one setting from here on, as if it had been given at the start: key and value as on the
 * command line, such as ("error-bound", "1e-4"). All ranks must make the same call at the same
 * place of the program, with no collective under way: ranks whose settings differ do not understand
 * each other. NULL is a bad setting. Nothing changes unless it returns TIGHTWIRE_OK. */
int tightwire_set(const char* key, const char* value) __attribute__((weak));

/* A setting of the job as it stands, as tightwire_set() takes it: at most `capacity` bytes with the
 * zero byte at the end. TIGHTWIRE_BAD_SETTING for a key that there is not, for NULL, and where it
 * would not fit; `value` is unchanged then. A communicator's hints and rules may say otherwise of a
 * call. Local. */
int tightwire_get(const char* key, char* value, size_t capacity) __attribute__((weak));

/* What this rank's calls have done so far. */
struct tightwire_statistics {
  uint64_t calls;        /* compressed calls */
  uint64_t passed_calls; /* calls handed to MPI as they came */
  uint64_t bytes_before; /* bytes of the values in the frames that this rank sent */
  uint64_t bytes_after;  /* bytes of those frames */
  double seconds;        /* spent in compressed calls */
};

/* statistics must not be NULL. */
int tightwire_get_statistics(struct tightwire_statistics* statistics) __attribute__((weak));

/* 1 if the program runs under tightwire. */
static inline int tightwire_available(void) {
  return tightwire_set ? 1 : 0;
}

#ifdef __cplusplus
}
#endif

#endif
