// Where an estimate looks, and what it finds there, for one kind of integers.
#pragma once

#include <algorithm>
#include <optional>

#include "codec/estimate/blocks.h"
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

struct BlockEstimate {
  double bits_per_block = 0;
  Predictor predictor = Predictor::none;
  std::uint32_t row_length = 0;
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
    return {costs.bits_per_block(), costs.most_chosen(), static_cast<std::uint32_t>(row_length), 0};
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
    if (budget_.stretch < stretch_for_lag(16)) return 0;
    std::array<Stretch, busiest> stretches;
    std::size_t size = 0;
    for (; size < budget_.stretches && busy_[size].activity > 0; ++size) {
      // The search compares the end of a stretch with what is before it.
      const std::size_t place = places_[busy_[size].piece] + Piece::values;
      const std::size_t first =
          std::min(place - std::min(place, budget_.stretch), count_ - budget_.stretch);
      fetch_after_unknown(first, budget_.stretch, stretch_[size].data());
      read_ += budget_.stretch;
      stretches[size] = {stretch_[size].data(), budget_.stretch};
    }
    return find_row_length({stretches.data(), size});
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
};

}  // namespace tightwire::codec
