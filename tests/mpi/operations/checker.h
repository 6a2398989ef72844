// Compares a call under the tested mode with the same call under mode raw, which is plain MPI.
#pragma once

#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

namespace operations {

struct Case {
  std::string name;
  MPI_Comm comm = MPI_COMM_NULL;
  // What stands in the receive buffer before the call; longer than the message, so that bytes
  // written beyond it show.
  std::vector<unsigned char> receive;
  bool floating = false;  // values of is_double ? double : float; else compared as bytes
  bool is_double = false;
  bool computes = false;         // floating results may differ by the order of summation
  bool same_everywhere = false;  // all ranks must hold the same bits
};

class Checker {
 public:
  // `bound`: 0 for exact.
  Checker(std::string mode, double bound) : mode_(std::move(mode)), bound_(bound) {}

  // `call(receive)` makes the collective call into the buffer.
  template <class Call>
  void check(const Case& test, Call&& call) {
    check(test, call, call);
  }

  // Where plain MPI gets the very call wrong, another one of the same result stands in for it.
  template <class Reference, class Tested>
  void check(const Case& test, Reference&& reference, Tested&& tested) {
    std::vector<unsigned char> expected = test.receive;
    std::vector<unsigned char> actual = test.receive;
    reference_mode();
    reference(expected.data());
    tested_mode();
    tested(actual.data());
    reference_mode();
    judge(test, expected, actual);
  }

  // For calls that nothing is compared with.
  void reference_mode() const;
  void tested_mode() const;

  [[nodiscard]] const std::string& mode() const { return mode_; }
  [[nodiscard]] double bound() const { return bound_; }

  // Prints the summary; returns the failures of all ranks.
  [[nodiscard]] int finish() const;

 private:
  void judge(const Case& test, const std::vector<unsigned char>& expected,
             const std::vector<unsigned char>& actual);
  void fail(const Case& test, const std::string& what);
  [[nodiscard]] bool identical_on_all_ranks(const std::vector<unsigned char>& bytes,
                                            MPI_Comm comm) const;

  std::string mode_;
  double bound_;
  int cases_ = 0;
  int failures_ = 0;
};

}  // namespace operations
