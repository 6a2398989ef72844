#include "policy/cost/tree.h"

#include <algorithm>
#include <bit>
#include <cstdint>
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

enum class Shape : std::uint8_t { binomial, chain, binary };

// In transfers of a chunk.
struct TreeTimes {
  TreeTimes(int ranks, const HandedOn& message)
      : chain((ranks - 2) * (1 + message.pause) + in_turns(1, message)),
        binary((std::bit_width(static_cast<unsigned>(ranks)) - 2) * (2 + message.pause) +
               in_turns(2, message)),
        binomial(message.chunks == 1 ? rounds(ranks) * (1 + message.pause) : never) {}
  [[nodiscard]] Shape best() const {
    if (binomial <= std::min(chain, binary)) return Shape::binomial;
    return chain <= binary ? Shape::chain : Shape::binary;
  }
  [[nodiscard]] double of(Shape shape) const {
    if (shape == Shape::binomial) return binomial;
    return shape == Shape::chain ? chain : binary;
  }

  // All chunks across a link, over which each goes so many times.
  static double in_turns(double transfers, const HandedOn& message) {
    return transfers +
           (static_cast<double>(message.chunks) - 1) * std::max(transfers, message.work);
  }

  static constexpr double never = std::numeric_limits<double>::infinity();

  double chain;
  double binary;
  double binomial;
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

Tree best_tree(int rank, int root, int ranks, const HandedOn& message) {
  const Shape best = TreeTimes(ranks, message).best();
  if (best == Shape::binomial) return binomial(rank, root, ranks);
  return best == Shape::chain ? chain(rank, root, ranks) : binary(rank, root, ranks);
}

Tree tree_over_hosts(const HostPlace& own, const HostPlace& root,
                     const std::vector<std::vector<int>>& hosts, const HandedOn& message) {
  // Of a host, the rank that the message comes to, by its number there.
  const auto first_on = [&](int host) { return host == root.host ? root.local : 0; };
  const auto rank_at = [&](int host, int local) {
    return hosts[static_cast<std::size_t>(host)][static_cast<std::size_t>(local)];
  };
  const auto locals = static_cast<int>(hosts[static_cast<std::size_t>(own.host)].size());
  const Tree inside = binary(own.local, first_on(own.host), locals);
  Tree tree;
  if (own.local == first_on(own.host)) {
    tree = best_tree(own.host, root.host, static_cast<int>(hosts.size()), message);
    if (tree.parent >= 0) tree.parent = rank_at(tree.parent, first_on(tree.parent));
    for (int& child : tree.children) child = rank_at(child, first_on(child));
  } else {
    tree.parent = rank_at(own.host, inside.parent);
  }
  for (const int child : inside.children) tree.children.push_back(rank_at(own.host, child));
  return tree;
}

double transfers_along_tree(int ranks, const HandedOn& message) {
  const TreeTimes times(ranks, message);
  return times.of(times.best()) / static_cast<double>(message.chunks);
}

double transfers_of_links_along_tree(int ranks, const HandedOn& message) {
  HandedOn by_links = message;
  by_links.work = 0;
  const Shape taken = TreeTimes(ranks, message).best();
  return TreeTimes(ranks, by_links).of(taken) / static_cast<double>(message.chunks);
}

}  // namespace tightwire::policy
