// Where memory lies that the program hands to MPI.
#pragma once

#include <cstdint>

namespace tightwire::mpi {

enum class MemorySpace : std::uint8_t {
  host,    // the processor may read and write it
  device,  // of a GPU: MPI may know how to
};

// The only place where this is asked: right before the processor would read or write. Thread safe.
// CUDA's driver knows, if the process has it by then; nothing of CUDA is loaded for the question.
[[nodiscard]] MemorySpace memory_space_of(const void* address);

// Whether an address that is not a device's now was among memory that has been, and is none of the
// host's: the program has freed it.
[[nodiscard]] bool was_freed(const void* address);

// Whether the process may come to have memory of a device: it has the driver, or its host does.
[[nodiscard]] bool may_have_devices();

}  // namespace tightwire::mpi
