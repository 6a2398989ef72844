#include "mpi/device/device_copy.h"

#include <string>

#include "mpi/device/driver.h"
#include "mpi/error.h"
#include "runtime/log.h"

namespace tightwire::mpi {
namespace {

// Not behind the default stream: it waits for kernels, which may wait for this message.
template <class Copy>
void copy_or_throw(const void* memory, std::size_t bytes, Copy copy) {
  try {
    driver::Copies copies(driver::place_of(memory), driver::Copies::Unordered{});
    copy(copies);
    copies.wait();
  } catch (const driver::Error& error) {
    runtime::log("copying " + std::to_string(bytes) +
                 " bytes to or from the memory of a GPU failed: " + error.text +
                 ". TIGHTWIRE_POINT_TO_POINT=off leaves such messages to MPI");
    throw MpiError{MPI_ERR_BUFFER};
  }
}

driver::Rows run(const void* device, const std::byte* host, std::size_t bytes) {
  return {.device = static_cast<std::byte*>(const_cast<void*>(device)),
          .host = const_cast<std::byte*>(host),
          .bytes = bytes};
}

}  // namespace

void copy_from_device(std::span<std::byte> to, const void* from) {
  copy_or_throw(from, to.size(),
                [&](driver::Copies& copies) { copies.to_host(run(from, to.data(), to.size())); });
}

void copy_to_device(void* to, std::span<const std::byte> from) {
  copy_or_throw(to, from.size(), [&](driver::Copies& copies) {
    copies.to_device(run(to, from.data(), from.size()));
  });
}

}  // namespace tightwire::mpi
