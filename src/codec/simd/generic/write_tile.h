// Tiles of integers to bytes.
#pragma once

#include "codec/simd/generic/history.h"
#include "codec/simd/generic/masked/write_masked.h"
#include "codec/simd/generic/predict.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class T>
class TileWriter {
 public:
  using Int = typename Lane<T>::Int;
  using U = typename Lane<T>::Unsigned;

  // `planes` is of a PlaneMemory, if the rows make planes.
  TileWriter(bounded::Rows rows, std::span<std::byte> out, Int* planes = nullptr)
      : rows_(rows), apart_(rows.apart()), out_(out), history_(rows, planes) {}

  // Where the integers of the next tile go.
  Int* next() { return history_.next(); }

  // tile.q is what next() gave. False: the output is too small.
  bool write(Tile<T>& tile) {
    masked_ = Found::none;
    if (tile.any_exceptions) {
      masked_ = fills_.find(tile);
      if (masked_ == Found::all) return write_fill(tile);
      write_with_exceptions(tile);
    } else {
      find_residuals(tile);
      if (!extend_run()) write_blocks(tile);
    }
    history_.append(tile.count, after_zero_ && predictor_ == Predictor::previous);
    return ok_;
  }

  [[nodiscard]] bool ok() const { return ok_; }
  // Of what is written, by other writers to the same output too if they take turns.
  [[nodiscard]] std::size_t size() const { return size_; }
  void resume(std::size_t size) { size_ = size; }

 private:
  // What a tile may take, and what packing may write behind it.
  static constexpr std::size_t room = bounded::max_tile_size(sizeof(T)) + block_slack;
  // The predictor is chosen anew this often: what suits a tile suits its neighbours.
  static constexpr int tiles_per_choice = 8;
  static constexpr std::size_t sample_blocks = 16;

  bool write_fill(Tile<T>& tile) {
    if (fill_run_ == bounded::longest_run || run_ != 0 || is_another_fill()) end_run();
    if (fill_run_ == 0) begin_fill_run();
    put_length(++fill_run_);
    std::fill_n(tile.q, tile.count, tile.q[-1]);
    history_.append(tile.count, true);
    return ok_;
  }

  // The kind of what has the fill value that is wanted.
  void begin_fill_run() {
    const bool another = is_another_fill();
    put(std::byte(bounded::TileKind::fill) | (another ? bounded::new_fill : std::byte{0}));
    if (another) put(&fills_.value, sizeof fills_.value);
    note_fill();
    begin_length();
  }

  [[nodiscard]] bool is_another_fill() const {
    return !has_fill_ || std::bit_cast<U>(fill_) != std::bit_cast<U>(fills_.value);
  }
  void note_fill() {
    fill_ = fills_.value;
    has_fill_ = true;
  }

  void write_with_exceptions(Tile<T>& tile) {
    if (masked_ == Found::none && all_exceptions(tile) && plain_is_shorter(tile)) {
      std::fill_n(tile.q, tile.count, tile.q[-1]);
      end_run();
      put(bounded::kind_byte(bounded::TileKind::verbatim, Predictor::none));
      put(tile.verbatim, tile.count * sizeof(T));
      return;
    }
    find_residuals(tile);
    write_blocks(tile);
  }

  void find_residuals(Tile<T>& tile) {
    // Across a gap a slope would lead far away.
    if (masked_ != Found::none && predictor_ == Predictor::second) {
      predictor_ = Predictor::previous;
      tiles_left_ = 0;
    }
    const bool repeats = repeats_last(tile);
    if (repeats) predictor_ = Predictor::previous;
    const bool zero = repeats || (measure(tile, predictor_), all_zero());
    if (!zero && (tiles_left_ == 0 || after_zero_)) {
      const Predictor best = choose(tile);
      if (best != predictor_ || has_gaps(tile)) measure(tile, best);
      predictor_ = best;
      tiles_left_ = tiles_per_choice;
    }
    if (!zero) --tiles_left_;
    after_zero_ = zero;
  }

  // Then there are obviously no residuals, and the run is quick to read.
  bool repeats_last(const Tile<T>& tile) const {
    return !has_gaps(tile) && std::memcmp(tile.q, tile.q - 1, tile.count * sizeof(Int)) == 0;
  }

  bool has_gaps(const Tile<T>& tile) const { return tile.any_exceptions || masked_ != Found::none; }

  // Of values that have no integers, those that leave no residuals.
  void fill_gaps(Tile<T>& tile, Predictor predictor) {
    if (masked_ != Found::none) {
      fills_.hold(tile, predictor, apart_);
    } else {
      predict_exceptions(tile, predictor, apart_);
    }
  }

  bool all_zero() const {
    std::uint64_t any = 0;
    for (std::size_t b = 0; b < tile_blocks; b += 8) any |= load<std::uint64_t>(widths_ + b);
    return any == 0;
  }

  void measure(Tile<T>& tile, Predictor predictor) {
    fill_gaps(tile, predictor);
    predict_tile(tile, predictor, apart_, residuals_);
    block_widths(residuals_, tile_blocks, widths_);
  }

  Predictor choose(Tile<T>& tile) {
    Predictor best = Predictor::previous;
    unsigned best_bits = sampled_bits(tile, best);
    for (const Predictor other : {Predictor::none, Predictor::second, Predictor::row,
                                  Predictor::rows, Predictor::plane, Predictor::cube}) {
      if (!bounded::usable(other, rows_)) continue;
      if (other == Predictor::second && masked_ != Found::none) continue;
      const unsigned bits = sampled_bits(tile, other);
      // It reads and adds more.
      const unsigned price = other >= Predictor::rows ? bits / 32 : 0;
      if (bits + price < best_bits) {
        best = other;
        best_bits = bits;
      }
    }
    return best;
  }

  unsigned sampled_bits(Tile<T>& tile, Predictor predictor) {
    fill_gaps(tile, predictor);
    const std::size_t whole = tile.count / block_values;
    const std::size_t stride = std::max<std::size_t>(whole / sample_blocks, 1);
    alignas(64) U sample[sample_blocks * block_values] = {};
    with_predictor(predictor, [&](auto constant) {
      for (std::size_t i = 0; i < std::min(whole, sample_blocks); ++i) {
        const Int* const q = tile.q + i * stride * block_values;
        Residuals<constant.value, Int>(q, apart_).next(q).store(sample + i * block_values);
      }
    });
    std::uint8_t widths[sample_blocks];
    block_widths(sample, sample_blocks, widths);
    unsigned bits = 0;
    for (const std::uint8_t width : widths) bits += width;
    return bits;
  }

  static bool all_exceptions(const Tile<T>& tile) {
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      if (tile.exceptions[b] != tile.all_lanes(b)) return false;
    }
    return true;
  }

  static bool plain_is_shorter(const Tile<T>& tile) {
    std::size_t size = 0;
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      const std::uint16_t mask = tile.exceptions[b];
      size += sizeof mask + kept_size(mask, kept_width(tile, b));
    }
    return size >= tile.count * sizeof(T);
  }

  // Whether the tile leaves nothing to write but its place in a run.
  bool extend_run() {
    if (!after_zero_) return false;
    if (fill_run_ != 0) end_run();
    if (run_ == bounded::longest_run || run_predictor_ != predictor_) end_run();
    if (run_ == 0) {
      put(bounded::kind_byte(bounded::TileKind::run, predictor_));
      begin_length();
    }
    run_predictor_ = predictor_;
    put_length(++run_);
    return true;
  }

  void end_run() {
    fill_run_ = 0;
    run_ = 0;
  }

  // A run's length stands where it begins, and grows there.
  void begin_length() {
    length_at_ = size_;
    put(std::byte{0});
  }
  void put_length(std::size_t tiles) {
    if (ok_) out_[length_at_] = std::byte(tiles - 1);
  }

  void write_blocks(const Tile<T>& tile) {
    end_run();
    if (!ok_) return;
    std::byte spare[room];
    const bool in_place = out_.size() - size_ >= room;
    std::byte* const to = in_place ? out_.data() + size_ : spare;
    const std::size_t size = masked_ == Found::none
                                 ? code_blocks(tile, predictor_, residuals_, widths_, false, to)
                                 : code_masked(tile, to);
    if (!has_gaps(tile) && size > 1 + tile.count * sizeof(Int)) {
      put(bounded::kind_byte(bounded::TileKind::integers, Predictor::none));
      put(tile.q, tile.count * sizeof(Int));
    } else if (in_place) {
      size_ += size;
    } else {
      put(spare, size);
    }
  }

  std::size_t code_masked(const Tile<T>& tile, std::byte* to) {
    std::byte* p = begin_masked(fills_.value, is_another_fill(), fills_.masked, tile.count, to);
    note_fill();
    if (!tile.any_exceptions && all_zero()) {
      *p++ = bounded::kind_byte(bounded::TileKind::run, predictor_);
      return static_cast<std::size_t>(p - to);
    }
    const Tile<T>& live = live_.of(tile, fills_.masked, residuals_, widths_);
    p += code_blocks(live, predictor_, residuals_, widths_, true, p);
    return static_cast<std::size_t>(p - to);
  }

  void put(std::byte one) { put(&one, 1); }
  void put(const void* bytes, std::size_t size) {
    if (out_.size() - size_ < size) ok_ = false;
    if (!ok_) return;
    std::memcpy(out_.data() + size_, bytes, size);
    size_ += size;
  }

  bounded::Rows rows_;
  Distances apart_;
  std::span<std::byte> out_;
  std::size_t size_ = 0;
  std::size_t run_ = 0;
  std::size_t fill_run_ = 0;
  std::size_t length_at_ = 0;  // of the run
  FillValues<T> fills_;
  using Found = typename FillValues<T>::Found;
  Found masked_ = Found::none;  // of the tile that is being written
  T fill_ = 0;                  // the last that was written
  bool has_fill_ = false;
  LiveBlocks<T> live_;
  int tiles_left_ = 0;
  Predictor run_predictor_ = Predictor::none;
  Predictor predictor_ = Predictor::previous;
  bool after_zero_ = false;
  bool ok_ = true;
  alignas(64) U residuals_[tile_values];
  alignas(64) std::uint8_t widths_[tile_blocks];
  History<Int> history_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
