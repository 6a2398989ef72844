// What persistent requests send at each start, while an audit runs.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <vector>

#include "collective/plan/blocks.h"
#include "interpose/census/prepared_requests.h"
#include "mpi/buffer.h"

namespace tightwire::auditor {

class Observation;

using PreparedLooks = census::PreparedRequests<std::function<void(Observation&)>>;

// The program may free its datatypes, and change its arrays, when the request is made: these are
// the same with types and arrays of their own. Throw MpiError.
class HeldType {
 public:
  explicit HeldType(MPI_Datatype type);

  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_;
  std::shared_ptr<void> own_;  // frees it
};

class HeldBuffer {
 public:
  explicit HeldBuffer(const mpi::Buffer& buffer);

  [[nodiscard]] mpi::Buffer get() const { return {buffer_.address, buffer_.count, type_.get()}; }

 private:
  mpi::Buffer buffer_;
  HeldType type_;
};

class HeldBlocks {
 public:
  HeldBlocks(const collective::Blocks& blocks, std::size_t number);

  [[nodiscard]] const collective::Blocks& get() const { return blocks_; }

 private:
  collective::Blocks blocks_;
  std::vector<HeldType> types_;
};

}  // namespace tightwire::auditor
