#include "scale/job/results.h"

#include <smpi/smpi.h>

#include <cstdlib>
#include <new>

namespace tightwire::scale {

// The simulator hands the same memory to all that ask for it in the same place.
Results::Results(std::size_t bytes, bool shared)
    : bytes_(bytes),
      shared_(shared),
      memory_(shared ? smpi_shared_malloc(bytes, __FILE__, __LINE__) : std::calloc(bytes, 1)) {
  if (memory_ == nullptr) throw std::bad_alloc();
}

Results::~Results() {
  shared_ ? smpi_shared_free(memory_) : std::free(memory_);
}

std::span<float> Results::values() const {
  return {static_cast<float*>(memory_), bytes_ / sizeof(float)};
}

}  // namespace tightwire::scale
