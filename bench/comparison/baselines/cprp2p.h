// CPRP2P: MPI's usual algorithms (ring, binomial tree) with every message compressed before it is
// sent and expanded after it is received, as Zhou et al., "Designing High-Performance MPI Libraries
// with On-the-fly Compression for Modern GPU Clusters" (IPDPS 2021) do it below the collectives.
#pragma once

#include "comparison/baselines/channel.h"
#include "comparison/baselines/coder.h"
#include "comparison/method.h"

namespace tightwire::comparison {

class Cprp2p final : public Method {
 public:
  Cprp2p(std::string name, std::unique_ptr<Coder> coder)
      : Method(std::move(name)), coder_(std::move(coder)) {}

  Breakdown run(const Call& call) override;

 private:
  class Run;
  std::unique_ptr<Coder> coder_;
  Frame outgoing_;
  Frame incoming_;
  std::vector<float> partial_;
  std::vector<float> received_;
};

}  // namespace tightwire::comparison
