// Encodings of several components: their tiles take turns, and so do what writes or reads them.
#pragma once

#include "codec/simd/generic/components/take_apart.h"
#include "codec/simd/generic/read_tile.h"
#include "codec/simd/generic/write_tile.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// A TileWriter or TileReader for each component, and room for a tile of values of each.
template <class Coder, class V>
class Turns {
 public:
  template <class Bytes>
  Turns(std::size_t components, bounded::Rows rows, Bytes bytes)
      : memory_(::operator new(components*(sizeof(Coder) + stream_stride * sizeof(V)), alignment,
                               std::nothrow)) {
    static_assert(std::is_trivially_destructible_v<Coder>);
    if (memory_ == nullptr) return;
    coders_ = static_cast<Coder*>(memory_);
    streams_ = reinterpret_cast<V*>(coders_ + components);
    for (std::size_t k = 0; k < components; ++k) new (coders_ + k) Coder(rows, bytes);
  }
  ~Turns() { ::operator delete(memory_, alignment); }
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  explicit operator bool() const { return memory_ != nullptr; }
  Coder& operator[](std::size_t component) { return coders_[component]; }
  V* streams() { return streams_; }
  std::byte* stream(std::size_t component) {
    return reinterpret_cast<std::byte*>(streams_ + component * stream_stride);
  }

 private:
  static constexpr std::align_val_t alignment{std::max<std::size_t>(alignof(Coder), 64)};

  void* memory_;
  Coder* coders_ = nullptr;
  V* streams_ = nullptr;
};

// Lines of a tile in a round, fetched while others are worked on. Harmless beyond a buffer.
template <class V, int to_write>
void fetch_tile(const std::byte* values) {
  for (std::size_t at = 0; at < tile_values * sizeof(V); at += 64) {
    __builtin_prefetch(values + at, to_write);
  }
}

// Calls take(first, size, streams) to take the values of a round apart, and load(values, tile) to
// fill in the integers of a tile, of which there are tile.count.
template <class T, class V, class Header, class Take, class Load>
Result write_components(const Header& header, std::span<const std::byte> values,
                        std::span<std::byte> body, Take take, Load load) {
  const std::size_t components = header.components;
  Turns<TileWriter<T>, V> turns(components, header.rows, body);
  if (!turns) return {Error::out_of_memory, 0};
  Tile<T> tile;
  tile.any_exceptions = false;
  std::size_t written = 0;
  const auto write_one = [&](std::size_t k, std::size_t count) {
    TileWriter<T>& writer = turns[k];
    writer.resume(written);
    tile.q = writer.next();
    tile.count = count;
    if (!load(turns.stream(k), tile)) return Error::bad_parameter;
    const bool fits = writer.write(tile);
    written = writer.size();
    return fits ? Error::none : Error::output_too_small;
  };
  const Error error =
      for_each_round(header.count, components, [&](std::size_t first, std::size_t size) {
        take(first, size, turns.streams());
        Error wrong = Error::none;
        const std::byte* const next = values.data() + (first + size) * sizeof(V);
        for (std::size_t k = 0; k < std::min(components, size) && wrong == Error::none; ++k) {
          fetch_tile<V, 0>(next + k * tile_values * sizeof(V));
          wrong = write_one(k, values_of_component(size, components, k));
        }
        return wrong;
      });
  return {error, error == Error::none ? written : 0};
}

// The same of values as they are.
template <class T, class V, class Header, class Load>
Result write_components(const Header& header, std::span<const std::byte> values,
                        std::span<std::byte> body, Load load) {
  const auto take = [&](std::size_t first, std::size_t size, V* streams) {
    take_apart(values.data() + first * sizeof(V), size, header.components, streams);
  };
  return write_components<T, V>(header, values, body, take, load);
}

// Calls read(reader, count, tile, values) to read a tile; false: damaged. Calls put(first, size)
// for the values of a round that are in their place.
template <class T, class V, class Header, class Read, class Put>
Result read_components(const Header& header, std::span<const std::byte> body,
                       std::span<std::byte> values, Read read, Put put) {
  const std::size_t components = header.components;
  Turns<TileReader<T>, V> turns(components, header.rows, body);
  if (!turns) return {Error::out_of_memory, 0};
  Tile<T> tile;
  Input rest{body.data(), body.data() + body.size()};
  const auto read_one = [&](std::size_t k, std::size_t count) {
    TileReader<T>& reader = turns[k];
    reader.input() = rest;
    const bool good = read(reader, count, tile, turns.stream(k));
    rest = reader.input();
    return good ? Error::none : Error::damaged;
  };
  Error error = for_each_round(header.count, components, [&](std::size_t first, std::size_t size) {
    std::byte* const out = values.data() + first * sizeof(V);
    Error wrong = Error::none;
    for (std::size_t k = 0; k < std::min(components, size) && wrong == Error::none; ++k) {
      fetch_tile<V, 1>(out + k * tile_values * sizeof(V));
      wrong = read_one(k, values_of_component(size, components, k));
    }
    if (wrong != Error::none) return wrong;
    put_together(turns.streams(), size, components, out);
    put(first, size);
    return wrong;
  });
  for (std::size_t k = 0; k < components && error == Error::none; ++k) {
    turns[k].input() = rest;
    if (!turns[k].at_end()) error = Error::damaged;
  }
  return {error, error == Error::none ? values.size() : 0};
}

template <class T, class V, class Header, class Read>
Result read_components(const Header& header, std::span<const std::byte> body,
                       std::span<std::byte> values, Read read) {
  return read_components<T, V>(header, body, values, read, [](std::size_t, std::size_t) {});
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
