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

// cuda.h. What is not there stays nullptr.
struct Driver {
  int (*attribute)(void*, int, DevicePointer) = nullptr;
  int (*push)(Context) = nullptr;
  int (*pop)(Context*) = nullptr;
  int (*to_host)(void*, DevicePointer, std::size_t) = nullptr;
  int (*to_device)(DevicePointer, const void*, std::size_t) = nullptr;

  [[nodiscard]] bool usable() const {
    return attribute != nullptr && push != nullptr && pop != nullptr && to_host != nullptr &&
           to_device != nullptr;
  }
};
constexpr int context_of_pointer = 1;  // CU_POINTER_ATTRIBUTE_CONTEXT
constexpr int no_function = 500;       // CUDA_ERROR_NOT_FOUND

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
  find(library, "cuMemcpyDtoH_v2", driver.to_host);
  find(library, "cuMemcpyHtoD_v2", driver.to_device);
  return driver;
}

const Driver& driver() {
  static const Driver loaded = load();
  return loaded;
}

// The thread that receives may have made no context its own: the memory's is taken.
template <class Copy>
void in_context_of(const void* memory, std::size_t bytes, Copy copy) {
  const auto pointer = reinterpret_cast<DevicePointer>(memory);
  Context context = nullptr;
  int code =
      driver().usable() ? driver().attribute(&context, context_of_pointer, pointer) : no_function;
  if (code == 0) code = driver().push(context);
  if (code == 0) {
    code = copy(pointer);
    driver().pop(&context);
  }
  if (code == 0) return;
  runtime::log("copying " + std::to_string(bytes) +
               " bytes to or from the memory of a GPU failed: error " + std::to_string(code) +
               " of CUDA's driver. TIGHTWIRE_POINT_TO_POINT=off leaves such messages to MPI");
  throw MpiError{MPI_ERR_BUFFER};
}

}  // namespace

void copy_from_device(std::span<std::byte> to, const void* from) {
  in_context_of(from, to.size(), [&](DevicePointer pointer) {
    return driver().to_host(to.data(), pointer, to.size());
  });
}

void copy_to_device(void* to, std::span<const std::byte> from) {
  in_context_of(to, from.size(), [&](DevicePointer pointer) {
    return driver().to_device(pointer, from.data(), from.size());
  });
}

}  // namespace tightwire::mpi
