// Residuals one after the other, whatever segments they are in.
#pragma once

#include "codec/simd/generic/coded/differences.h"
#include "codec/simd/generic/coded/segment_reader.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class U>
class ResidualReader {
 public:
  // `count` residuals in all.
  ResidualReader(std::span<const std::byte> in, std::uint64_t count) : left_(count), reader_(in) {}

  // False: damaged, or not so many are left.
  bool read(U* values, std::size_t count) {
    while (count > 0) {
      if (at_ == size_ && !refill()) return false;
      const std::size_t part = std::min(count, size_ - at_);
      std::copy_n(ready_ + at_, part, values);
      at_ += part;
      values += part;
      count -= part;
    }
    return true;
  }

  // All have been read.
  bool done() const { return left_ == 0 && at_ == size_; }
  // What follows them then.
  [[nodiscard]] std::span<const std::byte> rest() const { return reader_.rest(); }

 private:
  bool refill() {
    if (left_ == 0) return false;
    if (left_of_segment_ == 0) {
      left_of_segment_ = static_cast<std::size_t>(std::min<std::uint64_t>(segment_values, left_));
      if (!reader_.begin(left_of_segment_)) return false;
    }
    at_ = 0;
    size_ = std::min(batch, left_of_segment_);
    reader_.read(ready_, size_);
    left_ -= size_;
    left_of_segment_ -= size_;
    return left_of_segment_ != 0 || reader_.ended();
  }

  std::uint64_t left_;               // not yet read from segments
  std::size_t left_of_segment_ = 0;  // those of the segment that has begun
  std::size_t at_ = 0;               // in ready_
  std::size_t size_ = 0;
  SegmentReader<U> reader_;
  U ready_[batch];
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
