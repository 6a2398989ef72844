#include "codec/bounded/coded.h"

#include "codec/entropy/scratch.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec::bounded {
namespace {

entropy::Scratch scratch_for(const Header& header) {
  return {header.count, element_size(header.type), header.rows.apart()};
}

}  // namespace

Result encode_coded(const Header& header, std::span<const std::byte> values,
                    std::span<std::byte> body) {
  const entropy::Scratch scratch = scratch_for(header);
  if (!scratch) return {Error::out_of_memory, 0};
  return active_kernels().bounded_coded_encode(header, values, scratch.bytes(), body);
}

Result decode_coded(const Header& header, std::span<const std::byte> body,
                    std::span<std::byte> values) {
  const entropy::Scratch scratch = scratch_for(header);
  if (!scratch) return {Error::out_of_memory, 0};
  return active_kernels().bounded_coded_decode(header, body, scratch.bytes(), values);
}

}  // namespace tightwire::codec::bounded
