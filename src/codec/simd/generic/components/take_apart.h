// Values of which components take turns, taken apart into streams and put together: a tile of each
// component at a time.
#pragma once

#include "codec/simd/generic/tile.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Of `size` values those of component k.
constexpr std::size_t values_of_component(std::size_t size, std::size_t components, std::size_t k) {
  return (size + components - 1 - k) / components;
}

// From one stream to the next; no power of two, so that they do not share sets of a cache.
inline constexpr std::size_t stream_stride = tile_values + 32;

// Whole turns of a number of components that the compiler knows.
template <std::size_t components, class V>
void take_turns_apart(const std::byte* __restrict values, std::size_t turns,
                      V* __restrict streams) {
  for (std::size_t i = 0; i < turns; ++i) {
    for (std::size_t k = 0; k < components; ++k) {
      streams[k * stream_stride + i] = load<V>(values + (i * components + k) * sizeof(V));
    }
  }
}
template <std::size_t components, class V>
void put_turns_together(const V* __restrict streams, std::size_t turns,
                        std::byte* __restrict values) {
  for (std::size_t i = 0; i < turns; ++i) {
    for (std::size_t k = 0; k < components; ++k) {
      store(streams[k * stream_stride + i], values + (i * components + k) * sizeof(V));
    }
  }
}

// So many turns of any components stay in the first cache.
inline constexpr std::size_t turns_at_once = 32;

// The same for any number of components: whole turns and a part of one.
template <class V>
void take_any_apart(const std::byte* __restrict values, std::size_t size, std::size_t components,
                    V* __restrict streams) {
  const std::size_t step = components * sizeof(V);
  for (std::size_t first = 0; first * components < size; first += turns_at_once) {
    const std::size_t rest = std::min(size - first * components, turns_at_once * components);
    for (std::size_t k = 0; k < components; ++k) {
      const std::byte* const from = values + first * step + k * sizeof(V);
      V* const to = streams + k * stream_stride + first;
      const std::size_t turns = values_of_component(rest, components, k);
      for (std::size_t i = 0; i < turns; ++i) to[i] = load<V>(from + i * step);
    }
  }
}
template <class V>
void put_any_together(const V* __restrict streams, std::size_t size, std::size_t components,
                      std::byte* __restrict values) {
  const std::size_t step = components * sizeof(V);
  for (std::size_t first = 0; first * components < size; first += turns_at_once) {
    const std::size_t rest = std::min(size - first * components, turns_at_once * components);
    for (std::size_t k = 0; k < components; ++k) {
      std::byte* const to = values + first * step + k * sizeof(V);
      const V* const from = streams + k * stream_stride + first;
      const std::size_t turns = values_of_component(rest, components, k);
      for (std::size_t i = 0; i < turns; ++i) store(from[i], to + i * step);
    }
  }
}

// Calls run with the number of components as a constant, or 0 for values that are seldom taken
// apart.
template <class V, class Run>
void with_components(std::size_t components, Run run) {
  if constexpr (sizeof(V) < 4) {
    run(std::integral_constant<std::size_t, 0>{});
  } else {
    const auto run_if = [&]<std::size_t number>(std::integral_constant<std::size_t, number> it) {
      if (number == components) run(it);
      return number == components;
    };
    [&]<std::size_t... number>(std::index_sequence<number...>) {
      static_cast<void>((run_if(std::integral_constant<std::size_t, number + 2>{}) || ...));
    }
    (std::make_index_sequence<bounded::most_components - 1>{});
  }
}

// At most a tile of each component.
template <class V>
void take_apart(const std::byte* values, std::size_t size, std::size_t components, V* streams) {
  with_components<V>(components, [&](auto constant) {
    std::size_t turns = 0;
    if constexpr (constant.value != 0) {
      turns = size / components;
      take_turns_apart<constant.value>(values, turns, streams);
    }
    const std::size_t done = turns * components;
    take_any_apart(values + done * sizeof(V), size - done, components, streams + turns);
  });
}
template <class V>
void put_together(const V* streams, std::size_t size, std::size_t components, std::byte* values) {
  with_components<V>(components, [&](auto constant) {
    std::size_t turns = 0;
    if constexpr (constant.value != 0) {
      turns = size / components;
      put_turns_together<constant.value>(streams, turns, values);
    }
    const std::size_t done = turns * components;
    put_any_together(streams + turns, size - done, components, values + done * sizeof(V));
  });
}

// Calls step(first value, number of values) for each round: a tile of every component, at the end
// less.
template <class Step>
Error for_each_round(std::uint64_t count, std::size_t components, Step step) {
  const std::size_t round = tile_values * components;
  for (std::uint64_t first = 0; first < count; first += round) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(round, count - first));
    if (const Error error = step(static_cast<std::size_t>(first), size); error != Error::none) {
      return error;
    }
  }
  return Error::none;
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
