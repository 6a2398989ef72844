// In place of CUDA's driver, libcuda.so.1: memory of a device that the processor happens to be able
// to read, as every MPI needs that knows nothing of devices.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char* memory = NULL;
static size_t used = 0;
enum { room = 1 << 24 };

void* fake_device_memory(size_t size);
void* fake_device_memory(size_t size) {
  if (memory == NULL) memory = malloc(room);
  void* const allocated = memory + used;
  used += size;
  return used <= room ? allocated : NULL;
}

static int is_ours(uintptr_t pointer) {
  const uintptr_t begin = (uintptr_t)memory;
  return memory != NULL && pointer >= begin && pointer < begin + room;
}

// CUDA_SUCCESS with CU_MEMORYTYPE_DEVICE, or CUDA_ERROR_INVALID_VALUE.
int cuPointerGetAttribute(void* value, int attribute, uintptr_t pointer);
int cuPointerGetAttribute(void* value, int attribute, uintptr_t pointer) {
  if (!is_ours(pointer)) return 1;
  if (attribute == 1) *(void**)value = memory;  // the context
  if (attribute == 2) *(unsigned*)value = 2;
  return attribute == 1 || attribute == 2 ? 0 : 1;
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

int cuStreamSynchronize(void* stream);
int cuStreamSynchronize(void* stream) {
  return stream == &streams && streams > 0 ? 0 : 400;
}

static int copy(void* to, const void* from, size_t size, uintptr_t on_device, void* stream) {
  if (cuStreamSynchronize(stream) != 0) return 400;
  if (!is_ours(on_device) || !is_ours(on_device + size - 1)) return 1;
  memcpy(to, from, size);
  ++copies;
  return 0;
}

int cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t size, void* stream);
int cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t size, void* stream) {
  return copy(to, (const void*)from, size, from, stream);
}

int cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t size, void* stream);
int cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t size, void* stream) {
  return copy((void*)to, from, size, to, stream);
}
