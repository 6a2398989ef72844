// The entropy coder under `exact`.
#pragma once

#include "codec/simd/generic/coded/integers.h"
#include "codec/simd/generic/transforms.h"
#include "codec/simd/generic/with_type.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// The integers, with zeros before them, and what the coder works with.
template <class U>
class CodedScratch {
 public:
  CodedScratch(std::span<std::byte> scratch, std::size_t row_length)
      : workspace_(scratch.data()),
        before_(reinterpret_cast<U*>(scratch.data() + entropy::workspace_size)),
        q_(before_ + entropy::most_reach(row_length)) {
    std::fill(before_, q_, U{0});
  }
  void* workspace() const { return workspace_; }
  U* integers() const { return q_; }

 private:
  void* workspace_;
  U* before_;
  U* q_;
};

inline Result coded_encode(const exact::Header& header, const exact::Transform& transform,
                           std::span<const std::byte> values, std::span<std::byte> scratch,
                           std::span<std::byte> body) {
  return with_type(header.type, [&](auto zero) {
    return with_transform<decltype(zero)>(transform, [&](auto change) -> Result {
      using U = typename decltype(change)::U;
      const CodedScratch<U> at(scratch, header.rows.length);
      const std::size_t count = values.size() / sizeof zero;
      // In pieces, so that values which do not fit are found soon.
      constexpr std::size_t piece = 4096;
      for (std::size_t first = 0; first < count; first += piece) {
        const bool fit = change.load(values.data() + first * sizeof zero,
                                     std::min(piece, count - first), at.integers() + first);
        if (!fit) return {Error::bad_parameter, 0};
      }
      const std::size_t size =
          encode_integers(at.integers(), count, header.rows.length, at.workspace(), body);
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
      const CodedScratch<U> at(scratch, header.rows.length);
      const std::size_t count = values.size() / sizeof zero;
      const auto put = [&](std::size_t first, std::size_t size) {
        change.store(at.integers() + first, size, values.data() + first * sizeof zero);
      };
      const bool good =
          decode_integers(body, header.rows.length, at.workspace(), at.integers(), count, put);
      return good ? Result{Error::none, values.size()} : Result{Error::damaged, 0};
    });
  });
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
