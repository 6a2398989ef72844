// What an instruction set provides. Each function works on a whole encoding, so that the choice of
// instruction set is made once per call.
#pragma once

#include <string>

#include "codec/bounded/bounded.h"
#include "codec/bounded/layout.h"
#include "codec/bounded/survey.h"
#include "codec/exact/layout.h"
#include "codec/exact/transform.h"
#include "codec/fill/seen.h"
#include "codec/history/in_time.h"

namespace tightwire::codec {

struct Kernels {
  std::string_view name;
  bool (*runs)();  // on this CPU and under this operating system

  // Of floating-point values; those outside of `others` are none of what is looked for, but for the
  // extremes.
  bounded::Survey (*survey)(ElementType type, std::span<const std::byte> values,
                            const Extent& others);
  // Of all finite ones of floating-point values; the smallest is above the largest if there are
  // none.
  Extent (*finite_extent)(ElementType type, std::span<const std::byte> values);
  // Where the next block of floating-point values begins that has news for a search for fill
  // values, from `at` on; the size of the values if there is none.
  std::size_t (*find_unseen)(ElementType type, std::span<const std::byte> values, std::size_t at,
                             const Seen& seen);

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
  // An empty `out` stands for no encoding.
  Result (*bounded_complete_values)(bounded::Operation operation, const bounded::Header& a_header,
                                    std::span<const std::byte> a, std::span<const std::byte> values,
                                    const bounded::Header& out_header, std::span<std::byte> out,
                                    std::span<std::byte> result);

  // Encoding answers Error::bad_parameter if a value does not fit the transform.
  Result (*exact_encode)(const exact::Header& header, const exact::Transform& transform,
                         std::span<const std::byte> values, std::span<std::byte> body);
  Result (*exact_decode)(const exact::Header& header, const exact::Transform& transform,
                         std::span<const std::byte> body, std::span<std::byte> values);
  // The ratio that a sample of the values promises; infinite where it is as cheap to try.
  double (*exact_promise)(const exact::Header& header, const exact::Transform& transform,
                          std::span<const std::byte> values);
  // Sets the bits of the tiles' worth of values that references should not predict, in marks that
  // are 0; returns how many there are.
  std::size_t (*mark_left_out)(const exact::Header& header, const exact::Transform& transform,
                               std::span<const std::byte> values, std::span<std::byte> marks);

  // The same through the entropy coder; `scratch` is an entropy::Scratch.
  Result (*coded_encode)(const exact::Header& header, const exact::Transform& transform,
                         std::span<const std::byte> values, std::span<std::byte> scratch,
                         std::span<std::byte> body);
  // The bits that a value will take, from a sample; infinite if one does not fit the transform.
  double (*coded_estimate)(const exact::Header& header, const exact::Transform& transform,
                           std::span<const std::byte> values, exact::Counted counted,
                           std::span<std::byte> scratch);
  Result (*coded_decode)(const exact::Header& header, const exact::Transform& transform,
                         std::span<const std::byte> body, std::span<std::byte> scratch,
                         std::span<std::byte> values);
  // Of a grid of kind `coded`.
  Result (*bounded_coded_encode)(const bounded::Header& header, std::span<const std::byte> values,
                                 std::span<std::byte> scratch, std::span<std::byte> body);
  Result (*bounded_coded_decode)(const bounded::Header& header, std::span<const std::byte> body,
                                 std::span<std::byte> scratch, std::span<std::byte> values);

  // In time: as the ones above, from all references. The encoder sets the bits of tiles that it
  // leaves out, of bits that are 0.
  Result (*bounded_encode_in_time)(const bounded::Header& header, References references,
                                   std::span<std::byte> left_out, std::span<const std::byte> values,
                                   std::span<std::byte> body);
  Result (*bounded_decode_in_time)(const bounded::Header& header, const bounded::InTime& in_time,
                                   std::span<const std::byte> body, std::span<std::byte> values);
  Result (*bounded_coded_encode_in_time)(const bounded::Header& header, References references,
                                         std::span<std::byte> left_out,
                                         std::span<const std::byte> values,
                                         std::span<std::byte> scratch, std::span<std::byte> body);
  Result (*bounded_coded_decode_in_time)(const bounded::Header& header,
                                         const bounded::InTime& in_time,
                                         std::span<const std::byte> body,
                                         std::span<std::byte> scratch, std::span<std::byte> values);

  // Sums of a derived grid in time, see history/sums_in_time.h. The header is that of the sums.
  Result (*bounded_leave_of_sums)(const bounded::Header& header, std::span<const std::byte> encoded,
                                  References references, std::span<std::byte> left_out,
                                  std::span<std::byte> body);
  Result (*bounded_combine_values_in_time)(bounded::Operation operation,
                                           const bounded::Header& header,
                                           const bounded::InTime& in_time,
                                           std::span<const std::byte> body,
                                           std::span<const std::byte> values,
                                           std::span<std::byte> out, std::span<std::byte> arrived);
  // An empty `out` stands for no encoding.
  Result (*bounded_complete_values_in_time)(
      bounded::Operation operation, const bounded::Header& header, const bounded::InTime& in_time,
      std::span<const std::byte> body, std::span<const std::byte> values, std::span<std::byte> out,
      std::span<std::byte> result, std::span<std::byte> arrived);
};

// Those of this build, best first; portable is the last.
[[nodiscard]] std::span<const Kernels* const> all_kernels();

// Whether this machine and its operating system can run them.
[[nodiscard]] bool runs_here(const Kernels& kernels);

// The best that runs here, or what the environment variable TIGHTWIRE_ISA names. It is read once; a
// name that is unknown or does not run here is ignored, see isa_problem().
[[nodiscard]] const Kernels& active_kernels();

// Why TIGHTWIRE_ISA is not followed; empty if it is or is not set.
[[nodiscard]] std::string isa_problem();

// For tests: use these kernels from now on, in all threads.
void use_kernels(const Kernels& kernels);

}  // namespace tightwire::codec
