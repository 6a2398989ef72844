// Messages of one channel and size so far, as their receiver has them: what later ones are
// predicted from.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "codec/codec.h"

namespace tightwire::cli {

class EarlierMessages {
 public:
  // Those at even distances back from the next message that predict it best, going by samples: of
  // fields that take turns, the ones of its own. None where prediction does not pay. They refer to
  // what is kept here.
  [[nodiscard]] std::vector<std::span<const std::byte>> best_for(
      codec::ElementType type, std::span<const std::byte> values,
      codec::Parameters parameters) const;

  // `values` must outlive this.
  void add(std::span<const std::byte> values);
  void add(std::vector<std::byte> values);

 private:
  [[nodiscard]] std::vector<std::span<const std::byte>> at(std::size_t spacing) const;

  std::deque<std::vector<std::byte>> owned_;
  std::deque<std::span<const std::byte>> all_;  // the latest first
};

}  // namespace tightwire::cli
