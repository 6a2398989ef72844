#include "codec/history/in_time.h"

#include <algorithm>

namespace tightwire::codec::bounded {

std::span<std::byte> write_in_time(std::uint64_t count, References references,
                                   std::span<std::byte> body) {
  body[0] = std::byte(references.size());
  const std::span<std::byte> left_out = body.subspan(1, left_out_size(count));
  std::ranges::fill(left_out, std::byte{0});
  return left_out;
}

std::optional<InTime> read_in_time(std::uint64_t count, References references,
                                   std::span<const std::byte> body) {
  if (body.size() < in_time_size(count)) return std::nullopt;
  const auto order = static_cast<std::size_t>(body[0]);
  if (order == 0 || order > references.size()) return std::nullopt;
  return InTime{references.first(order), body.subspan(1, left_out_size(count))};
}

}  // namespace tightwire::codec::bounded
