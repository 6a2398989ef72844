// What the checker is told on its command line. It knows nothing of Tightwire but the error bound
// that it may count on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace check {

struct Bound {
  double absolute = 0;
  double relative = 0;            // part of the range of the finite values of all ranks
  bool per_contribution = false;  // a sum may be off by ranks x bound

  [[nodiscard]] bool given() const { return absolute > 0 || relative > 0; }
  [[nodiscard]] double for_range(double range) const {
    return relative > 0 ? relative * range : absolute;
  }
};

struct Options {
  std::uint64_t seed = 1;
  Bound bound;
  std::vector<std::size_t> sizes{1024, 65536};  // bytes at which messages change their treatment
  // MPI's own algorithms may give each rank another NaN of several; messages from this size on may
  // not.
  std::size_t identical_from = 0;
  std::vector<std::string> sections;  // empty: those that run by default

  [[nodiscard]] bool names(const std::string& section) const;
};

// Ends the program with a message on bad arguments.
[[nodiscard]] Options parse(int argc, char** argv);

}  // namespace check
