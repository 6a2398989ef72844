// Preloaded before the library: damages one frame on its way out, as a bad link or a foreign sender
// would. Environment: DAMAGE names the damage, DAMAGE_RANK the sending rank, DAMAGE_FRAME the
// frame, counted from 0 among those that this rank sends. Offsets are those of src/wire/frame.h.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum {
  version_at = 4,
  codec_at = 6,
  type_at = 7,
  size_at = 8,
  sequence_at = 24,
  checksum_at = 32,
  header_size = 40
};

typedef int isend_function(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static int is_frame(const void* buffer, int count, MPI_Datatype type) {
  return type == MPI_BYTE && count >= header_size && memcmp(buffer, "TWf\x1a", 4) == 0;
}

static int is_chosen(void) {
  const char* rank_wanted = getenv("DAMAGE_RANK");
  const char* frame_wanted = getenv("DAMAGE_FRAME");
  static int frames = 0;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return frames++ == atoi(frame_wanted) && rank == atoi(rank_wanted);
}

// A sender that is wrong, rather than a link: the checksum is right.
static void seal(unsigned char* frame, int size) {
  const uint64_t seed = XXH3_64bits(frame, checksum_at);
  const uint64_t sum =
      XXH3_64bits_withSeed(frame + header_size, (size_t)(size - header_size), seed);
  memcpy(frame + checksum_at, &sum, sizeof sum);
}

// Returns the size to send.
static int damage(const char* kind, unsigned char* frame, int size) {
  if (strcmp(kind, "payload-bit") == 0) {
    frame[header_size + (size - header_size) / 2] ^= 0x10;
  } else if (strcmp(kind, "header-bit") == 0) {
    frame[size_at + 1] ^= 0x01;
  } else if (strcmp(kind, "checksum-bit") == 0) {
    frame[checksum_at] ^= 0x80;
  } else if (strcmp(kind, "cut") == 0) {
    return size - 1;
  } else if (strcmp(kind, "cut-in-header") == 0) {
    return header_size / 2;
  } else if (strcmp(kind, "empty") == 0) {
    return 0;
  } else if (strcmp(kind, "longer") == 0) {
    return size + 1;
  } else if (strcmp(kind, "far-too-long") == 0) {
    return size + (1 << 22);
  } else if (strcmp(kind, "foreign") == 0) {
    memset(frame, 0, 4);
  } else if (strcmp(kind, "version") == 0) {
    frame[version_at] += 1;
    seal(frame, size);
  } else if (strcmp(kind, "codec") == 0) {
    frame[codec_at] = 200;
    seal(frame, size);
  } else if (strcmp(kind, "type") == 0) {
    frame[type_at] = frame[type_at] == 5 ? 6 : 5;
    seal(frame, size);
  } else if (strcmp(kind, "sequence") == 0) {
    frame[sequence_at] += 1;
    seal(frame, size);
  } else if (strcmp(kind, "nonsense") == 0) {
    memset(frame + header_size, 0xEE, (size_t)(size - header_size));
    seal(frame, size);
  } else {
    fprintf(stderr, "damage: no kind '%s'\n", kind);
    abort();
  }
  return size;
}

int PMPI_Isend(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
               MPI_Comm comm, MPI_Request* request) {
  static isend_function* real = NULL;
  if (real == NULL) {
    *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Isend");
  }
  const char* kind = getenv("DAMAGE");
  if (kind == NULL || !is_frame(buffer, count, type) || !is_chosen()) {
    return real(buffer, count, type, destination, tag, comm, request);
  }
  // Never freed: MPI may read it until the request is complete.
  unsigned char* copy = calloc(1, (size_t)count + (1 << 23));
  memcpy(copy, buffer, (size_t)count);
  if (strcmp(kind, "kill") == 0) {
    fprintf(stderr, "damage: kill, frame of %d bytes never sent\n", count);
    raise(SIGKILL);
  }
  if (strcmp(kind, "delay") == 0) {
    fprintf(stderr, "damage: delay, frame of %d bytes sent late\n", count);
    sleep(2);
    return real(copy, count, type, destination, tag, comm, request);
  }
  if (strcmp(kind, "twice") == 0) {
    fprintf(stderr, "damage: twice, frame of %d bytes sent again\n", count);
    MPI_Request first = MPI_REQUEST_NULL;
    real(copy, count, type, destination, tag, comm, &first);
    PMPI_Request_free(&first);
    return real(copy, count, type, destination, tag, comm, request);
  }
  const int size = damage(kind, copy, count);
  fprintf(stderr, "damage: %s, frame of %d bytes sent as %d\n", kind, count, size);
  return real(copy, size, type, destination, tag, comm, request);
}
