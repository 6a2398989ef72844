#include "codec/exact/runs.h"

#include <limits>

#include "codec/exact/parts.h"
#include "codec/value_at.h"

namespace tightwire::codec::exact {
namespace {

constexpr std::size_t sample_size = 1024;
constexpr std::size_t least_share = 8;   // one value in so many repeats the one before
constexpr std::size_t least_length = 4;  // of a run, on the average
constexpr std::size_t least_sure_length = 16;

template <class U>
bool repeats_at(std::span<const std::byte> values, std::size_t i) {
  return value_at<U>(values, i) == value_at<U>(values, i - 1);
}

template <class U>
bool sample_repeats(std::span<const std::byte> values, std::size_t count) {
  const std::size_t tried = std::min(sample_size, count - 1);
  std::size_t repeats = 0;
  for (std::size_t i = 0; i < tried; ++i) {
    repeats += repeats_at<U>(values, 1 + (i * (count - 1) + i * 7 % count) / tried % (count - 1));
  }
  return repeats * least_share * 2 >= tried;
}

// In parts whose sums fit the values' size, so that compilers make vectors of them.
template <class U>
Repeats all_repeats(std::span<const std::byte> values, std::size_t count) {
  constexpr std::size_t part = 128;
  Repeats repeats;
  repeats.values = repeats.runs = repeats_at<U>(values, 1) ? 1 : 0;
  for (std::size_t first = 2; first < count; first += part) {
    const std::size_t end = std::min(first + part, count);
    U some = 0;
    U begun = 0;
    for (std::size_t i = first; i < end; ++i) {
      const U here = repeats_at<U>(values, i) ? U{1} : U{0};
      const U before = repeats_at<U>(values, i - 1) ? U{1} : U{0};
      some = static_cast<U>(some + here);
      begun = static_cast<U>(begun + (here & ~before));
    }
    repeats.values += some;
    repeats.runs += begun;
  }
  return repeats;
}

// False: lengths that no writer makes.
bool count_told(const std::int32_t* lengths, std::size_t size, std::uint64_t count,
                std::uint64_t& told) {
  std::uint64_t all = 0;
  told = 0;
  for (std::size_t i = 0; i < size; i += 2) {
    const bool last = i + 2 == size;
    if (lengths[i] < 1 || lengths[i + 1] < (last ? 0 : 1)) return false;
    told += static_cast<std::uint32_t>(lengths[i]);
    all += static_cast<std::uint32_t>(lengths[i]) + std::uint64_t(std::uint32_t(lengths[i + 1]));
  }
  return all == count;
}

// What is told stands at the end of the values, and is never overtaken.
template <class U>
void spread(const std::int32_t* lengths, std::size_t size, std::size_t told,
            std::span<std::byte> values) {
  const std::byte* from = values.data() + values.size() - told * sizeof(U);
  std::byte* to = values.data();
  for (std::size_t i = 0; i < size; i += 2) {
    const std::size_t bytes = static_cast<std::size_t>(lengths[i]) * sizeof(U);
    std::memmove(to, from, bytes);
    from += bytes;
    to += bytes;
    U last;
    std::memcpy(&last, to - sizeof(U), sizeof(U));
    for (std::int32_t k = 0; k < lengths[i + 1]; ++k, to += sizeof(U)) {
      std::memcpy(to, &last, sizeof(U));
    }
  }
}

}  // namespace

Repeats count_repeats(ElementType type, std::span<const std::byte> values) {
  const std::size_t count = values.size() / element_size(type);
  if (count < 2 || count > std::numeric_limits<std::int32_t>::max()) return {};
  return with_size(type, [&](auto zero) {
    using U = decltype(zero);
    return sample_repeats<U>(values, count) ? all_repeats<U>(values, count) : Repeats{};
  });
}

bool may_pay(const Repeats& repeats, std::size_t count) {
  return repeats.values * least_share >= count && repeats.values >= least_length * repeats.runs;
}

bool surely_pay(const Repeats& repeats, std::size_t count) {
  return repeats.values * 2 >= count && repeats.values >= least_sure_length * repeats.runs;
}

WithoutRepeats::WithoutRepeats(ElementType type, std::span<const std::byte> values,
                               const Repeats& repeats)
    : type_(type),
      told_(array_of<std::byte>(values.size() - repeats.values * element_size(type))),
      lengths_(array_of<std::int32_t>(2 * (repeats.runs + 1))) {
  if (ok()) with_size(type, [&](auto zero) { take<decltype(zero)>(values); });
}

template <class U>
void WithoutRepeats::take(std::span<const std::byte> values) {
  const std::size_t count = values.size() / sizeof(U);
  for (std::size_t i = 0; i < count;) {
    const std::size_t first = i;
    do ++i;
    while (i < count && !repeats_at<U>(values, i));
    std::memcpy(told_.get() + told_count_ * sizeof(U), values.data() + first * sizeof(U),
                (i - first) * sizeof(U));
    told_count_ += i - first;
    add(i - first);
    const std::size_t last = i;
    while (i < count && repeats_at<U>(values, i)) ++i;
    add(i - last);
  }
}

Result encode_runs(const Header& header, const WithoutRepeats& rest, EncodePart encode_told,
                   std::span<std::byte> encoded) {
  const auto lengths = [&](std::span<std::byte> out) {
    const Header of{ElementType::int32, Method::stored, 2, {}, rest.lengths().size()};
    return encode_plain(of, std::as_bytes(rest.lengths()), out);
  };
  const auto told = [&](std::span<std::byte> out) {
    return encode_told(rest.header(), rest.told(), out);
  };
  return write_parts({header.type, Method::runs, 1, {}, header.count}, lengths, told, encoded);
}

Result decode_runs(const Header& header, std::span<const std::byte> body, DecodePart decode_told,
                   std::span<std::byte> values) {
  constexpr Result damaged{Error::damaged, 0};
  Parts parts;
  if (!read_parts(body, parts)) return damaged;
  const Header& first = parts.first.header;
  const std::uint64_t size = first.count;
  if (first.type != ElementType::int32 || size % 2 != 0 || size > header.count + 1) return damaged;
  const auto lengths = array_of<std::int32_t>(size);
  if (lengths == nullptr) return {Error::out_of_memory, 0};
  const Result read = decode_plain(first, parts.first.body, {},
                                   std::as_writable_bytes(std::span(lengths.get(), size)));
  if (!read.ok()) return read;
  const Header& second = parts.second.header;
  std::uint64_t told = 0;
  if (!count_told(lengths.get(), size, header.count, told)) return damaged;
  if (second.type != header.type || second.count != told) return damaged;
  const std::size_t bytes = told * element_size(header.type);
  const Result rest = decode_told(second, parts.second.body, values.last(bytes));
  if (!rest.ok()) return rest;
  with_size(header.type,
            [&](auto zero) { spread<decltype(zero)>(lengths.get(), size, told, values); });
  return {Error::none, values.size()};
}

}  // namespace tightwire::codec::exact
