// Copies between memory of the processor and of a CUDA device, complete on return. The device's
// memory is one that memory_space_of() has called so. Thread safe; throw MpiError with a line that
// says what the driver's error was.
#pragma once

#include <cstddef>
#include <span>

namespace tightwire::mpi {

void copy_from_device(std::span<std::byte> to, const void* from);
void copy_to_device(void* to, std::span<const std::byte> from);

}  // namespace tightwire::mpi
