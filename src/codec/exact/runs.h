// Values without those that repeat the one before them: land in an ocean's field, or what a wave
// has not reached yet. What is left loses its rows, and gains that nothing else is told.
#pragma once

#include <memory>

#include "codec/exact/plain.h"

namespace tightwire::codec::exact {

struct Repeats {
  std::size_t values = 0;  // that have the bits of the one before
  std::size_t runs = 0;    // of such values
};

// None, where a sample shows few.
[[nodiscard]] Repeats count_repeats(ElementType type, std::span<const std::byte> values);
// Whether it is worth a try to leave them out, and whether nothing else needs to be tried.
[[nodiscard]] bool may_pay(const Repeats& repeats, std::size_t count);
[[nodiscard]] bool surely_pay(const Repeats& repeats, std::size_t count);

// What is left of them, and lengths by turns: of values that are told, and of those that repeat the
// last of these.
class WithoutRepeats {
 public:
  // Allocates.
  WithoutRepeats(ElementType type, std::span<const std::byte> values, const Repeats& repeats);
  // False: there was no memory.
  [[nodiscard]] bool ok() const { return told_ != nullptr && lengths_ != nullptr; }

  [[nodiscard]] Header header() const { return {type_, Method::stored, 1, {}, told_count_}; }
  [[nodiscard]] std::span<const std::byte> told() const {
    return {told_.get(), told_count_ * element_size(type_)};
  }
  [[nodiscard]] std::span<const std::int32_t> lengths() const {
    return {lengths_.get(), length_count_};
  }

 private:
  template <class U>
  void take(std::span<const std::byte> values);
  void add(std::size_t length) { lengths_[length_count_++] = static_cast<std::int32_t>(length); }

  ElementType type_;
  std::unique_ptr<std::byte[]> told_;
  std::size_t told_count_ = 0;
  std::unique_ptr<std::int32_t[]> lengths_;
  std::size_t length_count_ = 0;
};

// Encodes what is left by `encode_told`. Allocates.
using EncodePart = Result (*)(const Header&, std::span<const std::byte>, std::span<std::byte>);
Result encode_runs(const Header& header, const WithoutRepeats& rest, EncodePart encode_told,
                   std::span<std::byte> encoded);
// What follows the header; `decode_told` is for what repeats nothing.
using DecodePart = Result (*)(const Header&, std::span<const std::byte>, std::span<std::byte>);
Result decode_runs(const Header& header, std::span<const std::byte> body, DecodePart decode_told,
                   std::span<std::byte> values);

}  // namespace tightwire::codec::exact
