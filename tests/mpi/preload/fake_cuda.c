// In place of CUDA's driver, libcuda.so.1. Memory of the device is mapped twice: by the addresses
// that a program hands to MPI nobody can read or write it, so that whoever tries ends the program;
// the copies, and fake_alias(), go by the other ones. FAKE_CUDA=readable maps it for everybody, as
// if MPI could reach there; FAKE_CUDA=fails lets the copies fail, FAKE_CUDA=fails-late the second
// of those in pieces to the host when it is waited for; FAKE_CUDA=unpinned gives no pinned memory.
//
// Copies come as late as they may: when somebody waits for them. Until then the host has nothing of
// what is to come there, and who writes to it, or to what is copied from it, ends the program.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char* memory = NULL;
static char* alias = NULL;
static size_t used = 0;
enum { room = 1 << 26 };

static int is_told(const char* what) {
  const char* const told = getenv("FAKE_CUDA");
  return told != NULL && strcmp(told, what) == 0;
}

static void map(void) {
  const int file = memfd_create("device", 0);
  if (file < 0 || ftruncate(file, room) != 0) abort();
  const int access = is_told("readable") ? PROT_READ | PROT_WRITE : PROT_NONE;
  memory = mmap(NULL, room, access, MAP_SHARED, file, 0);
  alias = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED || alias == MAP_FAILED) abort();
}

void* fake_device_memory(size_t size);
void* fake_device_memory(size_t size) {
  if (memory == NULL) map();
  void* const allocated = memory + used;
  used += (size + 255) / 256 * 256;
  return used <= room ? allocated : NULL;
}

// The same memory for the processor.
void* fake_alias(void* pointer);
void* fake_alias(void* pointer) {
  return alias + ((char*)pointer - memory);
}

static int freed = 0;

void fake_free_all(void);
void fake_free_all(void) {
  freed = 1;
}

static int is_ours(uintptr_t pointer) {
  const uintptr_t begin = (uintptr_t)memory;
  return memory != NULL && !freed && pointer >= begin && pointer < begin + room;
}

// Of what it does not know it says zeros.
static void answer(int attribute, void* value, int ours) {
  if (attribute == 1) *(void**)value = ours ? memory : NULL;  // the context
  if (attribute == 2) *(unsigned*)value = ours ? 2 : 0;       // CU_MEMORYTYPE_DEVICE
  if (attribute == 8) *(unsigned*)value = 0;                  // managed
  if (attribute == 9) *(int*)value = 0;                       // which device
  if (attribute == 11) *(uintptr_t*)value = ours ? (uintptr_t)memory : 0;
  if (attribute == 12) *(size_t*)value = ours ? (size_t)room : 0;
}

int cuPointerGetAttributes(unsigned number, const int* attributes, void** values,
                           uintptr_t pointer);
int cuPointerGetAttributes(unsigned number, const int* attributes, void** values,
                           uintptr_t pointer) {
  for (unsigned i = 0; i < number; ++i) answer(attributes[i], values[i], is_ours(pointer));
  return 0;
}

int cuGetErrorName(int error, const char** name);
int cuGetErrorName(int error, const char** name) {
  if (error != 719) return 1;
  *name = "CUDA_ERROR_LAUNCH_FAILED";
  return 0;
}

static _Thread_local void* context = NULL;
static int copies = 0;

int fake_copies(void);
int fake_copies(void) {
  return copies;
}

int cuCtxPushCurrent_v2(void* pushed);
int cuCtxPushCurrent_v2(void* pushed) {
  context = pushed;
  return 0;
}

int cuCtxPopCurrent_v2(void** popped);
int cuCtxPopCurrent_v2(void** popped) {
  *popped = context;
  context = NULL;
  return 0;
}

int cuMemHostAlloc(void** allocated, size_t size, unsigned flags);
int cuMemHostAlloc(void** allocated, size_t size, unsigned flags) {
  if (is_told("unpinned")) return 2;  // CUDA_ERROR_OUT_OF_MEMORY
  if (context != memory) return 201;
  *allocated = flags == 1 ? malloc(size) : NULL;
  return *allocated != NULL ? 0 : 2;
}

int cuMemFreeHost(void* allocated);
int cuMemFreeHost(void* allocated) {
  free(allocated);
  return 0;
}

// What a stream has been given and has not done yet.
struct op {
  struct op* next;
  char* to;
  const char* from;  // NULL: a kernel, which writes 0x11
  char* was;         // what the host had when the copy was begun
  size_t to_pitch, from_pitch, width, height;
  int to_host;
  struct stream* awaited;  // if it is no copy
  unsigned long awaited_until;
};
struct stream {
  struct op *first, *last;
  unsigned long given, done;
  int is_made;
  int pieces;  // copied to the host
  int error;
};
struct event {
  struct stream* of;
  unsigned long until;
};

enum { most_streams = 1024, piece = 4 << 20 };
static struct stream streams[most_streams];  // the first is the default one
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static int awaited_events = 0;
static int idle_defaults = 0;

// How often a piece has been waited for, and how often the default stream was found idle.
int fake_awaited_events(void);
int fake_awaited_events(void) {
  return awaited_events;
}
int fake_idle_defaults(void);
int fake_idle_defaults(void) {
  return idle_defaults;
}

static struct stream* known(void* stream) {
  if (stream == NULL) return &streams[0];
  for (int i = 1; i < most_streams; ++i) {
    if (stream == &streams[i]) return streams[i].is_made ? &streams[i] : NULL;
  }
  return NULL;
}

static void give(struct stream* stream, const struct op* op) {
  struct op* const given = malloc(sizeof(struct op));
  if (given == NULL) abort();
  *given = *op;
  given->next = NULL;
  if (stream->last != NULL) stream->last->next = given;
  if (stream->first == NULL) stream->first = given;
  stream->last = given;
  ++stream->given;
}

// Nobody writes there while it is copied.
static void check_host(const struct op* op) {
  const char* const host = op->to_host ? op->to : op->from;
  const size_t pitch = op->to_host ? op->to_pitch : op->from_pitch;
  for (size_t row = 0; row < op->height; ++row) {
    if (memcmp(host + row * pitch, op->was + row * op->width, op->width) == 0) continue;
    fprintf(stderr, "memory of the host was written to while it was copied\n");
    abort();
  }
}

static void do_until(struct stream* stream, unsigned long until);

static void carry_out(struct stream* stream, struct op* op) {
  if (op->awaited != NULL) {
    do_until(op->awaited, op->awaited_until);
  } else if (op->from == NULL) {
    memset(op->to, 0x11, op->width);
  } else {
    check_host(op);
    if (op->to_host && op->width == piece && ++stream->pieces == 2 && is_told("fails-late")) {
      stream->error = 719;
    }
    for (size_t row = 0; stream->error == 0 && row < op->height; ++row) {
      memcpy(op->to + row * op->to_pitch, op->from + row * op->from_pitch, op->width);
    }
  }
  free(op->was);
}

static void do_until(struct stream* stream, unsigned long until) {
  while (stream->done < until) {
    struct op* const op = stream->first;
    stream->first = op->next;
    if (stream->first == NULL) stream->last = NULL;
    carry_out(stream, op);
    free(op);
    ++stream->done;
  }
}

int cuStreamCreate(void** stream, unsigned flags);
int cuStreamCreate(void** stream, unsigned flags) {
  if (context != memory) return 201;  // CUDA_ERROR_INVALID_CONTEXT
  if (flags != 1) return 1;           // not CU_STREAM_NON_BLOCKING
  pthread_mutex_lock(&one_at_a_time);
  int i = 1;
  while (i < most_streams && streams[i].is_made) ++i;
  if (i < most_streams) {
    memset(&streams[i], 0, sizeof(streams[i]));
    streams[i].is_made = 1;
    *stream = &streams[i];
  }
  pthread_mutex_unlock(&one_at_a_time);
  return i < most_streams ? 0 : 2;
}

int cuStreamDestroy_v2(void* stream);
int cuStreamDestroy_v2(void* stream) {
  pthread_mutex_lock(&one_at_a_time);
  struct stream* const found = stream != NULL ? known(stream) : NULL;
  if (found != NULL) do_until(found, found->given);
  if (found != NULL) found->is_made = 0;
  pthread_mutex_unlock(&one_at_a_time);
  return found != NULL ? 0 : 400;  // CUDA_ERROR_INVALID_HANDLE
}

// A kernel in the default stream will have written there once somebody waits for it.
void fake_kernel(void* pointer, size_t size);
void fake_kernel(void* pointer, size_t size) {
  const struct op kernel = {.to = fake_alias(pointer), .width = size};
  pthread_mutex_lock(&one_at_a_time);
  give(&streams[0], &kernel);
  pthread_mutex_unlock(&one_at_a_time);
}

int cuStreamSynchronize(void* stream);
int cuStreamSynchronize(void* stream) {
  pthread_mutex_lock(&one_at_a_time);
  struct stream* const found = known(stream);
  if (found != NULL) do_until(found, found->given);
  const int code = found != NULL ? found->error : 400;
  pthread_mutex_unlock(&one_at_a_time);
  return code;
}

int cuEventCreate(void** event, unsigned flags);
int cuEventCreate(void** event, unsigned flags) {
  if (context != memory) return 201;
  if (flags != 2) return 1;  // not CU_EVENT_DISABLE_TIMING
  *event = calloc(1, sizeof(struct event));
  return *event != NULL ? 0 : 2;
}

int cuEventDestroy_v2(void* event);
int cuEventDestroy_v2(void* event) {
  free(event);
  return 0;
}

int cuEventRecord(void* event, void* stream);
int cuEventRecord(void* event, void* stream) {
  pthread_mutex_lock(&one_at_a_time);
  struct stream* const found = known(stream);
  if (found != NULL) *(struct event*)event = (struct event){found, found->given};
  pthread_mutex_unlock(&one_at_a_time);
  return found != NULL ? 0 : 400;
}

int cuEventSynchronize(void* event);
int cuEventSynchronize(void* event) {
  const struct event* const one = event;
  if (one->of == NULL) return 0;  // never recorded
  pthread_mutex_lock(&one_at_a_time);
  do_until(one->of, one->until);
  ++awaited_events;
  const int code = one->of->error;
  pthread_mutex_unlock(&one_at_a_time);
  return code;
}

int cuStreamQuery(void* stream);
int cuStreamQuery(void* stream) {
  pthread_mutex_lock(&one_at_a_time);
  struct stream* const found = known(stream);
  int code = 400;
  if (found != NULL) code = found->error != 0 ? found->error : found->first != NULL ? 600 : 0;
  if (code == 0 && stream == NULL) ++idle_defaults;
  pthread_mutex_unlock(&one_at_a_time);
  return code;
}

// The host's part of a copy until it is carried out: nothing of what is to come.
static void begin_copy(struct stream* stream, struct op* op) {
  char* const host = op->to_host ? op->to : (char*)op->from;
  const size_t pitch = op->to_host ? op->to_pitch : op->from_pitch;
  op->was = malloc(op->width * op->height);
  if (op->was == NULL) abort();
  for (size_t row = 0; row < op->height; ++row) {
    if (op->to_host) memset(host + row * pitch, 0xA5, op->width);
    memcpy(op->was + row * op->width, host + row * pitch, op->width);
  }
  give(stream, op);
}

// `op` has all but what it was.
static int copy(struct op* op, uintptr_t on_device, size_t size, void* stream) {
  if (is_told("fails")) return 719;  // CUDA_ERROR_LAUNCH_FAILED
  if (!is_ours(on_device) || !is_ours(on_device + size - 1)) return 1;
  pthread_mutex_lock(&one_at_a_time);
  struct stream* const found = stream != NULL ? known(stream) : NULL;
  const int code = found != NULL ? found->error : 400;
  if (code == 0) begin_copy(found, op);
  ++copies;
  pthread_mutex_unlock(&one_at_a_time);
  return code;
}

int cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t size, void* stream);
int cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t size, void* stream) {
  struct op op = {.to = to, .from = fake_alias((void*)from), .width = size, .height = 1};
  op.to_host = 1;
  return copy(&op, from, size, stream);
}

int cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t size, void* stream);
int cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t size, void* stream) {
  struct op op = {.to = fake_alias((void*)to), .from = from, .width = size, .height = 1};
  return copy(&op, to, size, stream);
}

// CUDA_MEMCPY2D.
struct side {
  size_t x, y;
  unsigned type;
  char* host;
  uintptr_t device;
  void* array;
  size_t pitch;
};
struct plane {
  struct side from, to;
  size_t width, height;
};

static char* memory_of(const struct side* of) {
  return of->type == 2 ? fake_alias((void*)of->device) : of->host;
}

int cuMemcpy2DAsync_v2(const struct plane* plane, void* stream);
int cuMemcpy2DAsync_v2(const struct plane* plane, void* stream) {
  const struct side* const device = plane->from.type == 2 ? &plane->from : &plane->to;
  const size_t size = device->pitch * (plane->height - 1) + plane->width;
  struct op op = {.to = memory_of(&plane->to), .from = memory_of(&plane->from)};
  op.to_pitch = plane->to.pitch;
  op.from_pitch = plane->from.pitch;
  op.width = plane->width;
  op.height = plane->height;
  op.to_host = plane->from.type == 2;
  return copy(&op, device->device, size, stream);
}
