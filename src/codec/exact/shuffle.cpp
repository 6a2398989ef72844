#include "codec/exact/shuffle.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "codec/instances.h"

namespace tightwire::codec::exact {
namespace {

template <class U>
U load(const std::byte* in, std::size_t i) {
  U value;
  std::memcpy(&value, in + i * sizeof(U), sizeof value);
  return value;
}

// Floating-point bits as integers in the order of the values; its own inverse.
template <class U>
U ordered(U bits, bool floating) {
  using S = std::make_signed_t<U>;
  if (!floating) return bits;
  const auto sign = static_cast<U>(static_cast<S>(bits) >> (sizeof(U) * 8 - 1));
  return static_cast<U>(bits ^ (sign >> 1));
}

template <class U>
U fold(U residual) {
  const auto sign = static_cast<U>(0 - (residual >> (sizeof(U) * 8 - 1)));
  return static_cast<U>(static_cast<U>(residual << 1) ^ sign);
}

template <class U>
U unfold(U folded) {
  return static_cast<U>(static_cast<U>(folded >> 1) ^ static_cast<U>(0 - (folded & 1)));
}

template <class U>
void put_planes(U value, std::size_t i, std::size_t count, std::byte* planes) {
  for (std::size_t k = 0; k < sizeof(U); ++k) {
    planes[k * count + i] = std::byte(value >> (8 * k) & 0xff);
  }
}

template <class U>
U take_planes(const std::byte* planes, std::size_t i, std::size_t count) {
  U value = 0;
  for (std::size_t k = 0; k < sizeof(U); ++k) {
    value = static_cast<U>(value | static_cast<U>(planes[k * count + i]) << (8 * k));
  }
  return value;
}

// The prediction of value i from those before it; `at(j)` is value j, with zeros before the first.
template <class U, class At>
U predict(Predictor predictor, std::size_t row, std::size_t i, At at) {
  const auto before = [&](std::size_t distance) { return i < distance ? U{0} : at(i - distance); };
  switch (predictor) {
    case Predictor::none:
      return 0;
    case Predictor::previous:
      return before(1);
    case Predictor::second:
      return static_cast<U>(2 * before(1) - before(2));
    case Predictor::row:
      return static_cast<U>(before(1) + before(row) - before(row + 1));
    case Predictor::rows:  // not of this form
      break;
  }
  return 0;
}

template <class U>
void split(bool floating, Predictor predictor, std::size_t row, std::size_t count,
           const std::byte* values, std::byte* planes) {
  const auto at = [&](std::size_t j) { return ordered(load<U>(values, j), floating); };
  for (std::size_t i = 0; i < count; ++i) {
    if (predictor == Predictor::none) {
      put_planes(load<U>(values, i), i, count, planes);
      continue;
    }
    const U predicted = predict<U>(predictor, row, i, at);
    put_planes(fold(static_cast<U>(at(i) - predicted)), i, count, planes);
  }
}

template <class U>
void join(bool floating, Predictor predictor, std::size_t row, std::size_t count,
          const std::byte* planes, std::byte* values) {
  const auto at = [&](std::size_t j) { return ordered(load<U>(values, j), floating); };
  for (std::size_t i = 0; i < count; ++i) {
    U value = take_planes<U>(planes, i, count);
    if (predictor != Predictor::none) {
      value = ordered(static_cast<U>(unfold(value) + predict<U>(predictor, row, i, at)), floating);
    }
    std::memcpy(values + i * sizeof(U), &value, sizeof value);
  }
}

// Calls run with an unsigned integer of the element's size.
template <class Run>
void with_size(ElementType type, Run run) {
  switch (element_size(type)) {
    case 1:
      return run(std::uint8_t{});
    case 2:
      return run(std::uint16_t{});
    case 4:
      return run(std::uint32_t{});
    default:
      return run(std::uint64_t{});
  }
}

}  // namespace

void to_planes(ElementType type, Predictor predictor, std::size_t row_length,
               std::span<const std::byte> values, std::span<std::byte> planes) {
  with_size(type, [&](auto zero) {
    split<decltype(zero)>(is_floating_point(type), predictor, row_length,
                          values.size() / sizeof zero, values.data(), planes.data());
  });
}

void from_planes(ElementType type, Predictor predictor, std::size_t row_length,
                 std::span<const std::byte> planes, std::span<std::byte> values) {
  with_size(type, [&](auto zero) {
    join<decltype(zero)>(is_floating_point(type), predictor, row_length,
                         values.size() / sizeof zero, planes.data(), values.data());
  });
}

Predictor choose_predictor(ElementType type, std::size_t row_length,
                           std::span<const std::byte> values, const Parameters& parameters) {
  constexpr std::size_t sample_size = std::size_t{256} << 10;
  const std::size_t unit = element_size(type);
  const std::size_t size = std::min(values.size(), sample_size);
  const auto sample = values.subspan((values.size() - size) / 2 / unit * unit, size);
  std::vector<std::byte> planes(size);
  std::vector<std::byte> packed(zstd_codec().max_encoded_size(ElementType::bytes, size));
  Predictor best = Predictor::none;
  std::size_t best_size = packed.size() + 1;
  for (const Predictor predictor :
       {Predictor::none, Predictor::previous, Predictor::second, Predictor::row}) {
    if (predictor == Predictor::row && row_length == 0) continue;
    to_planes(type, predictor, row_length, sample, planes);
    const Result result = zstd_codec().encode(ElementType::bytes, planes, parameters, packed);
    if (result.ok() && result.size < best_size) {
      best = predictor;
      best_size = result.size;
    }
  }
  return best;
}

}  // namespace tightwire::codec::exact
