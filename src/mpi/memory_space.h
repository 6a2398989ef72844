// Where memory lies that the program hands to MPI.
#pragma once

#include <cstdint>

namespace tightwire::mpi {

enum class MemorySpace : std::uint8_t {
  host,  // the processor may read and write it
};

// The only place where this is asked: a Buffer asks once, when it is made. All memory is the host's
// as long as no device is supported.
[[nodiscard]] constexpr MemorySpace memory_space_of(const void* /*address*/) {
  return MemorySpace::host;
}

}  // namespace tightwire::mpi
