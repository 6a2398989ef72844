/* The codec of Tightwire as a library of its own: compression of arrays of numbers, exactly or
 * within an error bound, at memory speed. No MPI. Link with libtightwire_codec.
 *
 * In common to all functions:
 * - They return 0 (TIGHTWIRE_CODEC_OK) or an error; sizes are returned through pointers. They never
 *   print, never end the program, and throw nothing. After an error the contents of output buffers
 *   are unspecified, and what a pointer result would have been set to is 0.
 * - Sizes are bytes, counts are elements. Buffers need no alignment. Input and output must not
 *   overlap. NULL is allowed for a buffer of size 0 and wherever it is said; elsewhere it is
 *   TIGHTWIRE_CODEC_BAD_PARAMETER.
 * - Thread safety: any function may run on any number of threads at once, on different outputs.
 * - Hostile input: a decoder takes any bytes. It reads and writes only inside the buffers it is
 *   given and answers TIGHTWIRE_CODEC_DAMAGED (or TIGHTWIRE_CODEC_OTHER_VERSION, by the stream's
 *   version) for what it cannot be sure of; but changed bytes may
 *   also decode to wrong values, as there is no checksum. Exception: a stream of the codec "sz3"
 *   whose checksum somebody forged; refuse that codec where input may come from an adversary.
 * - Within an error bound E, |decoded - original| <= E holds for every finite value, in exact
 *   arithmetic; NaN (with payload), infinities, -0 and subnormals come back bit for bit.
 * - All bytes depend on the input alone: not on the processor, nor on the number of threads.
 *
 * docs/dev/format.md describes the streams. All of this is there since 0.1.
 */
#ifndef TIGHTWIRE_CODEC_H
#define TIGHTWIRE_CODEC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TIGHTWIRE_CODEC_API __attribute__((visibility("default")))
#else
#define TIGHTWIRE_CODEC_API
#endif

/* Of this header: 10000 * major + 100 * minor + patch. */
#define TIGHTWIRE_CODEC_VERSION 100

/* Of the library. */
TIGHTWIRE_CODEC_API unsigned tightwire_codec_version(void);

enum tightwire_codec_error {
  TIGHTWIRE_CODEC_OK = 0,
  TIGHTWIRE_CODEC_OUTPUT_TOO_SMALL = 1,
  TIGHTWIRE_CODEC_DAMAGED = 2,
  TIGHTWIRE_CODEC_UNSUPPORTED_TYPE = 3, /* of elements, by the codec */
  TIGHTWIRE_CODEC_BAD_PARAMETER = 4,
  TIGHTWIRE_CODEC_OUT_OF_MEMORY = 5,
  TIGHTWIRE_CODEC_MISMATCHED_GRID = 6,
  TIGHTWIRE_CODEC_UNKNOWN_CODEC = 7,
  TIGHTWIRE_CODEC_OTHER_VERSION = 8 /* of the format: older, newer, or damaged there */
};

/* A sentence for any number; never NULL. The text is static. */
TIGHTWIRE_CODEC_API const char* tightwire_codec_describe(int error);

enum tightwire_codec_type {
  TIGHTWIRE_CODEC_BYTES = 0,
  TIGHTWIRE_CODEC_INT8 = 1,
  TIGHTWIRE_CODEC_INT16 = 2,
  TIGHTWIRE_CODEC_INT32 = 3,
  TIGHTWIRE_CODEC_INT64 = 4,
  TIGHTWIRE_CODEC_FLOAT32 = 5,
  TIGHTWIRE_CODEC_FLOAT64 = 6
};

/* The codecs of this library, from index 0 on: name and whether it is lossy, that is, needs an
 * error bound. Returns NULL past the last. `lossy` may be NULL. The text is static. */
TIGHTWIRE_CODEC_API const char* tightwire_codec_name(size_t index, int* lossy);

/* How to encode. Set it with tightwire_codec_defaults() first, then change what you want to: later
 * versions may have more fields. */
struct tightwire_codec_parameters {
  size_t struct_size;    /* set by tightwire_codec_defaults(): tells versions apart */
  double error_bound;    /* lossy codecs: absolute, finite, > 0 */
  uint32_t row_length;   /* values per row of a field of two or more dimensions, 0: not known;
                            a wrong one costs ratio, nothing else */
  int32_t zstd_level;    /* "zstd" */
  double zfp_rate;       /* "zfp-rate": bits per value, 1 to 64 */
  uint64_t chunk_values; /* chunked streams: values per chunk, 0: 256 KiB of them */
  int32_t second_stage;  /* "exact": 1: an entropy coder, smaller and slower; 0: none */
  int32_t components; /* values of so many quantities take turns, as x y z x y z, at most 16; 0, 1:
                         one, or not known; a wrong number costs ratio, nothing else */
  uint32_t plane_length; /* "exact": values per plane of a field of three or more dimensions, whole
                            rows, 0: not known; a wrong one costs ratio, nothing else */
};

/* Never fails; NULL is ignored. */
TIGHTWIRE_CODEC_API void tightwire_codec_defaults(struct tightwire_codec_parameters* parameters);

/* ---- One encoding --------------------------------------------------------------------------- */

/* *size = what an output buffer needs for tightwire_codec_encode() of `count` elements. */
TIGHTWIRE_CODEC_API int tightwire_codec_max_encoded_size(const char* codec, int type, size_t count,
                                                         size_t* size);

/* *size = bytes written to `encoded`. Fails with OUTPUT_TOO_SMALL only if `capacity` is less than
 * the maximum above. The encoding does not say what codec, type and count it is of: keep them, or
 * use a chunked stream. `parameters` may be NULL for a codec that is not lossy. */
TIGHTWIRE_CODEC_API int tightwire_codec_encode(const char* codec, int type, const void* values,
                                               size_t count,
                                               const struct tightwire_codec_parameters* parameters,
                                               void* encoded, size_t capacity, size_t* size);

/* Fills exactly `count` elements; an encoding of another number is DAMAGED. */
TIGHTWIRE_CODEC_API int tightwire_codec_decode(const char* codec, int type, const void* encoded,
                                               size_t size, void* values, size_t count);

/* ---- Chunked streams: they say what they are, use several threads, and decode in parts --------
 */

/* Threads that help the calling one, on the cores that its affinity mask leaves spare. `limit`:
 * most that work at once, the caller's included; 0: as many as the mask has cores. NULL if there is
 * no memory. Any number of threads may use one pool at once; those that come while it is busy work
 * alone. */
typedef struct tightwire_codec_threads tightwire_codec_threads;
TIGHTWIRE_CODEC_API tightwire_codec_threads* tightwire_codec_threads_create(unsigned limit);

/* NULL is ignored. No call may be using the pool. */
TIGHTWIRE_CODEC_API void tightwire_codec_threads_free(tightwire_codec_threads* threads);

/* Called on the calling thread after each chunk that it worked on, with the `context` given; must
 * not touch the buffers, nor throw. */
typedef void (*tightwire_codec_poll)(void* context);

/* As above, for tightwire_codec_chunked_encode(): never more than the values, 24 bytes, 8 for each
 * chunk and what the codec's own maximum for one chunk exceeds its values by. */
TIGHTWIRE_CODEC_API int tightwire_codec_chunked_max_encoded_size(
    const char* codec, int type, size_t count, const struct tightwire_codec_parameters* parameters,
    size_t* size);

/* Fails with OUTPUT_TOO_SMALL exactly if `capacity` is less than the maximum above. `threads` and
 * `poll` may be NULL. */
TIGHTWIRE_CODEC_API int tightwire_codec_chunked_encode(
    const char* codec, int type, const void* values, size_t count,
    const struct tightwire_codec_parameters* parameters, tightwire_codec_threads* threads,
    tightwire_codec_poll poll, void* context, void* encoded, size_t capacity, size_t* size);

/* Fills exactly `count` elements of `type`; a stream of another type or number is DAMAGED. */
TIGHTWIRE_CODEC_API int tightwire_codec_chunked_decode(int type, const void* encoded, size_t size,
                                                       tightwire_codec_threads* threads,
                                                       tightwire_codec_poll poll, void* context,
                                                       void* values, size_t count);

/* What a stream says of itself. Check `count` before you allocate for it: a few bytes may claim
 * very many values. */
struct tightwire_codec_stream {
  const char* codec; /* static text */
  int type;
  int reserved;
  uint64_t count;
  uint64_t chunk_values; /* in every chunk but the last, which may have fewer */
  uint64_t chunks;
};

/* Checks header and index. */
TIGHTWIRE_CODEC_API int tightwire_codec_chunked_inspect(const void* encoded, size_t size,
                                                        struct tightwire_codec_stream* stream);

/* Decodes one chunk: `count` elements, from element chunk * chunk_values on; another count, or a
 * chunk that there is not, is BAD_PARAMETER. Checks the whole index each time, 8 bytes a chunk. */
TIGHTWIRE_CODEC_API int tightwire_codec_chunked_decode_chunk(const void* encoded, size_t size,
                                                             uint64_t chunk, void* values,
                                                             size_t count);

#ifdef __cplusplus
}
#endif

#endif
