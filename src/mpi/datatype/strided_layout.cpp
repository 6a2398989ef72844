#include "mpi/datatype/strided_layout.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace tightwire::mpi {

// A loop has a count and one part, whose offset is 0; a sequence has several parts and no count.
struct StridedLayout::Node {
  std::size_t count = 0;
  std::ptrdiff_t stride = 0;
  std::vector<StridedLayout> parts;
  std::vector<std::size_t> ends;  // of a sequence: of each part in the packed bytes
  std::size_t depth = 1;
  std::size_t all_parts = 0;
  std::uint64_t fingerprint = 0;
  std::ptrdiff_t lowest = 0;  // counted from the first byte
  std::ptrdiff_t end = 0;

  [[nodiscard]] bool is_loop() const { return count != 0; }
};

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t with) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
  hash = (hash ^ with) * odd;
  return hash ^ (hash >> 32);
}

// An address as a number: what it is counted from may be null, or far from any memory of ours.
std::byte* address(std::uintptr_t place) {
  return reinterpret_cast<std::byte*>(place);  // NOLINT(performance-no-int-to-ptr)
}

std::uintptr_t shifted(std::uintptr_t place, std::ptrdiff_t bytes) {
  return place + static_cast<std::uintptr_t>(bytes);
}

std::ptrdiff_t product(std::size_t count, std::ptrdiff_t stride) {
  return static_cast<std::ptrdiff_t>(count) * stride;
}

}  // namespace

StridedLayout StridedLayout::of(std::ptrdiff_t offset, std::size_t size, Node node) {
  node.fingerprint = mixed(node.count, static_cast<std::uint64_t>(node.stride));
  for (const StridedLayout& part : node.parts) {
    node.depth = std::max(node.depth, part.depth() + 1);
    node.all_parts += part.parts() + (node.is_loop() ? 0 : 1);
    node.fingerprint = mixed(node.fingerprint, static_cast<std::uint64_t>(part.offset_));
    node.fingerprint = mixed(node.fingerprint, part.fingerprint());
    const std::ptrdiff_t last = node.is_loop() ? product(node.count - 1, node.stride) : 0;
    node.lowest = std::min(node.lowest, part.lowest() + std::min<std::ptrdiff_t>(last, 0));
    node.end = std::max(node.end, part.end() + std::max<std::ptrdiff_t>(last, 0));
  }
  StridedLayout made;
  made.offset_ = offset;
  made.size_ = size;
  made.node_ = std::make_shared<const Node>(std::move(node));
  return made;
}

StridedLayout StridedLayout::run(std::size_t bytes) {
  StridedLayout made;
  made.size_ = bytes;
  return made;
}

StridedLayout StridedLayout::moved(std::ptrdiff_t bytes) const {
  StridedLayout made = *this;
  if (size_ > 0) made.offset_ += bytes;
  return made;
}

StridedLayout StridedLayout::repeated(std::size_t count, std::ptrdiff_t stride) const {
  if (count == 0 || size_ == 0) return {};
  if (count == 1) return *this;
  if (!node_ && stride == static_cast<std::ptrdiff_t>(size_)) {
    return run(count * size_).moved(offset_);
  }
  Node loop;
  loop.count = count;
  loop.stride = stride;
  if (node_ && node_->is_loop() && stride == product(node_->count, node_->stride)) {
    loop.count *= node_->count;
    loop.stride = node_->stride;
    loop.parts = node_->parts;
  } else {
    loop.parts = {moved(-offset_)};
  }
  return of(offset_, count * size_, std::move(loop));
}

StridedLayout StridedLayout::sequence(std::vector<StridedLayout> parts) {
  std::vector<StridedLayout> kept;
  kept.reserve(parts.size());
  for (StridedLayout& part : parts) {
    if (part.size_ == 0) continue;
    StridedLayout* const last = kept.empty() ? nullptr : &kept.back();
    const bool adjacent = last != nullptr && !last->node_ && !part.node_ &&
                          part.offset_ == last->offset_ + static_cast<std::ptrdiff_t>(last->size_);
    if (adjacent) {
      last->size_ += part.size_;
    } else {
      kept.push_back(std::move(part));
    }
  }
  if (kept.empty()) return {};
  const StridedLayout& first = kept.front();
  if (kept.size() == 1) return first;
  const std::ptrdiff_t stride = kept[1].offset_ - first.offset_;
  std::ptrdiff_t next = first.offset_;
  const bool even = std::ranges::all_of(kept, [&](const StridedLayout& part) {
    const bool fits = !part.node_ && part.size_ == first.size_ && part.offset_ == next;
    next += stride;
    return fits;
  });
  if (even) return first.repeated(kept.size(), stride);
  Node node;
  std::size_t size = 0;
  const std::ptrdiff_t begin = first.offset_;
  for (StridedLayout& part : kept) {
    size += part.size_;
    part.offset_ -= begin;
    node.ends.push_back(size);
  }
  node.parts = std::move(kept);
  return of(begin, size, std::move(node));
}

std::optional<std::ptrdiff_t> StridedLayout::single_run() const {
  return node_ ? std::nullopt : std::optional(offset_);
}

std::ptrdiff_t StridedLayout::lowest() const {
  return offset_ + (node_ ? node_->lowest : 0);
}

std::ptrdiff_t StridedLayout::end() const {
  return offset_ + (node_ ? node_->end : static_cast<std::ptrdiff_t>(size_));
}

std::size_t StridedLayout::depth() const {
  return node_ ? node_->depth : 0;
}

std::size_t StridedLayout::parts() const {
  return node_ ? node_->all_parts : 0;
}

std::uint64_t StridedLayout::fingerprint() const {
  return node_ ? node_->fingerprint : mixed(0, size_);
}

// Byte is const where packed bytes go to memory.
template <class Byte>
struct StridedLayout::Copy {
  static constexpr bool packing = !std::is_const_v<Byte>;

  Byte* packed;  // moves on

  static void move(std::uintptr_t place, Byte* packed, std::size_t size) {
    if constexpr (packing) {
      std::memcpy(packed, address(place), size);
    } else {
      std::memcpy(address(place), packed, size);
    }
  }

  // The packed bytes [begin, end) of a layout at `base`.
  void range(const StridedLayout& layout, std::uintptr_t base, std::size_t begin, std::size_t end) {
    base = shifted(base, layout.offset_);
    if (!layout.node_) {
      move(base + begin, packed, end - begin);
      packed += end - begin;
    } else if (layout.node_->is_loop()) {
      loop(*layout.node_, base, begin, end);
    } else {
      sequence(*layout.node_, base, begin, end);
    }
  }

  void loop(const Node& node, std::uintptr_t base, std::size_t begin, std::size_t end) {
    const StridedLayout& part = node.parts.front();
    std::size_t i = begin / part.size_;
    const auto place = [&] { return shifted(base, product(i, node.stride)); };
    if (const std::size_t in = begin % part.size_; in != 0) {
      range(part, place(), in, std::min(part.size_, in + (end - begin)));
      ++i;
    }
    if (i * part.size_ >= end) return;
    const std::size_t whole = end / part.size_ - i;
    whole_parts(node, place(), whole);
    i += whole;
    if (i * part.size_ < end) range(part, place(), 0, end - i * part.size_);
  }

  void whole_parts(const Node& node, std::uintptr_t base, std::size_t count) {
    const StridedLayout& part = node.parts.front();
    if (part.node_) {
      for (; count > 0; --count, base = shifted(base, node.stride))
        range(part, base, 0, part.size_);
      return;
    }
    // Copying is quick where the compiler knows how much.
    switch (part.size_) {
      case 1:
        return runs<1>(node, base, count);
      case 2:
        return runs<2>(node, base, count);
      case 4:
        return runs<4>(node, base, count);
      case 8:
        return runs<8>(node, base, count);
      case 12:
        return runs<12>(node, base, count);
      case 16:
        return runs<16>(node, base, count);
      case 24:
        return runs<24>(node, base, count);
      case 32:
        return runs<32>(node, base, count);
      case 64:
        return runs<64>(node, base, count);
      default:
        return runs<0>(node, base, count);
    }
  }

  template <std::size_t known>
  void runs(const Node& node, std::uintptr_t base, std::size_t count) {
    const std::size_t size = known != 0 ? known : node.parts.front().size_;
    const std::ptrdiff_t stride = node.stride;
    Byte* at = packed;
    for (; count > 0; --count, base = shifted(base, stride), at += size) move(base, at, size);
    packed = at;
  }

  void sequence(const Node& node, std::uintptr_t base, std::size_t begin, std::size_t end) {
    auto i =
        static_cast<std::size_t>(std::ranges::upper_bound(node.ends, begin) - node.ends.begin());
    while (begin < end) {
      const StridedLayout& part = node.parts[i];
      const std::size_t start = node.ends[i] - part.size_;
      const std::size_t stop = std::min(end, node.ends[i]);
      range(part, base, begin - start, stop - start);
      begin = stop;
      ++i;
    }
  }
};

void StridedLayout::pack(const void* base, std::size_t begin, std::span<std::byte> packed) const {
  if (packed.empty()) return;
  Copy<std::byte>{packed.data()}.range(*this, reinterpret_cast<std::uintptr_t>(base), begin,
                                       begin + packed.size());
}

void StridedLayout::unpack(std::span<const std::byte> packed, std::size_t begin, void* base) const {
  if (packed.empty()) return;
  Copy<const std::byte>{packed.data()}.range(*this, reinterpret_cast<std::uintptr_t>(base), begin,
                                             begin + packed.size());
}

void StridedLayout::visit_runs(
    const std::function<void(std::ptrdiff_t, std::size_t)>& visit) const {
  if (size_ == 0) return;
  if (!node_) return visit(offset_, size_);
  const std::size_t rounds = node_->is_loop() ? node_->count : 1;
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::ptrdiff_t base = offset_ + product(i, node_->stride);
    for (const StridedLayout& part : node_->parts) part.moved(base).visit_runs(visit);
  }
}

}  // namespace tightwire::mpi
