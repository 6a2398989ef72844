// A run of integers to bytes and back: differences, tokens, codes.
#pragma once

#include "codec/simd/generic/coded/choose_differences.h"
#include "codec/simd/generic/coded/segment_reader.h"
#include "codec/simd/generic/coded/segment_writer.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// What stands before the segments.
inline constexpr std::size_t differences_size = 2;

inline void write_differences(const entropy::Differences& by, std::byte* out) {
  out[0] = std::byte(by.order | by.row_order << 4);
  out[1] = std::byte{by.lag};
}

// False: damaged. The row length is known.
inline bool read_differences(const std::byte* in, entropy::Differences& by) {
  by.order = static_cast<std::uint8_t>(in[0] & std::byte{15});
  by.row_order = static_cast<std::uint8_t>(in[0] >> 4);
  by.lag = static_cast<std::uint8_t>(in[1]);
  return by.order <= entropy::most_order && by.row_order <= entropy::most_row_order &&
         by.lag >= 1 && by.lag <= entropy::longest_lag &&
         (by.row_order == 0 || by.row_length >= entropy::shortest_row);
}

template <class U>
struct EncodeWorkspace {
  EncodeWorkspace(const entropy::Differences& by, std::span<std::byte> out)
      : differencer(by), writer(out) {}
  Differencer<U> differencer;
  SegmentWriter<U> writer;
  U residuals[segment_values];
};

// Decoded at a time, to stay in the first cache.
inline constexpr std::size_t batch = 1024;

template <class U>
struct DecodeWorkspace {
  DecodeWorkspace(const entropy::Differences& by, std::span<const std::byte> in)
      : summer(by), reader(in) {}
  Summer<U> summer;
  SegmentReader<U> reader;
  U residuals[batch];
};

// q[-most_reach(row_length)] and what follows can be read, and is 0 before q[0]. `workspace` has
// room for an EncodeWorkspace. Returns 0 if the output is too small.
template <class U>
std::size_t encode_integers(const U* q, std::size_t count, std::size_t row_length, void* workspace,
                            std::span<std::byte> out) {
  static_assert(sizeof(EncodeWorkspace<U>) <= entropy::workspace_size);
  static_assert(sizeof(DecodeWorkspace<U>) <= entropy::workspace_size);
  if (out.size() < differences_size) return 0;
  auto* const chooser = new (workspace) DifferencesChooser<U>(q, count, row_length);
  const entropy::Differences by = chooser->best();
  write_differences(by, out.data());
  auto* const work = new (workspace) EncodeWorkspace<U>(by, out.subspan(differences_size));
  for (std::size_t first = 0; first < count; first += segment_values) {
    const std::size_t size = std::min(segment_values, count - first);
    work->differencer.take(q + first, size, work->residuals);
    if (!work->writer.write(work->residuals, size)) return 0;
  }
  return differences_size + work->writer.size();
}

// Fills q. False: damaged. Calls ready(first, size) for values that are done.
template <class U, class Ready>
bool decode_integers(std::span<const std::byte> in, std::size_t row_length, void* workspace, U* q,
                     std::size_t count, Ready ready) {
  entropy::Differences by{0, 0, 1, static_cast<std::uint32_t>(row_length)};
  if (in.size() < differences_size || !read_differences(in.data(), by)) return false;
  auto* const work = new (workspace) DecodeWorkspace<U>(by, in.subspan(differences_size));
  for (std::size_t first = 0; first < count; first += segment_values) {
    const std::size_t size = std::min(segment_values, count - first);
    if (!work->reader.begin()) return false;
    for (std::size_t at = 0; at < size; at += batch) {
      const std::size_t values = std::min(batch, size - at);
      work->reader.read(work->residuals, values);
      work->summer.undo(work->residuals, values, q + first + at);
      ready(first + at, values);
    }
    if (!work->reader.ended()) return false;
  }
  return work->reader.at_end();
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
