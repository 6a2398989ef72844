// The entropy coder under `exact`.
#pragma once

#include "codec/simd/generic/coded/scratch_parts.h"
#include "codec/simd/generic/transforms.h"
#include "codec/simd/generic/with_type.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

inline Result coded_encode(const exact::Header& header, const exact::Transform& transform,
                           std::span<const std::byte> values, std::span<std::byte> scratch,
                           std::span<std::byte> body) {
  return with_type(header.type, [&](auto zero) {
    return with_transform<decltype(zero)>(transform, [&](auto change) -> Result {
      using U = typename decltype(change)::U;
      const std::size_t count = values.size() / sizeof zero;
      const CodedScratch<U> at(scratch, count, header.rows.length);
      // In pieces, so that values which do not fit are found soon.
      constexpr std::size_t piece = 4096;
      for (std::size_t first = 0; first < count; first += piece) {
        const bool fit = change.load(values.data() + first * sizeof zero,
                                     std::min(piece, count - first), at.integers() + first);
        if (!fit) return {Error::bad_parameter, 0};
      }
      const std::size_t size =
          encode_integers<U>({at.integers(), count, header.rows.length}, at.workspace(), body);
      return size == 0 ? Result{Error::output_too_small, 0} : Result{Error::none, size};
    });
  });
}

inline Result coded_decode(const exact::Header& header, const exact::Transform& transform,
                           std::span<const std::byte> body, std::span<std::byte> scratch,
                           std::span<std::byte> values) {
  return with_type(header.type, [&](auto zero) {
    return with_transform<decltype(zero)>(transform, [&](auto change) -> Result {
      using U = typename decltype(change)::U;
      const std::size_t count = values.size() / sizeof zero;
      const CodedScratch<U> at(scratch, count, header.rows.length);
      const auto put = [&](std::size_t first, std::size_t size) {
        change.store(at.integers() + first, size, values.data() + first * sizeof zero);
      };
      const auto no_gaps = [](std::size_t, std::size_t, GapMasks&) { return true; };
      const bool good = decode_integers<U>(
          body, count, at.workspace(), {at.integers(), count, header.rows.length}, no_gaps, put);
      return good ? Result{Error::none, values.size()} : Result{Error::damaged, 0};
    });
  });
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
