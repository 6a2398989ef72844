// Plain MPI with each of the algorithms that it has for an operation, the fastest of which is kept.
#pragma once

#include <optional>

#include "comparison/mpi_method.h"

namespace tightwire::comparison {

class BestAlgorithm final : public Method {
 public:
  using Method::Method;
  ~BestAlgorithm() override;

  // Tries them all, MPI's own choice among them.
  void rehearse(const Call& call) override;
  // The chosen algorithm's name; "default" where MPI's own choice was the fastest.
  [[nodiscard]] std::string detail() const override { return detail_; }
  Breakdown run(const Call& call) override;

 private:
  struct Trial;
  std::optional<double> seconds_of(const Call& call, const Trial& trial);
  void choose(const std::optional<Trial>& trial);

  std::string detail_ = "default";
  int variable_ = -1;  // index of MPI's control variable; -1: leave MPI its choice
  int value_ = 0;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace tightwire::comparison
