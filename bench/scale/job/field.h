// A field that all simulated ranks see in one memory, each from a place of its own on.
#pragma once

#include <span>
#include <string>

#include "comparison/operation.h"
#include "os/mapped_file.h"
#include "scale/job/errors.h"

namespace tightwire::scale {

class SharedField {
 public:
  // A file of float32 values that holds a field twice over; `vectors`: how many places there are,
  // one for each rank. Throws std::runtime_error.
  SharedField(const std::string& path, int vectors);

  // The largest `length` of of().
  [[nodiscard]] std::size_t count() const { return doubled_.size() / 2; }
  [[nodiscard]] std::span<const float> of(int vector, std::size_t length) const;
  [[nodiscard]] int vectors() const { return vectors_; }

 private:
  os::MappedFile file_;
  std::span<const float> doubled_;
  int vectors_;
  std::size_t shift_;  // values, from one vector to the next
};

// The errors of what the call left at its rank, against a calculation in double precision; a sum is
// one of all vectors. Of an allreduce only the first rank looks: the others have the same bits or
// are found out.
[[nodiscard]] Errors errors_of(const SharedField& field, const comparison::Call& call);

}  // namespace tightwire::scale
