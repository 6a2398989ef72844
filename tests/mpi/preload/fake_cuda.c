// In place of CUDA's driver, libcuda.so.1. Memory of the device is mapped twice: by the addresses
// that a program hands to MPI nobody can read or write it, so that whoever tries ends the program;
// the copies, and fake_alias(), go by the other ones. FAKE_CUDA=readable maps it for everybody, as
// if MPI could reach there; FAKE_CUDA=fails lets the copies fail; FAKE_CUDA=unpinned gives no pinned
// memory.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char* memory = NULL;
static char* alias = NULL;
static size_t used = 0;
enum { room = 1 << 25 };

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

int cuPointerGetAttributes(unsigned number, const int* attributes, void** values, uintptr_t pointer);
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

static int streams = 0;

int cuStreamCreate(void** stream, unsigned flags);
int cuStreamCreate(void** stream, unsigned flags) {
  if (context != memory) return 201;  // CUDA_ERROR_INVALID_CONTEXT
  if (flags != 1) return 1;           // not CU_STREAM_NON_BLOCKING
  ++streams;
  *stream = &streams;
  return 0;
}

int cuStreamDestroy_v2(void* stream);
int cuStreamDestroy_v2(void* stream) {
  if (stream != &streams || streams == 0) return 400;  // CUDA_ERROR_INVALID_HANDLE
  --streams;
  return 0;
}

// What a kernel in the default stream will have written once somebody waits for it.
static char* late_place = NULL;
static size_t late_size = 0;

void fake_kernel(void* pointer, size_t size);
void fake_kernel(void* pointer, size_t size) {
  late_place = fake_alias(pointer);
  late_size = size;
}

int cuStreamSynchronize(void* stream);
int cuStreamSynchronize(void* stream) {
  if (stream == NULL) {
    if (late_place != NULL) memset(late_place, 0x11, late_size);
    late_place = NULL;
    return 0;
  }
  return stream == &streams && streams > 0 ? 0 : 400;
}

static int may_copy(uintptr_t on_device, size_t size, void* stream) {
  if (is_told("fails")) return 719;  // CUDA_ERROR_LAUNCH_FAILED
  if (stream != &streams || streams == 0) return 400;
  return is_ours(on_device) && is_ours(on_device + size - 1) ? 0 : 1;
}

int cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t size, void* stream);
int cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t size, void* stream) {
  const int code = may_copy(from, size, stream);
  if (code == 0) memcpy(to, fake_alias((void*)from), size);
  ++copies;
  return code;
}

int cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t size, void* stream);
int cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t size, void* stream) {
  const int code = may_copy(to, size, stream);
  if (code == 0) memcpy(fake_alias((void*)to), from, size);
  ++copies;
  return code;
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

int cuMemcpy2DAsync_v2(const struct plane* copy, void* stream);
int cuMemcpy2DAsync_v2(const struct plane* copy, void* stream) {
  const struct side* const device = copy->from.type == 2 ? &copy->from : &copy->to;
  const size_t size = device->pitch * (copy->height - 1) + copy->width;
  const int code = may_copy(device->device, size, stream);
  for (size_t row = 0; code == 0 && row < copy->height; ++row) {
    memcpy(memory_of(&copy->to) + row * copy->to.pitch,
           memory_of(&copy->from) + row * copy->from.pitch, copy->width);
  }
  ++copies;
  return code;
}
