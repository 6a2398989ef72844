// Values that depend on their places, and what came of them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace large {

extern int rank;
extern int ranks;

// Memory that is not touched before it is used.
template <class T>
class Values {
 public:
  explicit Values(std::size_t count) : memory_(new T[count]), count_(count) {}
  ~Values() { delete[] memory_; }
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] T* data() { return memory_; }
  T& operator[](std::size_t i) { return memory_[i]; }

 private:
  T* memory_;
  std::size_t count_;
};

// Smooth, and another value at every place within reach of a wrong offset.
template <class T>
T value(std::size_t i, int of_rank) {
  return static_cast<T>((i >> 8) % 251 + (i >> 20) % 13 + static_cast<std::size_t>(of_rank) * 7);
}

template <class T>
void fill(Values<T>& values, int of_rank) {
  for (std::size_t i = 0; i < values.count(); ++i) values[i] = value<T>(i, of_rank);
}

template <class T>
std::size_t wrong_values(Values<T>& values, std::size_t from, std::size_t count, int of_rank) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (values[from + i] != value<T>(i, of_rank)) ++wrong;
  }
  return wrong;
}

// Prints it from rank 0; the program's exit code.
int report(std::size_t bytes, std::size_t wrong);

// Messages from rank 0 to rank 1. The same.
int send();
int send_noise();
int send_blocks();
int isend();
int sendrecv();
int probe();
int mprobe();
int persistent();
int send_c();

}  // namespace large
