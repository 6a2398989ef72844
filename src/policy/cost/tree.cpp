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

enum class Shape : std::uint8_t { binomial, chain, two_binary, binary };

// In transfers of a chunk.
class TreeTimes {
 public:
  TreeTimes(int ranks, const HandedOn& message)
      : chain_((ranks - 2) * (1 + message.pause) + in_turns(1, message)),
        binary_((levels(ranks) - 2) * (2 + message.pause) + in_turns(2, message)),
        two_binary_(ranks < 3 ? never : of_two(levels(ranks - 1), message)),
        binomial_(message.chunks == 1 ? rounds(ranks) * (1 + message.pause) : never) {}
  [[nodiscard]] Shape best() const {
    if (binomial_ <= std::min({chain_, binary_, two_binary_})) return Shape::binomial;
    if (chain_ <= std::min(binary_, two_binary_)) return Shape::chain;
    return binary_ <= two_binary_ ? Shape::binary : Shape::two_binary;
  }
  [[nodiscard]] double of(Shape shape) const {
    if (shape == Shape::binomial) return binomial_;
    if (shape == Shape::chain) return chain_;
    return shape == Shape::binary ? binary_ : two_binary_;
  }

 private:
  // Of a binary tree, its root the first one.
  static int levels(int ranks) { return std::bit_width(static_cast<unsigned>(ranks)); }
  // Two trees keep a rank waiting for two others, and cross a network above its hosts more often
  // than a chain, which not all of them carry at the speed of one link.
  static double of_two(int levels, const HandedOn& message) {
    constexpr double by_simulation = 1.25;
    return by_simulation *
           ((levels - 1) * (2 * message.at_once + message.pause) + in_turns(1, message));
  }
  // All chunks across a link, over which each goes so many times.
  static double in_turns(double transfers, const HandedOn& message) {
    return transfers +
           (static_cast<double>(message.chunks) - 1) * std::max(transfers, message.work);
  }

  static constexpr double never = std::numeric_limits<double>::infinity();

  double chain_;
  double binary_;
  double two_binary_;
  double binomial_;
};

// A binary tree of places 1 to `last` in which each subtree is of neighbours: odd places are
// leaves, and the others have subtrees on both sides, as large as the lowest power of two in their
// number. Place 0, above it, is the message's root.
Tree in_order(int place, int last) {
  const int power = place & -place;
  const int other_side = (place & (2 * power)) == 0 ? place + power : place - power;
  Tree tree;
  tree.parent = other_side <= last ? other_side : place - power;
  if (power > 1) tree.children.push_back(place - power / 2);
  int right = power / 2;
  while (place + right > last) right /= 2;
  if (right > 0) tree.children.push_back(place + right);
  return tree;
}

template <class RankAt>
Tree with_ranks(Tree places, RankAt rank_at) {
  places.parent = rank_at(places.parent);
  for (int& child : places.children) child = rank_at(child);
  return places;
}

// The topmost place of it.
int top_of(int last) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(last)));
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

std::vector<Tree> two_binary(int rank, int root, int ranks) {
  const int last = ranks - 1;
  // By the place in the first tree, which is its own inverse where `last` is even.
  const auto second_place = [&](int first) {
    return last % 2 == 0 ? ranks - first : first % last + 1;
  };
  const auto first_place = [&](int second) {
    return last % 2 == 0 ? ranks - second : (second + last - 2) % last + 1;
  };
  const auto rank_in_first = [&](int place) { return turned(place, root, ranks); };
  const auto rank_in_second = [&](int place) {
    return place == 0 ? root : rank_in_first(first_place(place));
  };
  const int place = relative_to(rank, root, ranks);
  if (place == 0) {
    const int top = top_of(last);
    return {{-1, {rank_in_first(top)}}, {-1, {rank_in_second(top)}}};
  }
  return {with_ranks(in_order(place, last), rank_in_first),
          with_ranks(in_order(second_place(place), last), rank_in_second)};
}

std::vector<Tree> best_trees(int rank, int root, int ranks, const HandedOn& message) {
  switch (TreeTimes(ranks, message).best()) {
    case Shape::binomial:
      return {binomial(rank, root, ranks)};
    case Shape::chain:
      return {chain(rank, root, ranks)};
    case Shape::two_binary:
      return two_binary(rank, root, ranks);
    case Shape::binary:
      break;
  }
  return {binary(rank, root, ranks)};
}

std::vector<Tree> trees_over_hosts(const HostPlace& own, const HostPlace& root,
                                   const std::vector<std::vector<int>>& hosts,
                                   const HandedOn& message) {
  // Of a host, the rank that the message comes to, by its number there.
  const auto first_on = [&](int host) { return host == root.host ? root.local : 0; };
  const auto rank_at = [&](int host, int local) {
    return hosts[static_cast<std::size_t>(host)][static_cast<std::size_t>(local)];
  };
  const auto locals = static_cast<int>(hosts[static_cast<std::size_t>(own.host)].size());
  const Tree inside = binary(own.local, first_on(own.host), locals);
  std::vector<Tree> trees =
      best_trees(own.host, root.host, static_cast<int>(hosts.size()), message);
  for (Tree& tree : trees) {
    if (own.local == first_on(own.host)) {
      if (tree.parent >= 0) tree.parent = rank_at(tree.parent, first_on(tree.parent));
      for (int& child : tree.children) child = rank_at(child, first_on(child));
    } else {
      tree = {rank_at(own.host, inside.parent), {}};
    }
    for (const int child : inside.children) tree.children.push_back(rank_at(own.host, child));
  }
  return trees;
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
