#include "codec/exact/list.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "codec/exact/parts.h"
#include "codec/value_at.h"

namespace tightwire::codec::exact {
namespace {

constexpr std::size_t sample_size = 1024;
constexpr std::size_t least_equal = sample_size / 32;
constexpr std::size_t longest_list = 8192;  // whose table stays in the second-level cache
constexpr std::size_t values_per_entry = 16;
constexpr std::size_t slots_per_entry = 4;

// Of a sample, how many have the bits of another one, but for those that most have.
template <class U>
std::size_t equal_in_sample(std::span<const std::byte> values, std::size_t count) {
  U sample[sample_size];
  for (std::size_t i = 0; i < sample_size; ++i) {
    // Not at even distances, which a field's rows may have as well.
    const std::size_t at = (i * count + i * i * 7 % count) / sample_size;
    sample[i] = value_at<U>(values, std::min(at, count - 1));
  }
  std::sort(sample, sample + sample_size);
  std::size_t equal = 0;
  std::size_t most = 0;
  for (std::size_t i = 0; i < sample_size;) {
    const std::size_t first = i;
    while (i < sample_size && sample[i] == sample[first]) ++i;
    equal += i - first - 1;
    most = std::max(most, i - first - 1);
  }
  return equal - most;
}

// The order of the values that have these bits.
template <class U>
U rank_of(U bits, bool floating_point) {
  constexpr U sign = U(U{1} << (8 * sizeof(U) - 1));
  if (floating_point && (bits & sign) != 0) return static_cast<U>(~bits);
  return static_cast<U>(bits ^ sign);
}

// Gives each distinct value a place, in the order in which they are met.
template <class U>
class Lister {
 public:
  explicit Lister(std::size_t most)
      : most_(most),
        slots_(std::bit_ceil(most * slots_per_entry)),
        slot_(array_of<Slot>(slots_)),
        value_(array_of<U>(most)) {
    if (ok()) std::fill_n(slot_.get(), slots_, Slot{});
  }
  [[nodiscard]] bool ok() const { return slot_ != nullptr && value_ != nullptr; }

  // False: there are too many.
  bool take(std::span<const std::byte> values, std::size_t count, std::int32_t* places) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t place = place_of(value_at<U>(values, i));
      if (place < 0) return false;
      places[i] = place;
    }
    return true;
  }

  // Sets the list in order of its values, and places with it.
  bool sort(bool floating_point, std::int32_t* places, std::size_t count) {
    const auto order = array_of<std::int32_t>(size_);
    const auto moved = array_of<std::int32_t>(size_);
    auto sorted = array_of<U>(size_);
    if (order == nullptr || moved == nullptr || sorted == nullptr) return false;
    for (std::size_t k = 0; k < size_; ++k) order[k] = static_cast<std::int32_t>(k);
    std::sort(order.get(), order.get() + size_, [&](std::int32_t a, std::int32_t b) {
      return rank_of(value_[a], floating_point) < rank_of(value_[b], floating_point);
    });
    for (std::size_t k = 0; k < size_; ++k) {
      sorted[k] = value_[order[k]];
      moved[order[k]] = static_cast<std::int32_t>(k);
    }
    value_ = std::move(sorted);
    for (std::size_t i = 0; i < count; ++i) places[i] = moved[places[i]];
    return true;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const std::byte> list() const { return bytes_of(value_.get(), size_); }

 private:
  struct Slot {
    U value = 0;
    std::int32_t place = -1;
  };

  std::int32_t place_of(U value) {
    for (std::size_t at = hash(value);; at = (at + 1) % slots_) {
      Slot& slot = slot_[at];
      if (slot.place >= 0 && slot.value == value) return slot.place;
      if (slot.place >= 0) continue;
      if (size_ == most_) return -1;
      value_[size_] = value;
      slot = {value, static_cast<std::int32_t>(size_++)};
      return slot.place;
    }
  }
  [[nodiscard]] std::size_t hash(U value) const {
    const std::uint64_t mixed =
        (std::uint64_t{value} ^ std::uint64_t{value} >> 32) * std::uint64_t{0x9e3779b97f4a7c15};
    return mixed >> 32 & (slots_ - 1);
  }

  std::size_t most_;
  std::size_t size_ = 0;
  std::size_t slots_;
  std::unique_ptr<Slot[]> slot_;
  std::unique_ptr<U[]> value_;
};

// False: a place that is none.
template <class U>
bool look_up(std::span<const std::byte> list, const std::int32_t* places,
             std::span<std::byte> values) {
  const std::size_t size = list.size() / sizeof(U);
  const std::size_t count = values.size() / sizeof(U);
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::uint32_t(places[i]));
  if (most >= size) return false;
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(values.data() + i * sizeof(U),
                list.data() + static_cast<std::size_t>(places[i]) * sizeof(U), sizeof(U));
  }
  return true;
}

Header header_of_places(Header header) {
  header.type = ElementType::int32;
  return header;
}

}  // namespace

bool may_be_few(ElementType type, std::span<const std::byte> values) {
  const std::size_t count = values.size() / element_size(type);
  if (element_size(type) < 4 || count < 2 * sample_size) return false;
  if (count > std::numeric_limits<std::int32_t>::max()) return false;
  return with_size(type, [&](auto zero) {
    return equal_in_sample<decltype(zero)>(values, count) >= least_equal;
  });
}

Result encode_list(const Header& header, std::span<const std::byte> values, EncodePart encode_part,
                   std::span<std::byte> encoded) {
  return with_size(header.type, [&](auto zero) {
    constexpr Result no_memory{Error::out_of_memory, 0};
    const auto places = array_of<std::int32_t>(header.count);
    Lister<decltype(zero)> lister(std::min(longest_list, header.count / values_per_entry));
    if (places == nullptr || !lister.ok()) return no_memory;
    if (!lister.take(values, header.count, places.get())) return Result{Error::bad_parameter, 0};
    if (!lister.sort(is_floating_point(header.type), places.get(), header.count)) return no_memory;
    const Header all{header.type, Method::list, 1, {}, header.count};
    const auto list = [&](std::span<std::byte> out) {
      return encode_part({header.type, Method::stored, 1, {}, lister.size()}, lister.list(), out);
    };
    const auto rest = [&](std::span<std::byte> out) {
      return encode_part(header_of_places(header), bytes_of(places.get(), header.count), out);
    };
    return write_parts(all, list, rest, encoded);
  });
}

Result decode_list(const Header& header, std::span<const std::byte> body,
                   std::span<std::byte> values) {
  constexpr Result damaged{Error::damaged, 0};
  Parts parts;
  if (!read_parts(body, parts)) return damaged;
  const auto [list, places] = parts;
  if (list.header.type != header.type || list.header.count > header.count) return damaged;
  if (places.header.type != ElementType::int32 || places.header.count != header.count) {
    return damaged;
  }
  const auto entries = array_of<std::byte>(list.header.count * element_size(header.type));
  const auto place = array_of<std::int32_t>(header.count);
  if (entries == nullptr || place == nullptr) return {Error::out_of_memory, 0};
  const std::span<std::byte> of_list(entries.get(), list.header.count * element_size(header.type));
  const Result first = decode_plain(list.header, list.body, {}, of_list);
  if (!first.ok()) return first;
  const Result second = decode_plain(places.header, places.body, {},
                                     std::as_writable_bytes(std::span(place.get(), header.count)));
  if (!second.ok()) return second;
  const bool good = with_size(header.type, [&](auto zero) {
    return look_up<decltype(zero)>(of_list, place.get(), values);
  });
  return good ? Result{Error::none, values.size()} : damaged;
}

}  // namespace tightwire::codec::exact
