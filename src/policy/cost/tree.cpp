#include "policy/cost/tree.h"

#include <algorithm>
#include <bit>
#include <limits>

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

// In transfers of a chunk.
struct TreeTimes {
  TreeTimes(int ranks, std::size_t chunks)
      : chain(static_cast<std::size_t>(ranks) - 2 + chunks),
        binary(2 * (std::bit_width(static_cast<unsigned>(ranks)) - 2 + chunks)),
        binomial(chunks == 1 ? static_cast<std::size_t>(rounds(ranks)) : never) {}
  [[nodiscard]] std::size_t best() const { return std::min({chain, binary, binomial}); }

  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  std::size_t chain;
  std::size_t binary;
  std::size_t binomial;
};

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
  tree.in_turn = true;
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
  const TreeTimes times(ranks, chunks);
  if (times.best() == times.binomial) return binomial(rank, root, ranks);
  return times.best() == times.chain ? chain(rank, root, ranks) : binary(rank, root, ranks);
}

Tree tree_over_hosts(int rank, int root, const std::vector<std::vector<int>>& hosts,
                     std::size_t chunks) {
  const auto place_of = [](int wanted, const std::vector<int>& ranks) {
    return std::ranges::find(ranks, wanted) - ranks.begin();
  };
  const auto host_of = [&](int wanted) {
    return std::ranges::find_if(hosts,
                                [&](const std::vector<int>& ranks) {
                                  return std::ranges::find(ranks, wanted) != ranks.end();
                                }) -
           hosts.begin();
  };
  const auto root_host = static_cast<int>(host_of(root));
  const auto first_of = [&](int host) {
    return host == root_host ? root : hosts[static_cast<std::size_t>(host)].front();
  };
  const auto host = static_cast<int>(host_of(rank));
  const std::vector<int>& here = hosts[static_cast<std::size_t>(host)];
  const auto first = static_cast<int>(place_of(first_of(host), here));
  const auto own = static_cast<int>(place_of(rank, here));
  const Tree inside = binary(own, first, static_cast<int>(here.size()));
  Tree tree;
  if (own == first) {
    tree = best_tree(host, root_host, static_cast<int>(hosts.size()), chunks);
    if (tree.parent >= 0) tree.parent = first_of(tree.parent);
    for (int& child : tree.children) child = first_of(child);
  } else {
    tree.parent = here[static_cast<std::size_t>(inside.parent)];
  }
  for (const int child : inside.children) {
    tree.children.push_back(here[static_cast<std::size_t>(child)]);
  }
  return tree;
}

double transfers_along_tree(int ranks, std::size_t chunks) {
  return static_cast<double>(TreeTimes(ranks, chunks).best()) / static_cast<double>(chunks);
}

}  // namespace tightwire::policy
