// A run of integers to bytes and back: differences, tokens, codes.
#pragma once

#include "codec/simd/generic/coded/choose_differences.h"
#include "codec/simd/generic/coded/residual_reader.h"
#include "codec/simd/generic/coded/segment_writer.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// What stands before the segments.
inline constexpr std::size_t differences_size = 2;

inline void write_differences(const entropy::Differences& by, std::byte* out) {
  out[0] = std::byte(by.order | by.row_order << 4 | by.plane_order << 6);
  out[1] = std::byte{by.lag};
}

// False: damaged. Rows and planes are known.
inline bool read_differences(const std::byte* in, entropy::Differences& by) {
  by.order = static_cast<std::uint8_t>(in[0] & std::byte{15});
  by.row_order = static_cast<std::uint8_t>(in[0] >> 4 & std::byte{3});
  by.plane_order = static_cast<std::uint8_t>(in[0] >> 6);
  by.lag = static_cast<std::uint8_t>(in[1]);
  return by.order <= entropy::most_order && by.plane_order <= entropy::most_plane_order &&
         by.lag >= 1 && by.lag <= entropy::longest_lag &&
         (by.row_order == 0 || by.apart.row >= entropy::shortest_row) &&
         (by.plane_order == 0 || by.apart.plane >= entropy::shortest_row);
}

template <class U>
class ResidualWriter {
 public:
  ResidualWriter(const entropy::Differences& by, std::span<std::byte> out)
      : by_(by), differencer_(by), writer_(out) {}

  // Those of the next integers, at most a batch; but for the last call, whole blocks. False: the
  // output is too small.
  bool add(U* q, std::size_t count, GapMasks gaps) {
    if (gaps != nullptr) predict_gaps(q, count, gaps, by_);
    differencer_.take(q, count, residuals_ + size_);
    size_ += gaps != nullptr ? drop_gaps(residuals_ + size_, count, gaps) : count;
    if (size_ < segment_values) return true;
    if (!writer_.write(residuals_, segment_values)) return false;
    size_ -= segment_values;
    std::copy_n(residuals_ + segment_values, size_, residuals_);
    return true;
  }
  bool finish() { return size_ == 0 || writer_.write(residuals_, size_); }
  std::size_t size() const { return writer_.size(); }

 private:
  entropy::Differences by_;
  Differencer<U> differencer_;
  SegmentWriter<U> writer_;
  std::size_t size_ = 0;
  U residuals_[segment_values + batch];
};

// What is coded: the integers, those before them, which are 0, as far as most_reach(apart),
// and the gaps among them.
template <class U>
struct Integers {
  U* q;
  std::size_t count;
  Distances apart;
  GapMasks gaps = nullptr;
};

// `workspace` has room for a ResidualWriter. Integers of gaps are changed. Returns 0 if the output
// is too small.
template <class U>
std::size_t encode_integers(const Integers<U>& integers, void* workspace,
                            std::span<std::byte> out) {
  static_assert(sizeof(ResidualWriter<U>) <= entropy::workspace_size);
  static_assert(sizeof(DifferencesChooser<U>) <= entropy::workspace_size);
  if (out.size() < differences_size) return 0;
  const auto [q, count, apart, gaps] = integers;
  auto* const chooser = new (workspace) DifferencesChooser<U>(q, count, apart, gaps);
  const entropy::Differences by = chooser->best();
  write_differences(by, out.data());
  auto* const writer = new (workspace) ResidualWriter<U>(by, out.subspan(differences_size));
  for (std::size_t first = 0; first < count; first += batch) {
    const GapMasks here = gaps == nullptr ? nullptr : gaps + first / block_values;
    if (!writer->add(q + first, std::min(batch, count - first), here)) return 0;
  }
  return writer->finish() ? differences_size + writer->size() : 0;
}

template <class U>
struct DecodeWorkspace {
  DecodeWorkspace(const entropy::Differences& by, std::span<const std::byte> in,
                  std::uint64_t in_all)
      : summer(by), reader(in, in_all) {}
  Summer<U> summer;
  ResidualReader<U> reader;
  U kept[batch];
  U residuals[batch];
};

// Fills integers.q, and leaves in `in` what follows. False: damaged. Of each batch calls
// begin(first, size, gaps), which sets the gaps and says whether they are sound, and ready(first,
// size) when its integers are done. `residuals`: how many integers are not in gaps.
template <class U, class Begin, class Ready>
bool decode_integers(std::span<const std::byte>& in, std::uint64_t residuals, void* workspace,
                     const Integers<U>& integers, Begin begin, Ready ready) {
  static_assert(sizeof(DecodeWorkspace<U>) <= entropy::workspace_size);
  entropy::Differences by{.apart = integers.apart};
  if (in.size() < differences_size || !read_differences(in.data(), by)) return false;
  auto* const work =
      new (workspace) DecodeWorkspace<U>(by, in.subspan(differences_size), residuals);
  for (std::size_t first = 0; first < integers.count; first += batch) {
    const std::size_t size = std::min(batch, integers.count - first);
    GapMasks gaps = nullptr;
    if (!begin(first, size, gaps)) return false;
    if (gaps == nullptr) {
      if (!work->reader.read(work->residuals, size)) return false;
    } else {
      if (!work->reader.read(work->kept, size - count_gaps(gaps, size))) return false;
      spread_to_gaps(work->kept, size, gaps, work->residuals);
    }
    work->summer.undo(work->residuals, size, integers.q + first);
    ready(first, size);
  }
  in = work->reader.rest();
  return work->reader.done();
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
