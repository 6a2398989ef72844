// Where an estimate looks, and what it finds there, for one kind of integers.
#pragma once

#include <algorithm>
#include <optional>

#include "codec/estimate/blocks.h"
#include "codec/estimate/taken_apart.h"
#include "codec/rows/components.h"
#include "codec/rows/reach.h"
#include "codec/rows/row_length.h"

namespace tightwire::codec {

// How many values an estimate may read, and what for.
struct Budget {
  std::size_t pieces = 0;     // spread over the message
  std::size_t stretches = 0;  // in search of rows
  std::size_t stretch = 0;    // values of each
  std::size_t bytes = 0;      // for codecs that are tried on the sample
};

[[nodiscard]] Budget budget_for(std::size_t count, std::size_t value_size);

// How the values lie.
struct Structure {
  std::uint32_t components = 1;
  std::uint32_t row_length = 0;  // of all components; 0: none found, or of no use
};

struct BlockEstimate {
  double bits_per_block = 0;
  Predictor predictor = Predictor::none;
  Structure structure;
  std::size_t values_read = 0;
};

// One piece in each of equal parts of the message, at a place in it that no row length is in step
// with: fractions of the golden ratio.
class Places {
 public:
  Places(std::size_t count, std::size_t pieces) : count_(count), pieces_(pieces) {}
  [[nodiscard]] std::size_t operator[](std::size_t piece) const {
    const double part = static_cast<double>(count_) / static_cast<double>(pieces_);
    const double turns = 0.6180339887498949 * static_cast<double>(piece);
    const double fraction = turns - static_cast<double>(static_cast<std::size_t>(turns));
    const auto place = static_cast<std::size_t>((static_cast<double>(piece) + fraction) * part);
    return std::min(place, count_ - Piece::values);
  }

 private:
  std::size_t count_;
  std::size_t pieces_;
};

template <class Integers>
class Sampler {
 public:
  Sampler(const Integers& integers, std::size_t count, unsigned value_bits)
      : integers_(integers),
        count_(count),
        value_bits_(value_bits),
        budget_(budget_for(count, value_bits / 8)),
        places_(count, budget_.pieces) {}

  // count must be at least Piece::values. Rows are looked for unless their length is known, also
  // as 0.
  BlockEstimate estimate(std::optional<std::uint32_t> known_row_length) {
    BlockEstimate result = costs(0);
    const std::uint32_t row_length = known_row_length ? *known_row_length : find_rows();
    if (row_length != 0) {
      const BlockEstimate with_rows = costs(row_length);
      if (with_rows.bits_per_block < result.bits_per_block) result = with_rows;
    }
    result.values_read = read_;
    return result;
  }

  // What seems to be the number of components, where rows were looked for.
  [[nodiscard]] std::uint32_t components() const {
    return find_components({stretches_.data(), stretches_found_});
  }

 private:
  static constexpr std::size_t busiest = 2;

  // Exceptions are their own prediction. Those that repeat are fill values, and nearly free.
  std::int64_t fetch(std::size_t first, std::size_t count, std::int64_t previous, std::int64_t* to,
                     std::uint32_t* exceptions) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool integer = integers_.get(first + i, previous);
      if (!integer && exceptions != nullptr && i < 32 && !integers_.repeats(first + i)) {
        *exceptions |= std::uint32_t{1} << i;
      }
      to[i] = previous;
    }
    return previous;
  }

  // The same where nothing is known of what is before: fill values there are as what follows them.
  std::int64_t fetch_after_unknown(std::size_t first, std::size_t count, std::int64_t* to) {
    std::int64_t start = 0;
    for (std::size_t i = 0; i < count && !integers_.get(first + i, start); ++i) continue;
    return fetch(first, count, start, to, nullptr);
  }

  Piece piece_at(std::size_t place, std::size_t row_length) {
    Piece piece;
    std::int64_t* const here = piece.here.data() + Piece::before;
    std::int64_t last = 0;
    if (place >= Piece::before) {
      last = fetch_after_unknown(place - Piece::before, Piece::before, piece.here.data());
    }
    fetch(place, Piece::values, last, here, &piece.exceptions);
    // What starts a message is no sign of the rest.
    if (place < Piece::before) std::fill_n(piece.here.data(), Piece::before, here[0]);
    if (row_length == 0 || place <= row_length) return piece;
    const bool all =
        three_rows_allowed(count_, row_length) && place > piece.above.size() * row_length;
    piece.rows = all ? piece.above.size() : 1;
    for (std::size_t i = 0; i < piece.rows; ++i) {
      fetch_after_unknown(place - (i + 1) * row_length - 1, Piece::values + 1,
                          piece.above[i].data());
    }
    read_ += piece.rows * (Piece::values + 1);
    return piece;
  }

  BlockEstimate costs(std::size_t row_length) {
    BlockCosts costs(value_bits_, Integers::lane_bits);
    for (std::size_t i = 0; i < budget_.pieces; ++i) {
      const Piece piece = piece_at(places_[i], row_length);
      if (row_length == 0) note_activity(i, piece);
      costs.add(piece);
    }
    // The second time only what is above the pieces is new.
    if (row_length == 0) read_ += budget_.pieces * (Piece::before + Piece::values);
    const auto length = static_cast<std::uint32_t>(row_length);
    return {costs.bits_per_block(), costs.most_chosen(), {1, length}, 0};
  }

  // Whether there are fill values where a search for rows would look first.
  [[nodiscard]] bool has_gaps_before(std::size_t end) {
    constexpr std::size_t apart = 32;
    constexpr std::size_t looked_at = 12;
    std::int64_t integer = 0;
    for (std::size_t i = 1; i <= looked_at && i * apart <= end; ++i) {
      ++read_;
      if (!integers_.get(end - i * apart, integer)) return true;
    }
    return false;
  }

  // Rows are looked for where something happens.
  void note_activity(std::size_t index, const Piece& piece) {
    double activity = 0;
    for (std::size_t i = 1; i < piece.here.size(); ++i) {
      activity +=
          std::abs(static_cast<double>(piece.here[i]) - static_cast<double>(piece.here[i - 1]));
    }
    if (activity <= busy_.back().activity || has_gaps_before(places_[index] + Piece::values))
      return;
    Busy now{activity, index};
    for (Busy& each : busy_) {
      if (now.activity > each.activity) std::swap(now, each);
    }
  }

  std::uint32_t find_rows() {
    if (budget_.stretch < stretch_for_components(2)) return 0;
    std::size_t& size = stretches_found_;
    for (; size < budget_.stretches && busy_[size].activity > 0; ++size) {
      // The search compares the end of a stretch with what is before it.
      const std::size_t place = places_[busy_[size].piece] + Piece::values;
      const std::size_t first =
          std::min(place - std::min(place, budget_.stretch), count_ - budget_.stretch);
      fetch_after_unknown(first, budget_.stretch, stretch_[size].data());
      read_ += budget_.stretch;
      stretches_[size] = {stretch_[size].data(), budget_.stretch};
    }
    return find_row_length({stretches_.data(), size});
  }

  struct Busy {
    double activity = 0;
    std::size_t piece = 0;
  };

  const Integers& integers_;
  std::size_t count_;
  unsigned value_bits_;
  Budget budget_;
  Places places_;
  std::size_t read_ = 0;
  std::array<Busy, busiest> busy_{};
  std::array<std::array<std::int64_t, stretch_for_lag(bounded::longest_row)>, busiest> stretch_;
  std::array<Stretch, busiest> stretches_;
  std::size_t stretches_found_ = 0;
};

// Of values with so many components, and rows if there are any; looked for unless the length is
// known, which is of all components.
template <class Integers>
BlockEstimate sample_apart(const Integers& integers, std::size_t count, unsigned value_bits,
                           std::uint32_t components, std::optional<std::uint32_t> row_length) {
  if (components == 1) return Sampler<Integers>(integers, count, value_bits).estimate(row_length);
  const TakenApart<Integers> apart(integers, count, components);
  Sampler<TakenApart<Integers>> sampler(apart, apart.count(), value_bits);
  if (row_length) row_length = *row_length / components;
  BlockEstimate estimate = sampler.estimate(row_length);
  estimate.structure = {components, estimate.structure.row_length * components};
  return estimate;
}

// The better one, for which both were looked at.
inline BlockEstimate better_of(const BlockEstimate& one, const BlockEstimate& other, double price) {
  BlockEstimate better = other.bits_per_block < price * one.bits_per_block ? other : one;
  better.values_read = one.values_read + other.values_read;
  return better;
}

// Finds out how the values lie; reads up to three times as many where there seem to be components.
template <class Integers>
BlockEstimate sample_any(const Integers& integers, std::size_t count, unsigned value_bits,
                         bool may_have_components) {
  constexpr double price = 0.95;
  Sampler<Integers> sampler(integers, count, value_bits);
  BlockEstimate estimate = sampler.estimate(std::nullopt);
  if (!may_have_components) return estimate;
  const std::uint32_t components = sampler.components();
  if (components == 1) return estimate;
  const BlockEstimate apart = sample_apart(integers, count, value_bits, components, std::nullopt);
  // Rows that only the components showed may be of use without these, too.
  const std::uint32_t row_length = apart.structure.row_length;
  if (row_length != 0 && row_length <= bounded::longest_row) {
    estimate = better_of(estimate, sample_apart(integers, count, value_bits, 1, row_length), 1);
  }
  return better_of(estimate, apart, price);
}

}  // namespace tightwire::codec
