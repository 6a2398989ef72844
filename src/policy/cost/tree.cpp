#include "policy/cost/tree.h"

#include <algorithm>
#include <bit>

namespace tightwire::policy {
namespace {

// Trees are drawn with the root as rank 0, then turned.
int turned(int relative, int root, int ranks) {
  return (relative + root) % ranks;
}
int relative_to(int rank, int root, int ranks) {
  return (rank - root + ranks) % ranks;
}

int rounds(int ranks) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)));
}

}  // namespace

Tree chain(int rank, int root, int ranks) {
  Tree tree;
  const int place = relative_to(rank, root, ranks);
  if (place > 0) tree.parent = turned(place - 1, root, ranks);
  if (place + 1 < ranks) tree.children.push_back(turned(place + 1, root, ranks));
  return tree;
}

Tree binary(int rank, int root, int ranks) {
  Tree tree;
  const int place = relative_to(rank, root, ranks);
  if (place > 0) tree.parent = turned((place - 1) / 2, root, ranks);
  for (const int child : {2 * place + 1, 2 * place + 2}) {
    if (child < ranks) tree.children.push_back(turned(child, root, ranks));
  }
  return tree;
}

Tree binomial(int rank, int root, int ranks) {
  Tree tree;
  const int place = relative_to(rank, root, ranks);
  int lowest = 1 << rounds(ranks);
  if (place > 0) {
    lowest = place & -place;
    tree.parent = turned(place - lowest, root, ranks);
  }
  // The largest subtree first: it has the longest way to go.
  for (int step = lowest >> 1; step > 0; step >>= 1) {
    if (place + step < ranks) tree.children.push_back(turned(place + step, root, ranks));
  }
  return tree;
}

Tree best_tree(int rank, int root, int ranks, std::size_t chunks) {
  const auto n = static_cast<std::size_t>(ranks);
  const auto depth = static_cast<std::size_t>(rounds(ranks));
  const std::size_t chain_time = n - 2 + chunks;
  const std::size_t binary_time = 2 * (std::bit_width(n) - 2 + chunks);
  const std::size_t binomial_time = depth * chunks;
  const std::size_t best = std::min({chain_time, binary_time, binomial_time});
  if (best == binomial_time) return binomial(rank, root, ranks);
  return best == chain_time ? chain(rank, root, ranks) : binary(rank, root, ranks);
}

}  // namespace tightwire::policy
