// How many times as fast the threads of a rank work on pieces of a field as one of them: a file of
// lines "THREADS ENCODE DECODE", from one thread on without a gap, as ./run bench codec_threads
// measured it. scale.py writes it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codec/codec_work.h"

namespace tightwire::scale {

class Speedups {
 public:
  // One thread alone.
  Speedups() = default;
  // Throws std::runtime_error where the file is not as above.
  explicit Speedups(const std::string& file);

  // `threads` of 1 to most(). What merges frames with values both decodes and encodes, and has not
  // been measured: it gains what gains less.
  [[nodiscard]] double of(codec::Work work, std::size_t threads) const;
  [[nodiscard]] std::size_t most() const { return by_threads_.size(); }

 private:
  struct Gain {
    double encode = 1;
    double decode = 1;
  };
  std::vector<Gain> by_threads_{{}};
};

}  // namespace tightwire::scale
