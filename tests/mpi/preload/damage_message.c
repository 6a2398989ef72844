// Preloaded behind the library: damages the first point-to-point message that is a frame, or the
// first that follows one, on its way out. Environment: DAMAGE names the part and the damage; with
// DAMAGE_EVERY=N, every N-th is damaged, and it is told at the end how many were.
// Offsets are those of src/wire/trailer.h, src/wire/history.h and src/wire/frame.h.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
  payload_size_at = 8,
  payload_sum_at = 16,
  codec_at = 33,
  sum_at = 48,
  version_at = 36,
  mark_at = 56,
  mark_size = 8,
  trailer_size = 64,
  trailing_size = 72,
  has_history_at = 37,
  history_size = 40,
  references_checksum_at = 16,
  references_at = 30,
  history_sum_at = 32,
  answer_size = 32,
  answer_hash_at = 8,
  answer_sum_at = 24,
  chunk_header_size = 40
};

typedef int send_function(const void*, int, MPI_Datatype, int, int, MPI_Comm);
typedef int isend_function(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static const unsigned char mark[] = {0x73, 0x5e, 0x9b, 0xbf, 0xb1, 0x4b, 0xa0, 0x19};

static int is_predicted(const unsigned char* frame, int count) {
  const unsigned char* const trailer = frame + count - trailer_size;
  return trailer[has_history_at] != 0 && trailer[references_at - history_size] != 0;
}

// Which part of a message goes out here, as the damage's name begins; 0 for what is none.
static const char* part_of(const unsigned char* bytes, int count, MPI_Datatype type,
                           const char* kind) {
  if (type != MPI_BYTE || bytes == NULL || kind == NULL) {
    return 0;
  }
  if (count == answer_size) {
    return "answer";
  }
  if (count >= trailer_size && memcmp(bytes + count - sizeof mark, mark, sizeof mark) == 0) {
    const int history = strncmp(kind, "history", strlen("history")) == 0;
    return !history ? "frame" : is_predicted(bytes, count) ? "history" : 0;
  }
  if (count >= chunk_header_size && memcmp(bytes, "TWf\x1a", 4) == 0) {
    return "chunk";
  }
  return count == trailing_size ? "tail" : 0;
}

// Its checksum stands behind it.
static void seal_part(unsigned char* part, size_t size) {
  const uint64_t sum = XXH3_64bits(part, size);
  memcpy(part + size, &sum, sizeof sum);
}

static void seal(unsigned char* trailer) {
  seal_part(trailer, sum_at);
}

// The last predicted frames: `history-repeated` sends one again in place of one of as many bytes.
// It is older than a window of the program, as of two with the same number the one counts that is
// looked at first.
enum { most_kept = 32, oldest_in_window = 8 };
static struct {
  unsigned char* bytes;
  int size;
} kept[most_kept];
static int kept_so_far = 0;

static int is_as_long(const unsigned char* bytes, int count, int place) {
  const unsigned char* const old = kept[place].bytes + kept[place].size - trailer_size;
  return memcmp(bytes + count - trailer_size, old, payload_size_at) == 0;
}

// The place of one, or -1.
static int repeatable(const unsigned char* bytes, int count) {
  for (int age = oldest_in_window; age < most_kept && age < kept_so_far; ++age) {
    const int place = (kept_so_far - 1 - age) % most_kept;
    if (is_as_long(bytes, count, place)) return place;
  }
  return -1;
}

static void remember(const void* bytes, int count) {
  const int place = kept_so_far++ % most_kept;
  kept[place].bytes = realloc(kept[place].bytes, (size_t)count);
  memcpy(kept[place].bytes, bytes, (size_t)count);
  kept[place].size = count;
}

// Returns the size to send.
static int damage(const char* kind, unsigned char* bytes, int size) {
  unsigned char* const trailer = bytes + size - trailer_size;
  uint64_t payload = 0;
  if (strcmp(kind, "frame-payload-bit") == 0) {
    memcpy(&payload, trailer + payload_size_at, sizeof payload);
    bytes[mark_size + payload / 2] ^= 0x10;
  } else if (strcmp(kind, "frame-trailer-bit") == 0) {
    trailer[1] ^= 0x01;
  } else if (strcmp(kind, "frame-mark-bit") == 0) {
    trailer[mark_at] ^= 0x01;
  } else if (strcmp(kind, "frame-cut") == 0) {
    return size - 1;
  } else if (strcmp(kind, "frame-foreign") == 0) {
    memset(trailer + mark_at, 0, sizeof mark);
  } else if (strcmp(kind, "frame-version") == 0) {
    trailer[version_at] += 1;
    seal(trailer);
  } else if (strcmp(kind, "frame-codec") == 0) {
    trailer[codec_at] = 200;
    seal(trailer);
  } else if (strcmp(kind, "frame-size") == 0) {
    memset(trailer, 0, 8);
    seal(trailer);
  } else if (strcmp(kind, "frame-nonsense") == 0) {
    memcpy(&payload, trailer + payload_size_at, sizeof payload);
    memset(bytes + mark_size, 0xEE, payload);
    const uint64_t sum = XXH3_64bits(bytes + mark_size, payload);
    memcpy(trailer + payload_sum_at, &sum, sizeof sum);
    seal(trailer);
  } else if (strcmp(kind, "history-bit") == 0) {
    trailer[-history_size] ^= 0x01;
  } else if (strcmp(kind, "history-reference") == 0) {
    unsigned char* const block = trailer - history_size;
    block[references_checksum_at] ^= 0x01;
    seal_part(block, history_sum_at);
  } else if (strcmp(kind, "history-repeated") == 0) {
    const int place = repeatable(bytes, size);
    memcpy(bytes, kept[place].bytes, (size_t)kept[place].size);
    return kept[place].size;
  } else if (strcmp(kind, "answer-bit") == 0) {
    bytes[0] ^= 0x01;
  } else if (strcmp(kind, "answer-hash") == 0) {
    bytes[answer_hash_at] ^= 0x01;
    seal_part(bytes, answer_sum_at);
  } else if (strcmp(kind, "tail-bit") == 0 || strcmp(kind, "chunk-bit") == 0) {
    bytes[size / 2] ^= 0x10;
  } else if (strcmp(kind, "tail-empty") == 0 || strcmp(kind, "chunk-empty") == 0) {
    return 0;
  } else if (strcmp(kind, "tail-long") == 0 || strcmp(kind, "chunk-long") == 0) {
    return size + (1 << 22);
  } else {
    fprintf(stderr, "damage: no kind '%s'\n", kind);
    abort();
  }
  return size;
}

static int damaged_so_far = 0;

static void tell(void) {
  fprintf(stderr, "damage: %s, %d times\n", getenv("DAMAGE"), damaged_so_far);
}

// Whether it is the turn of this one.
static int is_due(void) {
  static int seen = 0;
  const char* every = getenv("DAMAGE_EVERY");
  if (every == NULL) {
    return damaged_so_far == 0;
  }
  if (seen == 0) {
    atexit(tell);
  }
  return ++seen % atoi(every) == 0;
}

// What to send in place of `*bytes`, of which it sets the size, and where to.
static const void* damaged(const void* bytes, int* count, MPI_Datatype type, int* destination) {
  const char* kind = getenv("DAMAGE");
  const char* part = part_of(bytes, *count, type, kind);
  if (kind == NULL || part == NULL || strncmp(kind, part, strlen(part)) != 0) {
    return bytes;
  }
  const int repeats = strcmp(kind, "history-repeated") == 0;
  if (!is_due() || (repeats && repeatable(bytes, *count) < 0)) {
    if (repeats) remember(bytes, *count);
    return bytes;
  }
  ++damaged_so_far;
  if (strcmp(kind, "answer-lost") == 0) {
    *destination = MPI_PROC_NULL;
    return bytes;
  }
  // Never freed: MPI may read it until the request is complete.
  const size_t more = strstr(kind, "-long") != NULL ? 1 << 23 : 1 << 16;
  unsigned char* copy = calloc(1, (size_t)*count + more);
  memcpy(copy, bytes, (size_t)*count);
  const int size = damage(kind, copy, *count);
  if (damaged_so_far == 1) {
    fprintf(stderr, "damage: %s, %d bytes sent as %d\n", kind, *count, size);
  }
  *count = size;
  return copy;
}

int PMPI_Send(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
              MPI_Comm comm) {
  static send_function* real = NULL;
  if (real == NULL) {
    *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Send");
  }
  const void* bytes = damaged(buffer, &count, type, &destination);
  return real(bytes, count, type, destination, tag, comm);
}

int PMPI_Isend(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
               MPI_Comm comm, MPI_Request* request) {
  static isend_function* real = NULL;
  if (real == NULL) {
    *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Isend");
  }
  const void* bytes = damaged(buffer, &count, type, &destination);
  return real(bytes, count, type, destination, tag, comm, request);
}

int PMPI_Issend(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                MPI_Comm comm, MPI_Request* request) {
  static isend_function* real = NULL;
  if (real == NULL) {
    *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Issend");
  }
  const void* bytes = damaged(buffer, &count, type, &destination);
  return real(bytes, count, type, destination, tag, comm, request);
}
