// A program whose values a GPU has: it stages them by hand, or leaves that to Tightwire.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "calibrate/measure/plain_mpi.h"
#include "support/cuda_driver.h"

namespace tightwire::device_messages_bench {

inline constexpr int messages_of_window = 8;

// Memory of the device, and as much pinned memory of the host.
struct Memory {
  Memory(const devices::Driver& with, std::size_t bytes)
      : driver(with),
        ints(bytes / sizeof(int)),
        device(with.allocate(ints)),
        host(with.alias_of(device, ints)) {}
  // The beginning of it.
  [[nodiscard]] Memory first(std::size_t bytes) const {
    Memory part = *this;
    part.ints = bytes / sizeof(int);
    return part;
  }
  void to_host() const { driver.from_device(host, device, ints); }
  void to_device() const { driver.to_device(device, host, ints); }
  [[nodiscard]] std::span<float> values() const { return {reinterpret_cast<float*>(host), ints}; }

  const devices::Driver& driver;
  std::size_t ints;
  int* device;
  int* host;
};

class Way {
 public:
  // `own` are the rank's values, as many as a collective moves in all: where each rank has a block
  // of it to give, that is the first. What comes goes to `come`, one for each message of a window.
  Way(bool by_hand, const Memory& own, std::span<const Memory> come);

  // Of patterns(): collectives from rank 0, or to it; messages there and back.
  void perform(const std::string& pattern) const;

  // The value that comes to place i, as a place of the values that all ranks have.
  [[nodiscard]] std::size_t source_of(const std::string& pattern, std::size_t i) const;
  // How many come here.
  [[nodiscard]] std::size_t come(const std::string& pattern) const;

 private:
  void allreduce() const;
  void bcast() const;
  void scatter() const;
  void gather() const;
  void allgather() const;
  void alltoall() const;
  void exchange(int messages) const;
  void send(int messages) const;
  void receive(int messages) const;

  [[nodiscard]] int count() const { return static_cast<int>(own_.ints); }
  [[nodiscard]] int block() const { return count() / size_; }
  [[nodiscard]] Memory block_of(const Memory& memory) const {
    return memory.first(static_cast<std::size_t>(block()) * sizeof(int));
  }
  [[nodiscard]] int* of(const Memory& memory) const {
    return by_hand_ ? memory.host : memory.device;
  }
  void to_host(const Memory& memory) const {
    if (by_hand_) memory.to_host();
  }
  void to_device(const Memory& memory) const {
    if (by_hand_) memory.to_device();
  }

  const calibrate::Functions& mpi_;
  bool by_hand_;
  const Memory& own_;
  std::span<const Memory> come_;
  int rank_;
  int size_;
};

[[nodiscard]] std::span<const char* const> patterns();
[[nodiscard]] bool is_collective(const std::string& pattern);
[[nodiscard]] int messages_of(const std::string& pattern);

}  // namespace tightwire::device_messages_bench
