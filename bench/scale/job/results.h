// Memory for what a rank receives: its own, or one for all ranks of the job, which are one process.
#pragma once

#include <cstddef>
#include <span>

namespace tightwire::scale {

class Results {
 public:
  Results(std::size_t bytes, bool shared);
  ~Results();
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  [[nodiscard]] std::span<float> values() const;

 private:
  std::size_t bytes_;
  bool shared_;
  void* memory_;
};

}  // namespace tightwire::scale
