// In place of CUDA's driver, libcuda.so.1: memory of a device that the processor happens to be able
// to read, as every MPI needs that knows nothing of devices.
#include <stdint.h>
#include <stdlib.h>

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

// CUDA_SUCCESS with CU_MEMORYTYPE_DEVICE, or CUDA_ERROR_INVALID_VALUE.
int cuPointerGetAttribute(void* value, int attribute, uintptr_t pointer);
int cuPointerGetAttribute(void* value, int attribute, uintptr_t pointer) {
  const uintptr_t begin = (uintptr_t)memory;
  if (attribute != 2 || memory == NULL || pointer < begin || pointer >= begin + room) return 1;
  *(unsigned*)value = 2;
  return 0;
}
