#include "support/cuda_driver.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace devices {
namespace {

template <class Function>
Function find(void* library, const char* name) {
  const auto found = reinterpret_cast<Function>(dlsym(library, name));
  if (found == nullptr) {
    std::fprintf(stderr, "no %s in the driver\n", name);
    std::exit(1);
  }
  return found;
}

void check(int code, const char* what) {
  if (code == 0) return;
  std::fprintf(stderr, "%s: error %d of the driver\n", what, code);
  std::exit(1);
}

void enter_primary_context(void* library) {
  void* context = nullptr;
  check(find<int (*)(unsigned)>(library, "cuInit")(0), "cuInit");
  check(find<int (*)(void**, int)>(library, "cuDevicePrimaryCtxRetain")(&context, 0), "context");
  check(find<int (*)(void*)>(library, "cuCtxSetCurrent")(context), "cuCtxSetCurrent");
}

}  // namespace

Driver::Driver(const char* library) : library_(dlopen(library, RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  stands_in_ = dlsym(library_, "fake_device_memory") != nullptr;
  if (is_real()) enter_primary_context(library_);
}

int* Driver::allocate(std::size_t ints) const {
  if (library_ == nullptr) return new int[ints];
  if (stands_in_) {
    return static_cast<int*>(
        find<void* (*)(std::size_t)>(library_, "fake_device_memory")(ints * sizeof(int)));
  }
  std::uintptr_t memory = 0;
  check(find<int (*)(std::uintptr_t*, std::size_t)>(library_, "cuMemAlloc_v2")(&memory,
                                                                               ints * sizeof(int)),
        "cuMemAlloc");
  return reinterpret_cast<int*>(memory);
}

int* Driver::alias_of(int* device, std::size_t ints) const {
  if (library_ == nullptr) return device;
  if (stands_in_) return static_cast<int*>(find<void* (*)(void*)>(library_, "fake_alias")(device));
  void* pinned = nullptr;
  check(find<int (*)(void**, std::size_t, unsigned)>(library_, "cuMemHostAlloc")(
            &pinned, ints * sizeof(int), 0),
        "cuMemHostAlloc");
  return static_cast<int*>(pinned);
}

void Driver::to_device(int* device, const int* alias, std::size_t ints) const {
  if (!is_real()) return;
  const auto copy =
      find<int (*)(std::uintptr_t, const void*, std::size_t)>(library_, "cuMemcpyHtoD_v2");
  check(copy(reinterpret_cast<std::uintptr_t>(device), alias, ints * sizeof(int)), "cuMemcpyHtoD");
}

void Driver::from_device(int* alias, const int* device, std::size_t ints) const {
  if (!is_real()) return;
  const auto copy = find<int (*)(void*, std::uintptr_t, std::size_t)>(library_, "cuMemcpyDtoH_v2");
  check(copy(alias, reinterpret_cast<std::uintptr_t>(device), ints * sizeof(int)), "cuMemcpyDtoH");
}

void Driver::free_all() const {
  find<void (*)()>(library_, "fake_free_all")();
}

void Driver::late_kernel(int* device, std::size_t bytes) const {
  find<void (*)(void*, std::size_t)>(library_, "fake_kernel")(device, bytes);
}

}  // namespace devices
