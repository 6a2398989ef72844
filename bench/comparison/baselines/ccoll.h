// After C-Coll (Huang et al., "An Optimized Error-controlled MPI Collective Framework Integrated
// with Lossy Compression", IPDPS 2024), on Tightwire's own codec: data is moved compressed once at
// its origin and expanded at its end; a reduction expands, adds and compresses again at every hop
// of a ring. Both are cut into pieces, so that the codec works while others are on the wire. A rank
// keeps what it made itself uncompressed, so ranks may hold different bits.
#pragma once

#include "comparison/baselines/channel.h"
#include "comparison/baselines/coder.h"
#include "comparison/method.h"

namespace tightwire::comparison {

class Ccoll final : public Method {
 public:
  Ccoll(std::string name, std::unique_ptr<Coder> coder)
      : Method(std::move(name)), coder_(std::move(coder)) {}

  Breakdown run(const Call& call) override;

 private:
  class Run;
  std::unique_ptr<Coder> coder_;
  std::vector<Frame> frames_;
  std::vector<float> partial_;
};

}  // namespace tightwire::comparison
