#include "history/excerpt.h"

namespace tightwire::history {
namespace {

constexpr std::size_t stretches = 8;
// Records of 1 to 6, 8, 9, 10, 12, 15 or 16 numbers.
constexpr std::size_t whole_records = 720 * sizeof(double);
constexpr std::size_t stretch = 11 * whole_records;
static_assert(least_excerpted >= 4 * stretches * stretch);

}  // namespace

std::vector<std::byte> excerpt_of(std::span<const std::byte> message) {
  std::vector<std::byte> excerpt;
  excerpt.reserve(stretches * stretch);
  const std::size_t last = message.size() - stretch;
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t place = last / (stretches - 1) * k;
    const auto part = message.subspan(place / whole_records * whole_records, stretch);
    excerpt.insert(excerpt.end(), part.begin(), part.end());
  }
  return excerpt;
}

}  // namespace tightwire::history
