#include "codec/exact/transform.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "codec/error_bound.h"
#include "codec/value_at.h"

namespace tightwire::codec::exact {
namespace {

constexpr std::size_t sample_size = 64;
constexpr std::size_t quotients_size = 11;    // without fills
constexpr std::size_t extrapolated_size = 2;  // without what is left out
constexpr std::byte some_left_out{0x10};      // beside the order
constexpr double largest_divisor = 0x1p40;

template <class T>
struct Sample {
  T value[sample_size];
  std::size_t size = 0;
};

template <class T>
Sample<T> sample_of(std::span<const std::byte> values) {
  const std::size_t count = values.size() / sizeof(T);
  Sample<T> sample;
  sample.size = std::min(count, sample_size);
  for (std::size_t i = 0; i < sample.size; ++i) {
    // Not at even distances, which a field's rows may have as well.
    const std::size_t at = (i * count + i * i * 7 % count) / sample.size;
    sample.value[i] = value_at<T>(values, std::min(at, count - 1));
  }
  return sample;
}

template <class T>
bool same_bits(T a, T b) {
  return std::bit_cast<BitsOf<T>>(a) == std::bit_cast<BitsOf<T>>(b);
}

bool all_narrow(const Sample<double>& sample) {
  return std::all_of(sample.value, sample.value + sample.size, [](double x) {
    return same_bits(static_cast<double>(static_cast<float>(x)), x);
  });
}

Sample<float> floats_of(const Sample<double>& sample) {
  Sample<float> floats;
  floats.size = sample.size;
  std::transform(sample.value, sample.value + sample.size, floats.value,
                 [](double x) { return static_cast<float>(x); });
  return floats;
}

template <class T>
bool add_fill(T value, Transform& transform) {
  const std::uint64_t bits = std::bit_cast<BitsOf<T>>(value);
  std::uint64_t* const end = transform.fills + transform.fill_count;
  if (std::find(transform.fills, end, bits) != end) return true;
  if (transform.fill_count == most_fills) return false;
  *end = bits;
  ++transform.fill_count;
  return true;
}

// Bits of a quotient that is still shorter than the values' own digits.
template <class T>
constexpr int widest_step = sizeof(T) == 4 ? 20 : 45;

// False unless most are quotients, and shorter than the values' own digits: else nothing is won.
template <class T>
bool try_divisor(const Sample<T>& sample, double divisor, Transform& transform) {
  const T largest = std::ldexp(T{1}, widest_step<T>);
  constexpr int room = 4;
  transform = {TransformKind::quotients, 0, divisor};
  static_cast<void>(add_fill(-T{0}, transform));  // rare, but wherever numbers were rounded
  T most = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < sample.size; ++i) {
    const T value = sample.value[i];
    const T whole = std::nearbyint(value * static_cast<T>(divisor));
    const bool fits =
        std::abs(whole) <= largest && same_bits(whole / static_cast<T>(divisor), value);
    if (fits) most = std::max(most, std::abs(whole));
    if (!fits && (++others > sample.size / 2 || !add_fill(value, transform))) return false;
  }
  // Fills that the message has are integers not far above the others, but for values that the
  // sample did not see.
  transform.width = widest_quotient(sizeof(T));
  if (transform.fill_count > 1) {
    const auto width = static_cast<std::uint8_t>(std::ilogb(most + 1) + 1 + room);
    transform.width = std::min(transform.width, width);
  }
  return true;
}

// The power of two of which all of a sample are multiples, as minus its exponent: of numbers that
// were packed in fewer bits once. Nothing if they have no such step that a divisor could have, or
// more than some values too many digits.
template <class T>
std::optional<int> step_of(const Sample<T>& sample) {
  constexpr int mantissa = std::numeric_limits<T>::digits;
  int least = std::numeric_limits<int>::max();
  T fill = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < sample.size; ++i) {
    const T value = sample.value[i];
    if (value == 0 || !std::isfinite(value)) continue;
    int exponent = 0;
    const T fraction = std::frexp(value, &exponent);
    const auto digits = static_cast<std::int64_t>(std::ldexp(fraction, mantissa));
    const int zeros = std::countr_zero(static_cast<std::uint64_t>(digits));
    if (mantissa - zeros > widest_step<T>) {
      if (value != fill && ++others > most_fills) return std::nullopt;
      fill = value;
    }
    least = std::min(least, exponent - mantissa + zeros);
  }
  if (least > 0 || least < -std::ilogb(largest_divisor)) return std::nullopt;
  return -least;
}

template <class T>
bool try_step(const Sample<T>& sample, Transform& transform) {
  const std::optional<int> step = step_of(sample);
  return step && try_divisor(sample, std::ldexp(1.0, *step), transform);
}

bool find_step(const Sample<float>& sample, Transform& transform) {
  return try_step(sample, transform);
}

// Floats in doubles are shorter as floats, unless they were packed, too.
bool find_step(const Sample<double>& sample, Transform& transform) {
  if (all_narrow(sample) && !try_step(floats_of(sample), transform)) return false;
  return try_step(sample, transform);
}

template <class T>
bool find_divisor(const Sample<T>& sample, Transform& transform) {
  constexpr int most_digits = sizeof(T) == 4 ? 6 : 12;
  for (int power = 0; power <= 10; ++power) {
    if (try_divisor(sample, std::ldexp(1.0, power), transform)) return true;
  }
  if (find_step(sample, transform)) return true;
  double divisor = 1;
  for (int digits = 1; digits <= most_digits; ++digits) {
    divisor *= 10;
    if (try_divisor(sample, divisor, transform)) return true;
  }
  return false;
}

template <class U>
std::uint8_t zero_bits(const Sample<U>& sample) {
  U any = 0;
  for (std::size_t i = 0; i < sample.size; ++i) any |= sample.value[i];
  return any == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::countr_zero(any));
}

template <class U>
Transform shifted(std::span<const std::byte> values) {
  const std::uint8_t bits = zero_bits(sample_of<U>(values));
  return bits == 0 ? Transform{} : Transform{TransformKind::shifted, bits};
}

}  // namespace

Transform choose_transform(ElementType type, std::span<const std::byte> values) {
  Transform quotients;
  if (values.empty()) return {};
  switch (type) {
    case ElementType::float32:
      if (find_divisor(sample_of<float>(values), quotients)) return quotients;
      return shifted<std::uint32_t>(values);
    case ElementType::float64: {
      const auto sample = sample_of<double>(values);
      if (find_divisor(sample, quotients)) return quotients;
      if (all_narrow(sample)) return {TransformKind::narrowed};
      return shifted<std::uint64_t>(values);
    }
    case ElementType::int16:
      return shifted<std::uint16_t>(values);
    case ElementType::int32:
      return shifted<std::uint32_t>(values);
    case ElementType::int64:
      return shifted<std::uint64_t>(values);
    case ElementType::bytes:
    case ElementType::int8:
      break;
  }
  return {};
}

std::size_t transform_size(ElementType type, const Transform& transform) {
  if (transform.kind == TransformKind::extrapolated) {
    return extrapolated_size + transform.left_out.size();
  }
  if (transform.kind == TransformKind::shifted) return 2;
  if (transform.kind != TransformKind::quotients) return 1;
  return quotients_size + transform.fill_count * element_size(type);
}

namespace {

void write_extrapolated(const Transform& transform, std::byte* out) {
  out[1] = std::byte{transform.order} | (transform.left_out.empty() ? std::byte{0} : some_left_out);
  std::ranges::copy(transform.left_out, out + extrapolated_size);
}

}  // namespace

void write_transform(ElementType type, const Transform& transform, std::byte* out) {
  out[0] = std::byte(transform.kind);
  if (transform.kind == TransformKind::shifted) out[1] = std::byte{transform.shift};
  if (transform.kind == TransformKind::extrapolated) write_extrapolated(transform, out);
  if (transform.kind != TransformKind::quotients) return;
  std::memcpy(out + 1, &transform.divisor, sizeof transform.divisor);
  out[9] = std::byte{transform.width};
  out[10] = std::byte{transform.fill_count};
  for (std::size_t k = 0; k < transform.fill_count; ++k) {
    std::memcpy(out + quotients_size + k * element_size(type), &transform.fills[k],
                element_size(type));
  }
}

namespace {

std::size_t read_quotients(ElementType type, std::span<const std::byte> in, Transform& transform) {
  if (!is_floating_point(type) || in.size() < quotients_size) return 0;
  std::memcpy(&transform.divisor, in.data() + 1, sizeof transform.divisor);
  transform.width = static_cast<std::uint8_t>(in[9]);
  transform.fill_count = static_cast<std::uint8_t>(in[10]);
  const bool rounded =
      type == ElementType::float32 &&
      static_cast<double>(static_cast<float>(transform.divisor)) != transform.divisor;
  const bool good = !rounded && transform.divisor >= 1 && transform.divisor <= largest_divisor &&
                    transform.width <= widest_quotient(element_size(type)) &&
                    transform.fill_count <= most_fills;
  if (!good) return 0;
  const std::size_t size = transform_size(type, transform);
  if (in.size() < size) return 0;
  for (std::size_t k = 0; k < transform.fill_count; ++k) {
    std::memcpy(&transform.fills[k], in.data() + quotients_size + k * element_size(type),
                element_size(type));
  }
  return size;
}

std::size_t read_extrapolated(std::uint64_t count, std::span<const std::byte> in,
                              References references, Transform& transform) {
  if (in.size() < extrapolated_size) return 0;
  transform.order = static_cast<std::uint8_t>(in[1] & ~some_left_out);
  if (transform.order == 0 || transform.order > most_references) return 0;
  if (transform.order > references.size()) return 0;
  transform.references = references;
  if ((in[1] & some_left_out) == std::byte{0}) return extrapolated_size;
  const auto rest = in.subspan(extrapolated_size);
  if (rest.size() < left_out_size(count)) return 0;
  transform.left_out = rest.first(left_out_size(count));
  return extrapolated_size + transform.left_out.size();
}

}  // namespace

std::size_t read_transform(ElementType type, std::uint64_t count, std::span<const std::byte> in,
                           References references, Transform& transform) {
  if (in.empty()) return 0;
  transform = {static_cast<TransformKind>(in[0])};
  switch (transform.kind) {
    case TransformKind::ordered:
      return 1;
    case TransformKind::narrowed:
      return type == ElementType::float64 ? 1 : 0;
    case TransformKind::shifted:
      if (in.size() < 2) return 0;
      transform.shift = static_cast<std::uint8_t>(in[1]);
      return transform.shift < 8 * element_size(type) ? 2 : 0;
    case TransformKind::quotients:
      return read_quotients(type, in, transform);
    case TransformKind::extrapolated:
      return read_extrapolated(count, in, references, transform);
  }
  return 0;
}

}  // namespace tightwire::codec::exact
