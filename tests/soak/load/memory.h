// Memory of this process, and whether it keeps growing.
#pragma once

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <fstream>

namespace load {

inline std::size_t resident_bytes() {
  std::size_t all = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Takes the largest of the first part of the work, in which buffers find their sizes, as the
// measure for the rest. What malloc has free goes back to the system first: how much that is, is a
// matter of how far a rank has come before the others, and no memory that is lost.
class Memory {
 public:
  static constexpr double slack = 1.25;
  static constexpr std::size_t room = std::size_t{16} << 20;

  void sample(bool warming_up) {
    ::malloc_trim(0);
    std::size_t& largest = warming_up ? first_ : later_;
    largest = std::max(largest, resident_bytes());
  }
  [[nodiscard]] std::size_t first() const { return first_; }
  [[nodiscard]] std::size_t later() const { return later_; }
  [[nodiscard]] bool flat() const {
    return static_cast<double>(later_) <= slack * static_cast<double>(first_) + room;
  }

 private:
  std::size_t first_ = 0;
  std::size_t later_ = 0;
};

}  // namespace load
