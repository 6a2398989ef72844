#include "content.h"

#include <cmath>
#include <cstring>

#include "layout.h"
#include "random.h"

namespace semantics {
namespace {

// The k-th value of the message, about 1.
double value(const Message& message, std::size_t k, Random& random) {
  const auto noise = [&] { return static_cast<double>(random.next() >> 11) * 0x1p-53; };
  const auto x = static_cast<double>(k);
  switch (message.content) {
    case Content::smooth:
      return std::sin(0.003 * x + static_cast<double>(message.seed % 1000));
    case Content::constant:
      return 1 + static_cast<double>(message.seed % 1000) / 1000;
    case Content::noise:
    case Content::marked:
      return noise();
    case Content::half_noise:
      return k < message.signature.count / 2 ? 0.001 * x : noise();
  }
  return 0;
}

template <class T>
void put(std::byte*& to, T value) {
  std::memcpy(to, &value, sizeof value);
  to += sizeof value;
}

// What frames have at their ends (src/wire/trailer.h), so that data holds it, too.
void mark(std::vector<std::byte>& packed, std::uint64_t seed) {
  constexpr std::uint64_t at_front = 0xb71f38ffc82e1466;
  constexpr std::uint64_t at_end = 0x19a04bb1bf9b5e73;
  if (packed.size() < 2 * sizeof at_end) return;
  if (seed % 3 != 0) std::memcpy(packed.data(), &at_front, sizeof at_front);
  if (seed % 3 != 1) {
    std::memcpy(packed.data() + packed.size() - sizeof at_end, &at_end, sizeof at_end);
  }
}

template <class T>
bool values_within(double bound, const std::byte* expected, const std::byte* received) {
  T a{};
  T b{};
  std::memcpy(&a, expected, sizeof a);
  std::memcpy(&b, received, sizeof b);
  return std::fabs(static_cast<double>(a) - static_cast<double>(b)) <= bound;
}

}  // namespace

std::vector<std::byte> content_of(const Message& message) {
  const Signature& signature = message.signature;
  std::vector<std::byte> packed(signature.count * size_of(signature.base));
  Random random(message.seed);
  std::byte* to = packed.data();
  for (std::size_t k = 0; k < signature.count; ++k) {
    const double x = value(message, k, random);
    const int whole = static_cast<int>(x * 1e6);
    switch (signature.base) {
      case Base::bytes:
        put(to, static_cast<unsigned char>(whole));
        break;
      case Base::int32:
        put(to, whole);
        break;
      case Base::float32:
        put(to, static_cast<float>(x));
        break;
      case Base::float64:
        put(to, x);
        break;
      case Base::record:
        put(to, x);
        put(to, whole);
        break;
    }
  }
  if (message.content == Content::marked) mark(packed, message.seed);
  return packed;
}

bool within(double bound, Base base, const std::vector<std::byte>& expected,
            const std::vector<std::byte>& received) {
  if (base != Base::float32 && base != Base::float64) return expected == received;
  const std::size_t size = size_of(base);
  for (std::size_t i = 0; i + size <= expected.size(); i += size) {
    const std::byte* a = expected.data() + i;
    const std::byte* b = received.data() + i;
    if (!(size == 4 ? values_within<float>(bound, a, b) : values_within<double>(bound, a, b))) {
      return false;
    }
  }
  return true;
}

}  // namespace semantics
