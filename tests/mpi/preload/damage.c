// Preloaded behind the library: damages one of its messages on the way out, as a bad link or a
// foreign sender would. Environment: DAMAGE names the damage, DAMAGE_OF what is damaged,
// DAMAGE_RANK the sending rank, DAMAGE_FRAME which one, counted from 0 among those that this rank
// sends, DAMAGE_COUNT how many from there on, if not one. Offsets are those of src/wire/frame.h.
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
  kind_at = 5,
  codec_at = 6,
  type_at = 7,
  size_at = 8,
  sequence_at = 24,
  checksum_at = 32,
  header_size = 40,
  // Of the block behind the header of a frame that is to be remembered (src/wire/history.h).
  remembered = 3,
  unframed = 4,
  reference_sum_at = 16,
  references_at = 30,
  block_sum_at = 32,
  trailing_size = 72
};

static const unsigned char mark[] = {0x73, 0x5e, 0x9b, 0xbf, 0xb1, 0x4b, 0xa0, 0x19};

// The last predicted frame that this rank has sent to each other: `repeated` sends it again in
// place of the next one.
enum { most_ranks = 64 };
static struct {
  unsigned char* bytes;
  int size;
} last[most_ranks];

static int is_predicted(const unsigned char* frame) {
  return frame[kind_at] == remembered && frame[header_size + references_at] != 0;
}

// Whether it holds several frames, behind their sizes (src/wire/bundle.h).
static int is_bundle(const unsigned char* bytes, int size) {
  enum { of_size = 4, most = 256 };
  for (int frames = 2; frames <= most && (frames + 1) * of_size <= size; ++frames) {
    if (memcmp(bytes + frames * of_size, "TWf\x1a", 4) != 0) continue;
    int64_t length = frames * of_size;
    for (int i = 0; i < frames; ++i) {
      uint32_t one = 0;
      memcpy(&one, bytes + i * of_size, sizeof one);
      length += one;
    }
    return length == size;
  }
  return 0;
}

// A frame, or where that is asked for one that is predicted, or that says that a message comes
// without; the first frame of a message between two ranks, whose trailer is at its end
// (src/wire/trailer.h); the trailing bytes of a stored one; or several frames in one message.
static const char* part_of(const unsigned char* bytes, int size, MPI_Comm comm) {
  const char* of = getenv("DAMAGE_OF");
  if (size >= header_size && memcmp(bytes, "TWf\x1a", 4) == 0) {
    if (of != NULL && strcmp(of, "unframed") == 0 && bytes[kind_at] == unframed) return of;
    return of != NULL && strcmp(of, "predicted") == 0 && is_predicted(bytes) ? of : "frame";
  }
  if (is_bundle(bytes, size)) return "bundle";
  if (size >= 64 && memcmp(bytes + size - sizeof mark, mark, sizeof mark) == 0) return "lead";
  return size == trailing_size && comm != MPI_COMM_WORLD ? "tail" : NULL;
}

static int is_chosen(const char* part) {
  const char* of = getenv("DAMAGE_OF");
  static int seen = 0;
  int rank = 0;
  if (strcmp(part, of == NULL ? "frame" : of) != 0) return 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* count = getenv("DAMAGE_COUNT");
  const int place = seen++ - atoi(getenv("DAMAGE_FRAME"));
  return place >= 0 && place < (count == NULL ? 1 : atoi(count)) &&
         rank == atoi(getenv("DAMAGE_RANK"));
}

// A sender that is wrong, rather than a link: the checksum is right.
static void seal(unsigned char* frame, int size) {
  const uint64_t seed = XXH3_64bits(frame, checksum_at);
  const uint64_t sum =
      XXH3_64bits_withSeed(frame + header_size, (size_t)(size - header_size), seed);
  memcpy(frame + checksum_at, &sum, sizeof sum);
}

// Returns the size to send.
static int damage(const char* kind, unsigned char* frame, int size, int destination) {
  if (strcmp(kind, "payload-bit") == 0) {
    frame[header_size + (size - header_size) / 2] ^= 0x10;
  } else if (strcmp(kind, "header-bit") == 0) {
    frame[size_at + 1] ^= 0x01;
  } else if (strcmp(kind, "size-bit") == 0) {  // of a bundle's first frame
    frame[1] ^= 0x01;
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
  } else if (strcmp(kind, "block-bit") == 0) {
    frame[header_size] ^= 0x01;
  } else if (strcmp(kind, "reference") == 0) {
    unsigned char* const block = frame + header_size;
    block[reference_sum_at] ^= 0x01;
    const uint64_t sum = XXH3_64bits(block, block_sum_at);
    memcpy(block + block_sum_at, &sum, sizeof sum);
    seal(frame, size);
  } else if (strcmp(kind, "repeated") == 0) {
    // As the calls of a communicator are counted in eight bits, it may have the right place.
    uint32_t sequence = 0;
    memcpy(&sequence, frame + sequence_at, sizeof sequence);
    size = last[destination].size;
    memcpy(frame, last[destination].bytes, (size_t)size);
    memcpy(frame + sequence_at, &sequence, sizeof sequence);
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

// The bytes of a message in memory of its own; never freed, as MPI may read it for long.
static unsigned char* copy_of(const void* buffer, int count, MPI_Datatype type, int* size) {
  int each = 0;
  PMPI_Type_size(type, &each);
  *size = count * each;
  unsigned char* copy = calloc(1, (size_t)*size + (1 << 23));
  // Not MPI_Pack: MPICH's takes no MPI_BOTTOM.
  PMPI_Sendrecv(buffer, count, type, 0, 0, copy, *size, MPI_BYTE, 0, 0, MPI_COMM_SELF,
                MPI_STATUS_IGNORE);
  return copy;
}

static int is_repeatable(const char* part, const char* kind) {
  return part != NULL && strcmp(part, "predicted") == 0 && strcmp(kind, "repeated") == 0;
}

static void remember(unsigned char* copy, int size, int destination) {
  free(last[destination].bytes);
  last[destination].bytes = copy;
  last[destination].size = size;
}

static void* next(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

typedef int isend_function(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

// What goes out in place of a message: `size` bytes, `copies` times, or not at all.
typedef struct {
  unsigned char* bytes;
  int size, copies;
} outcome;

// Nothing (bytes == NULL) if the message is to go as it is.
static outcome work_on(const void* buffer, int count, MPI_Datatype type, int destination,
                       MPI_Comm comm) {
  const outcome as_it_is = {NULL, 0, 0};
  const char* kind = getenv("DAMAGE");
  if (kind == NULL) return as_it_is;
  int size = 0;
  unsigned char* copy = copy_of(buffer, count, type, &size);
  const char* part = part_of(copy, size, comm);
  if (part == NULL || !is_chosen(part)) {
    is_repeatable(part, kind) ? remember(copy, size, destination) : free(copy);
    return as_it_is;
  }
  outcome changed = {copy, size, 1};
  if (strcmp(kind, "kill") == 0) {
    fprintf(stderr, "damage: kill, %s of %d bytes never sent\n", part, size);
    raise(SIGKILL);
  } else if (strcmp(kind, "delay") == 0) {
    fprintf(stderr, "damage: delay, %s of %d bytes sent late\n", part, size);
    sleep(2);
  } else if (strcmp(kind, "drop") == 0) {
    fprintf(stderr, "damage: drop, %s of %d bytes never sent\n", part, size);
    changed.copies = 0;
  } else if (strcmp(kind, "twice") == 0) {
    fprintf(stderr, "damage: twice, %s of %d bytes sent again\n", part, size);
    changed.copies = 2;
  } else {
    changed.size = damage(kind, copy, size, destination);
    fprintf(stderr, "damage: %s, %s of %d bytes sent as %d\n", kind, part, size, changed.size);
  }
  return changed;
}

static int send_damaged(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
                        MPI_Comm comm, MPI_Request* request) {
  static isend_function* real = NULL;
  if (real == NULL) *(void**)&real = next("PMPI_Isend");
  const outcome changed = work_on(buffer, count, type, destination, comm);
  if (changed.bytes == NULL) return real(buffer, count, type, destination, tag, comm, request);
  if (changed.copies == 0) destination = MPI_PROC_NULL;
  for (int i = 1; i < changed.copies; ++i) {
    MPI_Request first = MPI_REQUEST_NULL;
    real(changed.bytes, changed.size, MPI_BYTE, destination, tag, comm, &first);
    PMPI_Request_free(&first);
  }
  return real(changed.bytes, changed.size, MPI_BYTE, destination, tag, comm, request);
}

int PMPI_Isend(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
               MPI_Comm comm, MPI_Request* request) {
  return send_damaged(buffer, count, type, destination, tag, comm, request);
}

int PMPI_Send(const void* buffer, int count, MPI_Datatype type, int destination, int tag,
              MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = send_damaged(buffer, count, type, destination, tag, comm, &request);
  return code == MPI_SUCCESS ? PMPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}
