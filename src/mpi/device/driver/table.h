// The functions of CUDA's driver that are called, as cuda.h has them. No part of the product but
// driver.cpp and this folder knows them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi/device/driver.h"
#include "mpi/device/driver/idle_streams.h"

namespace tightwire::mpi::driver {

using DevicePointer = std::uintptr_t;
using Context = void*;
using Stream = void*;
using Event = void*;

inline constexpr unsigned stream_of_its_own = 1;  // CU_STREAM_NON_BLOCKING
inline constexpr int no_function = 500;           // CUDA_ERROR_NOT_FOUND

// cuda.h: CUDA_MEMCPY2D.
struct Copy2d {
  struct Side {
    std::size_t x = 0;
    std::size_t y = 0;
    unsigned type = 0;
    void* host = nullptr;
    DevicePointer device = 0;
    void* array = nullptr;
    std::size_t pitch = 0;
  };
  Side from;
  Side to;
  std::size_t width = 0;
  std::size_t height = 0;
};

// What is not there stays nullptr.
struct Table {
  int (*attributes)(unsigned, const int*, void**, DevicePointer) = nullptr;
  int (*push)(Context) = nullptr;
  int (*pop)(Context*) = nullptr;
  int (*primary)(Context*, int) = nullptr;
  int (*make_stream)(Stream*, unsigned) = nullptr;
  int (*free_stream)(Stream) = nullptr;
  int (*wait)(Stream) = nullptr;
  int (*ask)(Stream) = nullptr;
  int (*make_event)(Event*, unsigned) = nullptr;
  int (*free_event)(Event) = nullptr;
  int (*record)(Event, Stream) = nullptr;
  int (*wait_for_event)(Event) = nullptr;
  int (*to_host)(void*, DevicePointer, std::size_t, Stream) = nullptr;
  int (*to_device)(DevicePointer, const void*, std::size_t, Stream) = nullptr;
  int (*copy_2d)(const Copy2d*, Stream) = nullptr;
  int (*allocate)(void**, std::size_t, unsigned) = nullptr;
  int (*free)(void*) = nullptr;
  int (*error_name)(int, const char**) = nullptr;

  // Without these it is too old. The others are wanted where they are used.
  [[nodiscard]] bool can_copy() const {
    return push != nullptr && pop != nullptr && make_stream != nullptr && free_stream != nullptr &&
           wait != nullptr && to_host != nullptr && to_device != nullptr;
  }
  [[nodiscard]] bool can_copy_in_pieces() const {
    return can_copy() && ask != nullptr && make_event != nullptr && free_event != nullptr &&
           record != nullptr && wait_for_event != nullptr;
  }
};

// nullptr as long as the process has not loaded the driver. Thread safe.
[[nodiscard]] const Table* table();

// Throws Error unless `code` is 0; `doing` says what failed.
void check(int code, const char* doing);

// In which memory at that place may be used; nullptr where that is not known. Throws Error.
[[nodiscard]] Context context_of(const Place& place);

[[nodiscard]] IdleStreams& idle_streams();

}  // namespace tightwire::mpi::driver
