#include "codec/entropy/huffman.h"

#include <algorithm>
#include <cstring>

namespace tightwire::codec::entropy {
namespace {

// How many codes there are of each length.
using PerLength = std::array<std::uint32_t, 64>;

struct Leaf {
  std::uint32_t count;
  std::uint32_t token;
};

struct Leaves {
  std::array<Leaf, most_tokens> leaf;  // rarest first
  std::size_t size = 0;
};

Leaves sorted_leaves(const Counts& counts) {
  Leaves leaves;
  // Both in one number, which sorts fastest.
  std::array<std::uint64_t, most_tokens> keys;
  for (std::uint32_t t = 0; t < most_tokens; ++t) {
    keys[leaves.size] = std::uint64_t{counts[t]} << 32 | t;
    leaves.size += counts[t] != 0;
  }
  std::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(leaves.size));
  for (std::size_t i = 0; i < leaves.size; ++i) {
    leaves.leaf[i] = {static_cast<std::uint32_t>(keys[i] >> 32),
                      static_cast<std::uint32_t>(keys[i])};
  }
  return leaves;
}

// Merges the two rarest nodes until one is left. Merged nodes appear in order of their counts, so
// that two queues do for a heap.
PerLength optimal_lengths(const Leaves& leaves) {
  std::array<std::uint32_t, 2 * most_tokens> weight{};
  std::array<std::uint32_t, 2 * most_tokens> parent{};
  const std::size_t n = leaves.size;
  for (std::size_t i = 0; i < n; ++i) weight[i] = leaves.leaf[i].count;
  std::size_t leaf = 0;
  std::size_t merged = n;
  const std::size_t root = 2 * n - 2;
  for (std::size_t node = n; node <= root; ++node) {
    for (int child = 0; child < 2; ++child) {
      const bool take_leaf = leaf < n && (merged == node || weight[leaf] <= weight[merged]);
      const std::size_t taken = take_leaf ? leaf++ : merged++;
      weight[node] += weight[taken];
      parent[taken] = static_cast<std::uint32_t>(node);
    }
  }
  std::array<std::uint8_t, 2 * most_tokens> depth{};
  PerLength per_length{};
  for (std::size_t node = root; node-- > 0;) {
    depth[node] = static_cast<std::uint8_t>(depth[parent[node]] + 1);
    if (node < n) ++per_length[std::min<std::size_t>(depth[node], per_length.size() - 1)];
  }
  return per_length;
}

// Shortens what is too long, and lengthens others until all fit again.
void limit_lengths(PerLength& per_length) {
  for (std::size_t l = longest_code + 1; l < per_length.size(); ++l) {
    per_length[longest_code] += per_length[l];
    per_length[l] = 0;
  }
  std::uint32_t taken = 0;
  for (unsigned l = 1; l <= longest_code; ++l) taken += per_length[l] << (longest_code - l);
  for (; taken > 1u << longest_code; --taken) {
    --per_length[longest_code];
    unsigned l = longest_code - 1;
    while (per_length[l] == 0) --l;
    --per_length[l];
    per_length[l + 1] += 2;
  }
}

unsigned reversed(unsigned bits, unsigned length) {
  bits = (bits & 0x5555) << 1 | (bits >> 1 & 0x5555);
  bits = (bits & 0x3333) << 2 | (bits >> 2 & 0x3333);
  bits = (bits & 0x0f0f) << 4 | (bits >> 4 & 0x0f0f);
  bits = (bits & 0x00ff) << 8 | bits >> 8;
  return bits >> (16 - length);
}

// Half bytes, one after the other.
class HalfBytes {
 public:
  explicit HalfBytes(std::byte* out) : out_(out) {}
  void put(unsigned half) {
    if (size_ % 2 == 0) out_[size_ / 2] = std::byte{0};
    out_[size_ / 2] |= std::byte(half << size_ % 2 * 4);
    ++size_;
  }
  [[nodiscard]] std::size_t bytes() const { return (size_ + 1) / 2; }

 private:
  std::byte* out_;
  std::size_t size_ = 0;
};

constexpr std::size_t longest_gap = 16;

}  // namespace

Lengths code_lengths(const Counts& counts) {
  const Leaves leaves = sorted_leaves(counts);
  Lengths lengths{};
  if (leaves.size == 0) return lengths;
  if (leaves.size == 1) {
    lengths[leaves.leaf[0].token] = 1;
    return lengths;
  }
  PerLength per_length = optimal_lengths(leaves);
  limit_lengths(per_length);
  std::size_t next = 0;  // the rarest get the longest
  for (unsigned l = longest_code; l >= 1; --l) {
    for (std::uint32_t i = 0; i < per_length[l]; ++i) {
      lengths[leaves.leaf[next++].token] = static_cast<std::uint8_t>(l);
    }
  }
  return lengths;
}

bool codes_of(const Lengths& lengths, Codes& codes) {
  PerLength per_length{};
  for (const std::uint8_t length : lengths) ++per_length[length];
  codes = {};
  if (per_length[0] + 1 == most_tokens) return per_length[1] == 1;  // one alone: no bits
  std::array<std::uint32_t, longest_code + 2> next{};
  for (unsigned l = 1; l <= longest_code; ++l) next[l + 1] = (next[l] + per_length[l]) << 1;
  if (next[longest_code + 1] != 2u << longest_code) return false;
  for (std::size_t t = 0; t < most_tokens; ++t) {
    const unsigned length = lengths[t];
    if (length == 0) continue;
    codes[t] = {static_cast<std::uint16_t>(reversed(next[length]++, length)), lengths[t]};
  }
  return true;
}

std::size_t write_lengths(const Lengths& lengths, std::byte* out) {
  std::size_t tokens = most_tokens;
  while (tokens > 0 && lengths[tokens - 1] == 0) --tokens;
  const auto stated = static_cast<std::uint16_t>(tokens);
  std::memcpy(out, &stated, sizeof stated);
  HalfBytes halves(out + sizeof stated);
  for (std::size_t t = 0; t < tokens; ++t) {
    halves.put(lengths[t]);
    if (lengths[t] != 0) continue;
    std::size_t more = 0;
    while (more + 1 < longest_gap && lengths[t + more + 1] == 0) ++more;
    halves.put(static_cast<unsigned>(more));
    t += more;
  }
  return sizeof stated + halves.bytes();
}

std::size_t read_lengths(std::span<const std::byte> in, Lengths& lengths) {
  lengths = {};
  std::uint16_t tokens = 0;
  if (in.size() < sizeof tokens) return 0;
  std::memcpy(&tokens, in.data(), sizeof tokens);
  if (tokens > most_tokens) return 0;
  std::size_t at = 2 * sizeof tokens;  // in half bytes
  const std::size_t end = 2 * in.size();
  const auto next = [&] {
    const unsigned half = static_cast<unsigned>(in[at / 2]) >> at % 2 * 4 & 15;
    ++at;
    return half;
  };
  for (std::size_t t = 0; t < tokens; ++t) {
    if (at >= end) return 0;
    const unsigned length = next();
    if (length > longest_code) return 0;
    lengths[t] = static_cast<std::uint8_t>(length);
    if (length != 0) continue;
    if (at >= end) return 0;
    t += next();
  }
  if (at % 2 != 0 && next() != 0) return 0;
  return at / 2;
}

}  // namespace tightwire::codec::entropy
