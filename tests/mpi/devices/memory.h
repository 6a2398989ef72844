// Numbers in memory of a device or of the host, and how the processor gets there.
#pragma once

#include <cstddef>
#include <vector>

#include "support/cuda_driver.h"

namespace devices {

template <class T>
class Memory {
 public:
  Memory(const Driver& driver, bool on_device, std::size_t items)
      : driver_(driver), ints_(items * sizeof(T) / sizeof(int)) {
    if (on_device) {
      device_ = driver.allocate(ints_);
      alias_ = driver.alias_of(device_, ints_);
    } else {
      host_.resize(items);
    }
  }

  T* values() { return device_ != nullptr ? reinterpret_cast<T*>(alias_) : host_.data(); }
  // For calls of MPI.
  void* given() { return device_ != nullptr ? static_cast<void*>(device_) : host_.data(); }
  void written() const {
    if (device_ != nullptr) driver_.to_device(device_, alias_, ints_);
  }
  void to_be_read() const {
    if (device_ != nullptr) driver_.from_device(alias_, device_, ints_);
  }

 private:
  const Driver& driver_;
  std::size_t ints_;
  int* device_ = nullptr;
  int* alias_ = nullptr;
  std::vector<T> host_;
};

}  // namespace devices
