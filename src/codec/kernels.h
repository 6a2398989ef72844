// What an instruction set provides. Each function works on a whole encoding, so that the choice of
// instruction set is made once per call.
#pragma once

#include "codec/bounded.h"
#include "codec/bounded_layout.h"

namespace tightwire::codec {

struct Kernels {
  std::string_view name;

  // The header has been checked; `body` is what follows it. Sizes returned are of the body.
  Result (*bounded_encode)(const bounded::Header& header, std::span<const std::byte> values,
                           std::span<std::byte> body);
  Result (*bounded_decode)(const bounded::Header& header, std::span<const std::byte> body,
                           std::span<std::byte> values);
  Result (*bounded_combine)(bounded::Operation operation, const bounded::Header& a_header,
                            std::span<const std::byte> a, const bounded::Header& b_header,
                            std::span<const std::byte> b, const bounded::Header& out_header,
                            std::span<std::byte> out);
  Result (*bounded_combine_values)(bounded::Operation operation, const bounded::Header& a_header,
                                   std::span<const std::byte> a, std::span<const std::byte> values,
                                   const bounded::Header& out_header, std::span<std::byte> out);
};

namespace portable {
extern const Kernels kernels;
}

// The best that this machine has.
[[nodiscard]] const Kernels& active_kernels();

}  // namespace tightwire::codec
