#include "scale/job/terms.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace tightwire::scale {
namespace {

// Values that lie together and have their terms at the same ranks.
constexpr std::size_t block_values = 256;

bool is_dealt_to(int rank, int ranks, std::size_t block, int term) {
  return (block + static_cast<std::size_t>(term)) % static_cast<std::size_t>(ranks) ==
         static_cast<std::size_t>(rank);
}

// SplitMix64's last steps.
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31);
}

}  // namespace

std::vector<float> terms_of(const SharedField& field, std::size_t count, int rank, int ranks) {
  if (ranks < dealt_terms) throw std::runtime_error("terms are dealt to eight ranks or more");
  std::vector<float> own(count);
  for (int term = 0; term < field.vectors(); ++term) {
    const auto values = field.of(term, count);
    for (std::size_t begin = 0; begin < count; begin += block_values) {
      if (!is_dealt_to(rank, ranks, begin / block_values, term)) continue;
      const auto block = values.subspan(begin, std::min(block_values, count - begin));
      std::ranges::copy(block, own.begin() + static_cast<std::ptrdiff_t>(begin));
    }
  }
  return own;
}

std::uint64_t bits_of_sum(const comparison::Call& call) {
  const bool is_divided = call.operation == comparison::Operation::reduce_scatter;
  if (!is_divided && call.rank != 0) return 0;
  std::uint64_t place = is_divided ? static_cast<std::uint64_t>(call.rank) * call.block() : 0;
  std::uint64_t sum = 0;
  for (const float value : call.received()) {
    sum += mixed(place << 32 | std::bit_cast<std::uint32_t>(value));
    ++place;
  }
  return sum;
}

}  // namespace tightwire::scale
