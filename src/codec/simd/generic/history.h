// The integers that prediction looks back at.
#pragma once

#include <memory>
#include <new>

#include "codec/simd/generic/tile.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class Int>
struct HistorySize {
  static std::size_t reach_of(bounded::Rows rows) {
    const Distances apart = rows.apart();
    const std::size_t up = std::size_t{rows.length} * rows.reach + 1;
    const std::size_t back = apart.plane == 0 ? 0 : std::size_t{apart.plane} + apart.row + 1;
    return std::max<std::size_t>({up, back, 2});
  }

  // Where the first tile goes.
  static std::size_t front_for(std::size_t reach) { return (margin + reach + 15) / 16 * 16; }

  // Small enough to stay in the first cache; where that cannot be, with few moves to the front.
  static std::size_t capacity_for(bounded::Rows rows) {
    constexpr std::size_t small = (std::size_t{48} << 10) / sizeof(Int);
    const std::size_t reach = reach_of(rows);
    const std::size_t values = margin + reach + std::max(4 * tile_values, reach);
    if (values <= small) return values;
    return rows.in_plane == 0 ? buffer_values : std::max(buffer_values, values + tile_values);
  }

  static constexpr std::size_t buffer_values = (std::size_t{128} << 10) / sizeof(Int);
  static constexpr std::size_t margin = 16;
  static_assert(margin + bounded::longest_row + 16 + tile_values <= buffer_values);
  static_assert(margin + bounded::most_rows * bounded::longest_of_rows + 16 + tile_values <=
                buffer_values);
};

// What the history of planes needs beyond its own buffer.
template <class Int>
class PlaneMemory {
 public:
  explicit PlaneMemory(bounded::Rows rows)
      : needed_(HistorySize<Int>::capacity_for(rows) > HistorySize<Int>::buffer_values) {
    if (needed_) memory_.reset(new (std::nothrow) Int[HistorySize<Int>::capacity_for(rows)]);
  }
  [[nodiscard]] bool ok() const { return !needed_ || memory_ != nullptr; }
  [[nodiscard]] Int* get() const { return memory_.get(); }

 private:
  bool needed_;
  std::unique_ptr<Int[]> memory_;
};

// The integers of the values so far, as far back as prediction reaches. Tiles are laid one after
// the other; when the buffer is full its last row is moved to the front.
template <class Int>
class History {
 public:
  using Size = HistorySize<Int>;

  // `far` is of a PlaneMemory.
  History(bounded::Rows rows, Int* far)
      : reach_(Size::reach_of(rows)),
        capacity_(Size::capacity_for(rows)),
        buffer_(far == nullptr ? own_ : far) {
    front_ = Size::front_for(reach_);
    std::fill_n(buffer_, front_, Int{0});
    next_ = front_;
  }

  // Room for a tile, behind everything that was appended.
  Int* next() {
    if (next_ + tile_values > capacity_) {
      std::memmove(buffer_ + front_ - reach_, buffer_ + next_ - reach_, reach_ * sizeof(Int));
      next_ = front_;
    }
    return buffer_ + next_;
  }
  // `constant`: all of them are the value before them. A run of these leaves everything that is
  // within reach as it is, so that it stays in the first cache.
  void append(std::size_t count, bool constant) {
    if (constant && constant_ >= reach_) return;
    constant_ = constant ? constant_ + count : 0;
    next_ += count;
  }

 private:
  std::size_t reach_;
  std::size_t capacity_;
  std::size_t front_;  // where the first tile goes, after `reach_` zeros
  std::size_t next_;
  std::size_t constant_ = reach_;  // so many values at the end are the same
  Int* buffer_;
  alignas(64) Int own_[Size::buffer_values];
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
