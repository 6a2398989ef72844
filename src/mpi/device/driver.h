// CUDA's driver as far as it is needed here: of the process, if it has loaded it, never loaded by
// us. What is said in terms of memory, contexts and copies is all that the rest of the product
// knows of it, so that another maker's driver may stand beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tightwire::mpi::driver {

// Why something could not be done, as the driver says it.
struct Error {
  int code = 0;
  // "error 719 of CUDA's driver (CUDA_ERROR_LAUNCH_FAILED) while copying to the host"
  std::string text;
};

// Where an address lies.
struct Place {
  bool on_device = false;   // and not migrating between device and host as managed memory does
  void* context = nullptr;  // nullptr: memory of a pool, which belongs to none
  int device = 0;
};

// Whether the process has the driver by now; looks anew when libraries have been loaded.
[[nodiscard]] bool is_loaded();
// Nothing on a device where there is no driver. Thread safe.
[[nodiscard]] Place place_of(const void* address);

// Rows of bytes at a stride, on the device and on the host.
struct Rows {
  std::byte* device = nullptr;
  std::byte* host = nullptr;
  std::size_t bytes = 0;  // of one row
  std::size_t rows = 1;
  std::ptrdiff_t stride = 0;  // from one row to the next
};

// Copies of one call, in a stream of their own that waits for nothing. What the program has given
// to its default stream before is complete first, as MPI users expect. Throws Error.
class Copies {
 public:
  explicit Copies(const Place& place);
  ~Copies();
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  void to_host(const Rows& rows);
  void to_device(const Rows& rows);
  // Until then nothing is complete.
  void wait();

  // The stream, a CUstream, and the context that the thread is in as long as these live.
  [[nodiscard]] void* handle() const { return stream_; }
  [[nodiscard]] void* context() const { return context_; }

  struct Unordered {};
  // Not after the default stream: its kernels may wait for this very message.
  Copies(const Place& place, Unordered);

 private:
  void open(const Place& place);
  void close() noexcept;

  void* stream_ = nullptr;
  void* context_ = nullptr;
  bool pushed_ = false;
};

// Memory of the host that devices copy to and from quickly; nullptr where the driver gives none.
[[nodiscard]] void* allocate_pinned(const Place& place, std::size_t bytes) noexcept;
void free_pinned(void* memory) noexcept;

}  // namespace tightwire::mpi::driver
