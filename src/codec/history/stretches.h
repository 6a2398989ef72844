// A sample of a message and of its references, as integers on a grid: for what `exact` would make
// of all of them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>

#include "codec/exact/layout.h"
#include "codec/history/reference_parts.h"

namespace tightwire::codec {

// Places all over a message, one after the other.
class Stretches {
 public:
  static constexpr std::size_t most = 16;
  static constexpr std::size_t longest = 256;

  // Of at most so many stretches, each of whole turns of components. There are values.
  Stretches(std::size_t count, std::size_t turn, std::size_t number)
      : length_(std::min(count, longest / turn * turn)),
        number_(std::clamp<std::size_t>(count / length_, 1, number)) {
    for (std::size_t k = 1; k < number_; ++k) {
      first_[k] = (count - length_) / (number_ - 1) * k / turn * turn;
    }
  }
  [[nodiscard]] std::size_t size() const { return number_ * length_; }

  // Calls use(number of the value, number in the sample).
  template <class Use>
  void for_each(Use use) const {
    for (std::size_t k = 0; k < number_; ++k) {
      for (std::size_t i = 0; i < length_; ++i) use(first_[k] + i, k * length_ + i);
    }
  }

 private:
  std::size_t length_;
  std::size_t number_;
  std::array<std::size_t, most> first_{};
};

// Of floating-point values. False where there is no memory, or the step is not finite.
class GridSample {
 public:
  GridSample(ElementType type, const Stretches& stretches, double inverse_step,
             std::span<const std::byte> values, References references)
      : type_(type == ElementType::float32 ? ElementType::int32 : ElementType::int64),
        count_(stretches.size()),
        given_(references),
        memory_(new (std::nothrow) std::byte[bytes() * (1 + references.size())]) {
    if (!std::isfinite(inverse_step)) memory_.reset();
    if (memory_ == nullptr) return;
    quantise(stretches, inverse_step, values, 0);
    for (std::size_t k = 0; k < references.size(); ++k) {
      quantise(stretches, inverse_step, references[k], k + 1);
    }
  }
  explicit operator bool() const { return memory_ != nullptr; }

  [[nodiscard]] exact::Header header(std::uint8_t components) const {
    exact::Header header;
    header.type = type_;
    header.count = count_;
    header.components = components;
    return header;
  }
  [[nodiscard]] std::span<const std::byte> message() const { return array(0); }
  // They point into this.
  [[nodiscard]] ReferenceParts references() const {
    std::size_t number = 0;
    return {given_, [&](auto) { return std::span<const std::byte>(array(++number)); }};
  }

 private:
  [[nodiscard]] std::size_t bytes() const { return count_ * element_size(type_); }
  [[nodiscard]] std::span<std::byte> array(std::size_t number) const {
    return {memory_.get() + number * bytes(), bytes()};
  }

  void quantise(const Stretches& stretches, double inverse, std::span<const std::byte> values,
                std::size_t number) const {
    if (type_ == ElementType::int32) {
      quantise<float, std::int32_t>(stretches, inverse, values, array(number).data());
    } else {
      quantise<double, std::int64_t>(stretches, inverse, values, array(number).data());
    }
  }

  // Numbers that are none, or too large, are 0.
  template <class T, class Int>
  static void quantise(const Stretches& stretches, double inverse,
                       std::span<const std::byte> values, std::byte* to) {
    constexpr double most_of_int = 0x1p50;
    constexpr double rounder = 0x1.8p52;
    stretches.for_each([&](std::size_t from, std::size_t at) {
      T value;
      std::memcpy(&value, values.data() + from * sizeof(T), sizeof value);
      const double scaled = static_cast<double>(value) * inverse;
      const double rounded = std::abs(scaled) <= most_of_int ? scaled + rounder - rounder : 0;
      const auto integer = static_cast<Int>(static_cast<std::int64_t>(rounded));
      std::memcpy(to + at * sizeof(Int), &integer, sizeof integer);
    });
  }

  ElementType type_;
  std::size_t count_;
  References given_;
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace tightwire::codec
