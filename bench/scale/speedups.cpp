#include "scale/speedups.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace tightwire::scale {

Speedups::Speedups(const std::string& file) : by_threads_() {
  std::ifstream in(file);
  std::size_t threads = 0;
  Gain gain;
  while (in >> threads >> gain.encode >> gain.decode) {
    const bool next = threads == by_threads_.size() + 1;
    if (!next || gain.encode <= 0 || gain.decode <= 0) break;
    by_threads_.push_back(gain);
  }
  if (by_threads_.empty() || !in.eof()) {
    throw std::runtime_error(file + ": line " + std::to_string(by_threads_.size() + 1) +
                             " is not \"THREADS ENCODE DECODE\" of the next number of threads");
  }
}

double Speedups::of(codec::Work work, std::size_t threads) const {
  const Gain& gain = by_threads_.at(threads - 1);
  switch (work) {
    case codec::Work::encode:
    case codec::Work::encode_alone:
    case codec::Work::encode_coded:
      return gain.encode;
    case codec::Work::decode:
    case codec::Work::decode_coded:
      return gain.decode;
    case codec::Work::merge:
    case codec::Work::combine:
    case codec::Work::complete:
      break;
  }
  return std::min(gain.encode, gain.decode);
}

}  // namespace tightwire::scale
