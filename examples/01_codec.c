/* Compresses a wave within an error bound, by all threads that the machine can spare, and reads it
 * back: all of it, and a part alone. Build it with
 *
 *   cc -std=c11 01_codec.c $(pkg-config --cflags --libs tightwire_codec) -lm
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tightwire_codec.h>

enum { ROWS = 1000, COLUMNS = 1500, COUNT = ROWS * COLUMNS };

static void demand(int error, const char* what) {
  if (error == TIGHTWIRE_CODEC_OK) return;
  fprintf(stderr, "%s: %s\n", what, tightwire_codec_describe(error));
  exit(1);
}

static void* memory(size_t size) {
  void* const bytes = malloc(size);
  if (bytes == NULL) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return bytes;
}

static void make_wave(float* values) {
  for (int row = 0; row < ROWS; ++row) {
    for (int column = 0; column < COLUMNS; ++column) {
      const double r = hypot(row - 500, column - 700);
      values[row * COLUMNS + column] = (float)(exp(-r / 300) * sin(r / 15));
    }
  }
}

static double largest_error(const float* a, const float* b, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; ++i) largest = fmax(largest, fabs((double)a[i] - (double)b[i]));
  return largest;
}

/* The part that a reader of one region needs; nothing else is decoded. */
static double error_of_last_chunk(const void* stream, size_t size, const float* original) {
  struct tightwire_codec_stream info;
  demand(tightwire_codec_chunked_inspect(stream, size, &info), "inspect");
  const uint64_t last = info.chunks - 1;
  const size_t count = (size_t)(info.count - last * info.chunk_values);
  float* const part = memory(count * sizeof *part);
  demand(tightwire_codec_chunked_decode_chunk(stream, size, last, part, count), "decode a chunk");
  const double error = largest_error(part, original + last * info.chunk_values, count);
  free(part);
  return error;
}

int main(void) {
  float* const original = memory(COUNT * sizeof *original);
  float* const result = memory(COUNT * sizeof *result);
  make_wave(original);

  struct tightwire_codec_parameters parameters;
  tightwire_codec_defaults(&parameters);
  parameters.error_bound = 1e-4;
  parameters.row_length = COLUMNS;

  size_t capacity;
  demand(tightwire_codec_chunked_max_encoded_size("bounded", TIGHTWIRE_CODEC_FLOAT32, COUNT,
                                                  &parameters, &capacity),
         "capacity");
  void* const stream = memory(capacity);
  tightwire_codec_threads* const threads = tightwire_codec_threads_create(0); /* NULL is fine */
  size_t size;
  demand(tightwire_codec_chunked_encode("bounded", TIGHTWIRE_CODEC_FLOAT32, original, COUNT,
                                        &parameters, threads, NULL, NULL, stream, capacity, &size),
         "encode");
  demand(tightwire_codec_chunked_decode(TIGHTWIRE_CODEC_FLOAT32, stream, size, threads, NULL, NULL,
                                        result, COUNT),
         "decode");

  const double error = largest_error(original, result, COUNT);
  const double part_error = error_of_last_chunk(stream, size, original);
  printf("%zu bytes became %zu, a ratio of %.1f\n", COUNT * sizeof *original, size,
         (double)(COUNT * sizeof *original) / (double)size);
  printf("largest error %.3g of %.3g allowed, %.3g in the last chunk\n", error,
         parameters.error_bound, part_error);

  tightwire_codec_threads_free(threads);
  free(stream);
  free(result);
  free(original);
  return error <= parameters.error_bound && part_error <= error ? 0 : 1;
}
