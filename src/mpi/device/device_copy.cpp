#include "mpi/device/device_copy.h"

#include <dlfcn.h>

#include <cstdint>
#include <string>

#include "mpi/error.h"
#include "runtime/log.h"

namespace tightwire::mpi {
namespace {

using DevicePointer = std::uintptr_t;
using Context = void*;
using Stream = void*;

// cuda.h. What is not there stays nullptr.
struct Driver {
  int (*attribute)(void*, int, DevicePointer) = nullptr;
  int (*push)(Context) = nullptr;
  int (*pop)(Context*) = nullptr;
  int (*make_stream)(Stream*, unsigned) = nullptr;
  int (*free_stream)(Stream) = nullptr;
  int (*wait)(Stream) = nullptr;
  int (*to_host)(void*, DevicePointer, std::size_t, Stream) = nullptr;
  int (*to_device)(DevicePointer, const void*, std::size_t, Stream) = nullptr;

  [[nodiscard]] bool usable() const {
    return attribute != nullptr && push != nullptr && pop != nullptr && make_stream != nullptr &&
           free_stream != nullptr && wait != nullptr && to_host != nullptr && to_device != nullptr;
  }
};
constexpr int context_of_pointer = 1;      // CU_POINTER_ATTRIBUTE_CONTEXT
constexpr unsigned stream_of_its_own = 1;  // CU_STREAM_NON_BLOCKING
constexpr int no_function = 500;           // CUDA_ERROR_NOT_FOUND

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

// The process has it: the memory is its.
Driver load() {
  Driver driver;
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return driver;
  find(library, "cuPointerGetAttribute", driver.attribute);
  find(library, "cuCtxPushCurrent_v2", driver.push);
  find(library, "cuCtxPopCurrent_v2", driver.pop);
  find(library, "cuStreamCreate", driver.make_stream);
  find(library, "cuStreamDestroy_v2", driver.free_stream);
  find(library, "cuStreamSynchronize", driver.wait);
  find(library, "cuMemcpyDtoHAsync_v2", driver.to_host);
  find(library, "cuMemcpyHtoDAsync_v2", driver.to_device);
  return driver;
}

const Driver& driver() {
  static const Driver loaded = load();
  return loaded;
}

// In a stream of its own: the default one waits for kernels, which may wait for this message.
template <class Copy>
int copy_in_stream(Copy copy) {
  Stream stream = nullptr;
  int code = driver().make_stream(&stream, stream_of_its_own);
  if (code != 0) return code;
  code = copy(stream);
  if (code == 0) code = driver().wait(stream);
  driver().free_stream(stream);
  return code;
}

// The thread that receives may have made no context its own: the memory's is taken. What comes from
// a pool of the driver's has none, and takes the thread's.
template <class Copy>
int copy_in_context(DevicePointer pointer, Copy copy) {
  if (!driver().usable()) return no_function;
  Context context = nullptr;
  if (driver().attribute(&context, context_of_pointer, pointer) != 0 || context == nullptr) {
    return copy_in_stream(copy);
  }
  int code = driver().push(context);
  if (code != 0) return code;
  code = copy_in_stream(copy);
  driver().pop(&context);
  return code;
}

template <class Copy>
void copy_or_throw(const void* memory, std::size_t bytes, Copy copy) {
  const auto pointer = reinterpret_cast<DevicePointer>(memory);
  const int code = copy_in_context(pointer, [&](Stream stream) { return copy(pointer, stream); });
  if (code == 0) return;
  runtime::log("copying " + std::to_string(bytes) +
               " bytes to or from the memory of a GPU failed: error " + std::to_string(code) +
               " of CUDA's driver. TIGHTWIRE_POINT_TO_POINT=off leaves such messages to MPI");
  throw MpiError{MPI_ERR_BUFFER};
}

}  // namespace

void copy_from_device(std::span<std::byte> to, const void* from) {
  copy_or_throw(from, to.size(), [&](DevicePointer pointer, Stream stream) {
    return driver().to_host(to.data(), pointer, to.size(), stream);
  });
}

void copy_to_device(void* to, std::span<const std::byte> from) {
  copy_or_throw(to, from.size(), [&](DevicePointer pointer, Stream stream) {
    return driver().to_device(pointer, from.data(), from.size(), stream);
  });
}

}  // namespace tightwire::mpi
