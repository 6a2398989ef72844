// A halo exchange: the ranks are a periodic grid of three dimensions, and each sends a face to each
// of its six neighbours, by messages between two ranks that do not block.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "scale/job/field.h"

namespace tightwire::scale {

class Halo {
 public:
  // Two of each dimension, the one towards lower ranks first.
  static constexpr int faces = 6;

  // Of faces of `count` values of the field, which is cut for faces * ranks parts. Into `received`
  // goes one after the other.
  Halo(const SharedField& field, std::size_t count, int rank, int ranks, std::span<float> received);

  // Both return MPI's error code.
  int run_plain();
  // As the calls of a program under Tightwire.
  int run_tightwire();

  // Of what was received.
  [[nodiscard]] Errors errors() const;

 private:
  struct Calls;
  int run(const Calls& calls);
  [[nodiscard]] std::span<const float> face_of(int rank, int face) const;
  [[nodiscard]] std::span<float> received(int face) const;

  const SharedField& field_;
  std::size_t count_;
  int rank_;
  std::array<int, faces> neighbours_{};
  std::span<float> received_;
};

}  // namespace tightwire::scale
