// Where an estimate looks, and what it finds there, for one kind of integers.
#pragma once

#include <algorithm>
#include <optional>

#include "codec/estimate/blocks.h"
#include "codec/estimate/places.h"
#include "codec/estimate/taken_apart.h"
#include "codec/estimate/trial.h"
#include "codec/rows/components.h"
#include "codec/rows/reach.h"
#include "codec/rows/row_length.h"

namespace tightwire::codec {

// How many values an estimate may read, and what for.
struct Budget {
  std::size_t pieces = 0;     // spread over the message
  std::size_t stretches = 0;  // in search of rows
  std::size_t stretch = 0;    // values of each
  TrialExtent trial;          // for codecs that are tried on the sample
  // For lz4: a short message whole, as what it finds is repeated far away, maybe. It takes no
  // longer for that than zstd for a part.
  TrialExtent quick_trial;
};

[[nodiscard]] Budget budget_for(std::size_t count, std::size_t value_size);

// How the values lie.
struct Structure {
  std::uint32_t components = 1;
  std::uint32_t row_length = 0;  // of all components; 0: none found, or of no use
  std::uint32_t plane_length = 0;
};

struct BlockEstimate {
  double bits_per_block = 0;
  Predictor predictor = Predictor::none;
  Structure structure;
  std::size_t values_read = 0;
};

template <class Integers>
class Sampler {
 public:
  Sampler(const Integers& integers, std::size_t count, unsigned value_bits,
          bool may_have_planes = true)
      : integers_(integers),
        may_have_planes_(may_have_planes),
        count_(count),
        value_bits_(value_bits),
        budget_(budget_for(count, value_bits / 8)),
        places_(count, budget_.pieces) {}

  // count must be at least Piece::values. Rows and planes are looked for unless they are known,
  // also as 0.
  BlockEstimate estimate(const std::optional<Distances>& known) {
    BlockEstimate result = costs({});
    const auto try_with = [&](Distances apart) {
      const BlockEstimate other = costs(apart);
      if (other.bits_per_block < result.bits_per_block) result = other;
    };
    const std::uint32_t row = known ? known->row : find_rows();
    if (row != 0) try_with({row, 0});
    const std::uint32_t plane = known ? known->plane : find_plane(row);
    if (plane != 0) try_with({row, plane});
    // The entropy coder, which tries more, may have use for them where tiles have none.
    if (result.structure.row_length != 0) result.structure.plane_length = plane;
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
    return fetch_after_unknown(integers_, first, count, to);
  }
  template <class Source>
  static std::int64_t fetch_after_unknown(const Source& source, std::size_t first,
                                          std::size_t count, std::int64_t* to) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < count && !source.get(first + i, last); ++i) continue;
    for (std::size_t i = 0; i < count; ++i) {
      static_cast<void>(source.get(first + i, last));
      to[i] = last;
    }
    return last;
  }

  Piece piece_at(std::size_t place, Distances apart) {
    const std::size_t row_length = apart.row;
    Piece piece;
    piece.plane = apart.plane != 0;
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
    if (apart.plane == 0) read_ += piece.rows * (Piece::values + 1);
    look_behind(place, apart, piece);
    return piece;
  }

  void look_behind(std::size_t place, Distances apart, Piece& piece) {
    const std::size_t both = std::size_t{apart.plane} + apart.row;
    if (apart.plane == 0 || place <= both) return;
    fetch_after_unknown(place - apart.plane - 1, Piece::values + 1, piece.behind.data());
    fetch_after_unknown(place - both - 1, Piece::values + 1, piece.behind_above.data());
    read_ += 2 * (Piece::values + 1);
  }

  BlockEstimate costs(Distances apart) {
    BlockCosts costs(value_bits_, Integers::lane_bits);
    for (std::size_t i = 0; i < budget_.pieces; ++i) {
      const Piece piece = piece_at(places_[i], apart);
      if (apart.row == 0) note_activity(i, piece);
      costs.add(piece);
    }
    // Later only what is above and behind the pieces is new.
    if (apart.row == 0) read_ += budget_.pieces * (Piece::before + Piece::values);
    return {costs.bits_per_block(), costs.most_chosen(), {1, apart.row, apart.plane}, 0};
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

  // Rows are looked for where something happens, and where there are gaps only if they are
  // everywhere.
  void note_activity(std::size_t index, const Piece& piece) {
    double activity = 0;
    for (std::size_t i = 1; i < piece.here.size(); ++i) {
      activity +=
          std::abs(static_cast<double>(piece.here[i]) - static_cast<double>(piece.here[i - 1]));
    }
    const Busy& last = busy_.back();
    if (activity == 0 || (!last.gaps && activity <= last.activity)) return;
    Busy now{activity, index, has_gaps_before(places_[index] + Piece::values)};
    for (Busy& each : busy_) {
      if (now.is_better_than(each)) std::swap(now, each);
    }
  }

  std::uint32_t find_rows() {
    if (budget_.stretch < stretch_for_components(2)) return 0;
    std::size_t& size = stretches_found_;
    for (; size < budget_.stretches && busy_[size].activity > 0; ++size) {
      if (busy_[size].gaps && !busy_[0].gaps) break;
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

  struct Column {
    const Integers& integers;
    std::size_t first;
    std::size_t row;
    [[nodiscard]] bool get(std::size_t line, std::int64_t& integer) const {
      return integers.get(first + line * row, integer);
    }
  };

  // Planes repeat in what columns make of rows.
  std::uint32_t find_plane(std::uint32_t row) {
    if (row == 0 || !may_have_planes_) return 0;
    const std::size_t rows = count_ / row;
    const std::size_t size = std::min({budget_.stretch, longest_column, rows});
    if (stretches_found_ == 0) return 0;
    for (std::size_t s = 0; s < columns_.size(); ++s) {
      // Where there is one stretch alone, two columns of it.
      const std::size_t place = s < stretches_found_
                                    ? places_[busy_[s].piece]
                                    : places_[busy_[0].piece] / row * row + row / 2;
      const std::size_t end = std::min(place / row + 1, rows);
      const std::size_t first = std::min(end - std::min(end, size), rows - size);
      const Column column{integers_, place % row + first * row, row};
      fetch_after_unknown(column, 0, size, column_[s].data());
      read_ += size;
      columns_[s] = {column_[s].data(), size};
    }
    const std::size_t plane = row * std::size_t{find_rows_in_plane(columns_)};
    return 2 * plane <= count_ ? static_cast<std::uint32_t>(plane) : 0;
  }

  struct Busy {
    double activity = 0;
    std::size_t piece = 0;
    bool gaps = true;

    [[nodiscard]] bool is_better_than(const Busy& other) const {
      return gaps == other.gaps ? activity > other.activity : !gaps;
    }
  };

  const Integers& integers_;
  bool may_have_planes_;
  std::size_t count_;
  unsigned value_bits_;
  Budget budget_;
  Places places_;
  std::size_t read_ = 0;
  std::array<Busy, busiest> busy_{};
  std::array<std::array<std::int64_t, stretch_for_lag(bounded::longest_row)>, busiest> stretch_;
  std::array<Stretch, busiest> stretches_;
  static constexpr std::size_t longest_column = stretch_for_lag(2048);
  std::array<std::array<std::int64_t, longest_column>, busiest> column_;
  std::array<Stretch, busiest> columns_;
  std::size_t stretches_found_ = 0;
};

// Of values with so many components, and rows and planes if there are any; looked for unless they
// are known, which are of all components.
template <class Integers>
BlockEstimate sample_apart(const Integers& integers, std::size_t count, unsigned value_bits,
                           std::uint32_t components, std::optional<Distances> known) {
  if (components == 1) return Sampler<Integers>(integers, count, value_bits).estimate(known);
  const TakenApart<Integers> apart(integers, count, components);
  Sampler<TakenApart<Integers>> sampler(apart, apart.count(), value_bits, false);
  if (known) known = Distances{known->row / components, known->plane / components};
  BlockEstimate estimate = sampler.estimate(known);
  const Structure& of_one = estimate.structure;
  estimate.structure = {components, of_one.row_length * components,
                        of_one.plane_length * components};
  return estimate;
}

// The better one, for which both were looked at.
inline BlockEstimate better_of(const BlockEstimate& one, const BlockEstimate& other, double price) {
  BlockEstimate better = other.bits_per_block < price * one.bits_per_block ? other : one;
  better.values_read = one.values_read + other.values_read;
  return better;
}

// Finds out how the values lie; reads up to three times as many where there seem to be components.
// `alone`: the encoding will be combined with no other, so it may have components and planes.
template <class Integers>
BlockEstimate sample_any(const Integers& integers, std::size_t count, unsigned value_bits,
                         bool alone) {
  constexpr double price = 0.95;
  Sampler<Integers> sampler(integers, count, value_bits, alone);
  BlockEstimate estimate = sampler.estimate(std::nullopt);
  if (!alone) return estimate;
  const std::uint32_t components = sampler.components();
  if (components == 1) return estimate;
  const BlockEstimate apart = sample_apart(integers, count, value_bits, components, std::nullopt);
  // Rows that only the components showed may be of use without these, too.
  const Distances found{apart.structure.row_length, apart.structure.plane_length};
  if (found.row != 0 && found.row <= bounded::longest_row) {
    estimate = better_of(estimate, sample_apart(integers, count, value_bits, 1, found), 1);
  }
  return better_of(estimate, apart, price);
}

}  // namespace tightwire::codec
