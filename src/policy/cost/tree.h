// Trees for moving one message from a root to all ranks, and the choice among them.
#pragma once

#include <cstddef>
#include <vector>

namespace tightwire::policy {

// This rank's place in a tree. Ranks are those of the communicator.
struct Tree {
  int parent = -1;  // -1 at the root
  std::vector<int> children;
  // The deepest subtree comes first: each child gets the whole link in its turn, not a share of it.
  // Of a message in one chunk: several would overtake each other.
  bool in_turn = false;
};

// Every rank hands on to the next: each link carries the message once.
[[nodiscard]] Tree chain(int rank, int root, int ranks);

// Two children each: depth log2(ranks), each rank sends twice.
[[nodiscard]] Tree binary(int rank, int root, int ranks);

// Halving: the fewest rounds, but the root sends log2(ranks) times, in turn.
[[nodiscard]] Tree binomial(int rank, int root, int ranks);

// Two binary trees of all but the root, which gives each its turn; subtrees are of neighbours. What
// is a leaf in one hands on in the other, so that each rank sends every chunk once, not twice: in
// the second places are counted from the other end, or where that would change nothing by one on
// (Sanders, Speck, Traeff 2009).
[[nodiscard]] std::vector<Tree> two_binary(int rank, int root, int ranks);

// A message as a tree sees it.
struct HandedOn {
  std::size_t chunks = 1;  // equal ones
  // How long a chunk stays with a rank before it leaves again, in transfers of a chunk.
  double pause = 0;
  // How long a rank is at work on a chunk, in the same: no faster does one follow another.
  double work = 0;
  // How many go to a child of one of two trees before a chunk of the next child: they share a link.
  double at_once = 1;
};

// What takes the least time. In transfers of one chunk: chain
// (ranks - 2) (1 + pause) + 1 + (chunks - 1) max(1, work); binary
// (depth - 1) (2 + pause) + 2 + (chunks - 1) max(2, work); two binary trees
// 1.25 ((levels - 1) (2 at_once + pause) + 1 + (chunks - 1) max(1, work)), where the root is on
// none of the levels; binomial, of one chunk, ceil(log2 ranks) (1 + pause).
[[nodiscard]] std::vector<Tree> best_trees(int rank, int root, int ranks, const HandedOn& message);

// Which host a rank is on, and its number among the ranks there.
struct HostPlace {
  int host = 0;
  int local = 0;
};

// Where several ranks share each host, `hosts`: the message goes along the best trees over hosts,
// of one rank each, and from there, last in turn, to the others of the host by memory, along a
// binary one.
[[nodiscard]] std::vector<Tree> trees_over_hosts(const HostPlace& own, const HostPlace& root,
                                                 const std::vector<std::vector<int>>& hosts,
                                                 const HandedOn& message);
// How long it takes along the best trees until the last rank has it, in transfers of the whole
// message.
[[nodiscard]] double transfers_along_tree(int ranks, const HandedOn& message);
// The same of the links alone, where no rank is at work.
[[nodiscard]] double transfers_of_links_along_tree(int ranks, const HandedOn& message);

}  // namespace tightwire::policy
