// The entropy coder under `exact`.
#pragma once

#include "codec/simd/generic/coded/scratch_parts.h"
#include "codec/simd/generic/history/source.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// False: a value does not fit.
template <class Change, class U>
bool load_integers(const Change& change, std::size_t count, Source& source,
                   const CodedScratch<U>& at) {
  // In pieces, so that values which do not fit are found soon.
  constexpr std::size_t piece = tile_values;
  for (std::size_t first = 0; first < count; first += piece) {
    const std::size_t size = std::min(piece, count - first);
    if (!change.load(source.at(first, size), size, at.integers(0) + first)) return false;
  }
  return true;
}

// Calls use(component, first, number of values, their place) for the streams of each round; they
// lie in the workspace.
template <class V, class U, class Use>
void for_each_stream(const CodedScratch<U>& at, std::size_t first, std::size_t size,
                     std::size_t components, Use use) {
  static_assert(bounded::most_components * stream_stride * sizeof(V) <= entropy::workspace_size);
  V* const streams = static_cast<V*>(at.workspace());
  for (std::size_t k = 0; k < std::min(components, size); ++k) {
    use(k, first / components, values_of_component(size, components, k),
        reinterpret_cast<std::byte*>(streams + k * stream_stride));
  }
}

template <class Change, class U>
bool load_components(const Change& change, std::size_t values, Source& source,
                     std::size_t components, const CodedScratch<U>& at) {
  using V = IntegerOf<typename Change::V>;
  const auto load_round = [&](std::size_t first, std::size_t size) {
    bool fit = true;
    take_apart(source, first, size, components, static_cast<V*>(at.workspace()));
    for_each_stream<V>(at, first, size, components,
                       [&](std::size_t k, std::size_t to, std::size_t count, std::byte* stream) {
                         fit = fit && change.load(stream, count, at.integers(k) + to);
                       });
    return fit ? Error::none : Error::bad_parameter;
  };
  return for_each_round(values, components, load_round) == Error::none;
}

template <class Change, class U>
void store_components(const Change& change, const CodedScratch<U>& at, std::size_t components,
                      const Target& target) {
  using V = IntegerOf<typename Change::V>;
  const std::span<std::byte> values = target.values();
  const auto store_round = [&](std::size_t first, std::size_t size) {
    for_each_stream<V>(at, first, size, components,
                       [&](std::size_t k, std::size_t from, std::size_t count, std::byte* stream) {
                         change.store(at.integers(k) + from, count, stream);
                       });
    put_together(static_cast<const V*>(at.workspace()), size, components,
                 values.data() + first * sizeof(V));
    target.finish(first, size);
    return Error::none;
  };
  static_cast<void>(for_each_round(values.size() / sizeof(V), components, store_round));
}

template <class Change, class U>
bool load_all(const exact::Header& header, const Change& change, Source& source,
              const CodedScratch<U>& at) {
  return header.components == 1
             ? load_integers(change, header.count, source, at)
             : load_components(change, header.count, source, header.components, at);
}

template <class Change>
Result encode_coded(const exact::Header& header, const Change& change, Source& source,
                    std::span<std::byte> scratch, std::span<std::byte> body) {
  const CodedScratch<typename Change::U> at(scratch, header.count, header.components,
                                            header.rows.apart());
  if (!load_all(header, change, source, at)) return {Error::bad_parameter, 0};
  std::size_t written = 0;
  for (std::size_t k = 0; k < header.components; ++k) {
    const std::size_t size =
        encode_integers<typename Change::U>(at.of(k), at.workspace(), body.subspan(written));
    if (size == 0) return {Error::output_too_small, 0};
    written += size;
  }
  return {Error::none, written};
}

template <class Change>
Result decode_coded(const exact::Header& header, const Change& change,
                    std::span<const std::byte> body, std::span<std::byte> scratch,
                    const Target& target) {
  constexpr std::size_t size = sizeof(typename Change::V);
  const CodedScratch<typename Change::U> at(scratch, header.count, header.components,
                                            header.rows.apart());
  const bool one = header.components == 1;
  const auto put = [&](std::size_t first, std::size_t count) {
    if (!one) return;
    change.store(at.integers(0) + first, count, target.values().data() + first * size);
    target.finish(first, count);
  };
  const auto no_gaps = [](std::size_t, std::size_t, GapMasks&) { return true; };
  for (std::size_t k = 0; k < header.components; ++k) {
    const bool good = decode_integers<typename Change::U>(body, at.count(k), at.workspace(),
                                                          at.of(k), no_gaps, put);
    if (!good) return {Error::damaged, 0};
  }
  if (!body.empty()) return {Error::damaged, 0};
  if (!one) store_components(change, at, header.components, target);
  return {Error::none, target.values().size()};
}

// A bit for each value that is the one before it.
template <class U>
void mark_repeats(const U* q, std::size_t count, std::uint16_t* masks) {
  for (std::size_t first = 0; first < count; first += block_values) {
    unsigned mask = 0;
    for (std::size_t i = first; i < std::min(first + block_values, count); ++i) {
      mask |= unsigned{q[i] == *(q + i - 1)} << (i - first);
    }
    masks[first / block_values] = static_cast<std::uint16_t>(mask);
  }
}

template <class Change>
double estimate_coded(const exact::Header& header, const Change& change, Source& source,
                      exact::Counted counted, std::span<std::byte> scratch) {
  using U = typename Change::U;
  const CodedScratch<U> at(scratch, header.count, header.components, header.rows.apart());
  if (!load_all(header, change, source, at)) return std::numeric_limits<double>::infinity();
  double bits = 0;
  for (std::size_t k = 0; k < header.components; ++k) {
    const Integers<U> part = at.of(k);
    GapMasks gaps = nullptr;
    if (counted == exact::Counted::told) {
      mark_repeats(part.q, part.count, at.gaps());
      gaps = at.gaps();
    }
    auto* const chooser =
        new (at.workspace()) DifferencesChooser<U>(part.q, part.count, part.apart, gaps);
    static_cast<void>(chooser->best());
    bits += chooser->bits_of_value() * static_cast<double>(part.count);
  }
  return bits / static_cast<double>(header.count);
}

// Calls run with what the transform makes of values, or of what time leaves of them.
template <class Run>
auto with_change(const exact::Header& header, const exact::Transform& transform, Run run) {
  return with_type(type_of_rest(header.type, transform),
                   [&](auto zero) { return with_transform<decltype(zero)>(transform, run); });
}

inline Result coded_encode(const exact::Header& header, const exact::Transform& transform,
                           std::span<const std::byte> values, std::span<std::byte> scratch,
                           std::span<std::byte> body) {
  Source source(header.type, transform, values);
  return with_change(header, transform, [&](const auto& change) {
    return encode_coded(header, change, source, scratch, body);
  });
}

inline double coded_estimate(const exact::Header& header, const exact::Transform& transform,
                             std::span<const std::byte> values, exact::Counted counted,
                             std::span<std::byte> scratch) {
  Source source(header.type, transform, values);
  return with_change(header, transform, [&](const auto& change) {
    return estimate_coded(header, change, source, counted, scratch);
  });
}

inline Result coded_decode(const exact::Header& header, const exact::Transform& transform,
                           std::span<const std::byte> body, std::span<std::byte> scratch,
                           std::span<std::byte> values) {
  const Target target(header.type, transform, values);
  return with_change(header, transform, [&](const auto& change) {
    return decode_coded(header, change, body, scratch, target);
  });
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
