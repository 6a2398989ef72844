#include "policy/cost/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace tightwire::policy {
namespace {

using Builder = std::function<Tree(int rank, int root, int ranks)>;
using TreesBuilder = std::function<std::vector<Tree>(int rank, int root, int ranks)>;

// The only tree there is.
Tree only(const std::vector<Tree>& trees) {
  EXPECT_EQ(trees.size(), 1U);
  return trees.front();
}

// Every rank is reached from the root exactly once, and parents and children agree.
void expect_spanning(const Builder& build, const char* name) {
  for (int ranks = 2; ranks <= 33; ++ranks) {
    for (const int root : {0, 1, ranks - 1}) {
      std::vector<Tree> trees;
      for (int rank = 0; rank < ranks; ++rank) trees.push_back(build(rank, root, ranks));
      std::vector<int> reached{root};
      for (std::size_t i = 0; i < reached.size(); ++i) {
        for (const int child : trees[static_cast<std::size_t>(reached[i])].children) {
          EXPECT_EQ(trees[static_cast<std::size_t>(child)].parent, reached[i]) << name;
          reached.push_back(child);
        }
        ASSERT_LE(reached.size(), static_cast<std::size_t>(ranks)) << name;
      }
      std::sort(reached.begin(), reached.end());
      for (int rank = 0; rank < ranks; ++rank) {
        ASSERT_EQ(reached[static_cast<std::size_t>(rank)], rank) << name << " " << ranks;
      }
      EXPECT_EQ(trees[static_cast<std::size_t>(root)].parent, -1) << name;
    }
  }
}

// The same of each tree, of which all ranks know alike how many there are.
void expect_all_spanning(const TreesBuilder& build, const char* name) {
  for (const std::size_t tree : {0, 1}) {
    expect_spanning(
        [&](int rank, int root, int ranks) {
          const std::vector<Tree> trees = build(rank, root, ranks);
          EXPECT_EQ(trees.size(), build(root, root, ranks).size()) << name;
          return trees[tree % trees.size()];
        },
        name);
  }
}

TEST(Tree, ReachesEveryRankOnce) {
  expect_spanning(chain, "chain");
  expect_spanning(binary, "binary");
  expect_spanning(binomial, "binomial");
  expect_all_spanning(two_binary, "two binary");
  for (const std::size_t chunks : {1, 8, 1000}) {
    expect_all_spanning(
        [&](int rank, int root, int n) { return best_trees(rank, root, n, {chunks}); }, "best");
  }
}

// So no link carries a chunk twice: half of the chunks go to two children each.
TEST(Tree, OfTwoBinaryEachRankHandsOnInOne) {
  for (int ranks = 3; ranks <= 33; ++ranks) {
    for (int rank = 1; rank < ranks; ++rank) {
      const std::vector<Tree> trees = two_binary(rank, 0, ranks);
      ASSERT_EQ(trees.size(), 2U);
      EXPECT_TRUE(trees[0].children.empty() || trees[1].children.empty()) << rank << " " << ranks;
      EXPECT_NE(trees[0].parent, trees[1].parent) << rank << " " << ranks;
    }
    for (const Tree& tree : two_binary(0, 0, ranks)) EXPECT_EQ(tree.children.size(), 1U);
  }
}

TEST(Tree, OneChunkGoesByTheFewestRounds) {
  const Tree best = only(best_trees(0, 0, 64, {1}));
  EXPECT_EQ(best.children, binomial(0, 0, 64).children);
  EXPECT_EQ(best.children.size(), 6U);
}

// Children of unlike depth share no link: the deepest subtree would wait for the others' data.
TEST(Tree, DeepestSubtreesComeFirstInTurn) {
  EXPECT_TRUE(binomial(0, 0, 8).in_turn);
  EXPECT_EQ(binomial(0, 0, 8).children, (std::vector{4, 2, 1}));
  EXPECT_FALSE(binary(0, 0, 8).in_turn);
}

// Ranks dealt to hosts in blocks, by turns, and unevenly.
std::vector<std::vector<std::vector<int>>> ways_to_place(int ranks) {
  std::vector<std::vector<int>> blocks(3);
  std::vector<std::vector<int>> by_turns(3);
  std::vector<std::vector<int>> uneven(2);
  for (int rank = 0; rank < ranks; ++rank) {
    blocks[static_cast<std::size_t>(3 * rank / ranks)].push_back(rank);
    by_turns[static_cast<std::size_t>(rank % 3)].push_back(rank);
    uneven[rank % 5 == 1 ? 1 : 0].push_back(rank);
  }
  std::vector<std::vector<std::vector<int>>> ways{blocks, by_turns, uneven};
  for (auto& hosts : ways) std::erase_if(hosts, [](const auto& host) { return host.empty(); });
  return ways;
}

std::vector<Tree> over_hosts(int rank, int root, const std::vector<std::vector<int>>& hosts,
                             std::size_t chunks) {
  const auto place_of = [&](int wanted) {
    HostPlace place;
    for (std::size_t host = 0; host < hosts.size(); ++host) {
      const auto found = std::ranges::find(hosts[host], wanted);
      if (found == hosts[host].end()) continue;
      place = {static_cast<int>(host), static_cast<int>(found - hosts[host].begin())};
    }
    return place;
  };
  return trees_over_hosts(place_of(rank), place_of(root), hosts, {chunks});
}

TEST(Tree, OverHostsReachesEveryRankOnce) {
  for (std::size_t way = 0; way < 3; ++way) {
    for (const std::size_t chunks : {1, 8, 1000}) {
      expect_all_spanning(
          [&](int rank, int root, int n) {
            return over_hosts(rank, root, ways_to_place(n)[way], chunks);
          },
          "over hosts");
    }
  }
}

TEST(Tree, ChunksDoNotOvertakeEachOther) {
  for (const auto& hosts : ways_to_place(24)) {
    for (int rank = 0; rank < 24; ++rank) {
      for (const Tree& tree : over_hosts(rank, 0, hosts, 8)) EXPECT_FALSE(tree.in_turn);
    }
  }
  for (int ranks = 2; ranks < 100; ++ranks) {
    for (const std::size_t chunks : {2, 8, 64}) {
      for (const Tree& tree : best_trees(0, 0, ranks, {chunks}))
        EXPECT_FALSE(tree.in_turn) << ranks << " " << chunks;
    }
  }
}

TEST(Tree, OverHostsEachGetsTheMessageOnce) {
  for (const auto& hosts : ways_to_place(24)) {
    for (const int root : {0, 7, 23}) {
      std::size_t came = 0;
      std::size_t trees = 0;
      for (const std::vector<int>& host : hosts) {
        for (const int rank : host) {
          const std::vector<Tree> all = over_hosts(rank, root, hosts, 8);
          trees = all.size();
          came += static_cast<std::size_t>(std::ranges::count_if(all, [&](const Tree& tree) {
            return tree.parent >= 0 && std::ranges::find(host, tree.parent) == host.end();
          }));
        }
      }
      EXPECT_EQ(came, trees * (hosts.size() - 1));
    }
  }
}

TEST(Tree, TransfersAlongIt) {
  EXPECT_DOUBLE_EQ(transfers_along_tree(2, {1}), 1);
  EXPECT_DOUBLE_EQ(transfers_along_tree(2, {8}), 1);
  EXPECT_DOUBLE_EQ(transfers_along_tree(128, {1}), 7);
  EXPECT_DOUBLE_EQ(transfers_along_tree(64, {1000}), 1.062);         // a chain
  EXPECT_DOUBLE_EQ(transfers_along_tree(1024, {16}), 1.25 * 2.125);  // two binary trees
  EXPECT_DOUBLE_EQ(transfers_along_tree(1024, {2}), 11);             // binary
}

TEST(Tree, ManyChunksGoOnceOverEveryLink) {
  EXPECT_EQ(only(best_trees(0, 0, 64, {1000})).children, chain(0, 0, 64).children);
  EXPECT_EQ(best_trees(0, 0, 1024, {1000}).size(), 2U);
}

// 62 ranks one after the other, each of which keeps a chunk for as long as it has to.
TEST(Tree, WhereRanksDecodeForLongBeforeTheyHandOnFewOfThemAreInTheWay) {
  EXPECT_EQ(best_trees(0, 0, 64, {1000, 3}).size(), 1U);
  EXPECT_EQ(best_trees(0, 0, 64, {1000, 10}).size(), 2U);
  EXPECT_DOUBLE_EQ(transfers_along_tree(64, {1000, 3}), 1.248);
  EXPECT_DOUBLE_EQ(transfers_along_tree(64, {1000, 10}), 1.25 * 1.06);
  EXPECT_DOUBLE_EQ(transfers_along_tree(64, {1, 0.5}), 9);
}

// What two trees gain must be clear, since a rank waits for two others there.
TEST(Tree, FewRanksTakeTheChain) {
  for (const int ranks : {3, 4, 5})
    EXPECT_EQ(only(best_trees(0, 0, ranks, {32, 2})).children, chain(0, 0, ranks).children);
}

// Of those that share a link each is late by all of them.
TEST(Tree, ChunksThatGoAtOnceAreLateOnEachLevelOfTwoTrees) {
  EXPECT_DOUBLE_EQ(256 * transfers_along_tree(64, {256, 10, 0, 1}), 1.25 * (5 * (2 + 10) + 256));
  EXPECT_DOUBLE_EQ(256 * transfers_along_tree(64, {256, 10, 0, 4}), 1.25 * (5 * (8 + 10) + 256));
}

TEST(Tree, NoChunkFollowsAnotherBeforeARankIsThroughWithIt) {
  EXPECT_DOUBLE_EQ(256 * transfers_along_tree(16, {256, 0, 3}), 6 + 2 + 255 * 3);
  EXPECT_DOUBLE_EQ(256 * transfers_along_tree(16, {256, 0, 1}), 14 + 1 + 255);
}

// Of the same tree.
TEST(Tree, TransfersOfItsLinksAreThoseWithoutWork) {
  EXPECT_DOUBLE_EQ(256 * transfers_of_links_along_tree(16, {256, 0, 3}), 6 + 2 * 256);
  EXPECT_DOUBLE_EQ(transfers_of_links_along_tree(16, {256, 0, 0}),
                   transfers_along_tree(16, {256, 0, 0}));
  EXPECT_DOUBLE_EQ(transfers_of_links_along_tree(16, {1, 0, 3}), 4) << "binomial";
}

// Of which none waits for its turn among its parent's.
TEST(Tree, ManyRanksAndFewChunksTakeTwoBinaryTrees) {
  EXPECT_EQ(best_trees(0, 0, 1024, {16}).size(), 2U);
  EXPECT_EQ(best_trees(0, 0, 16, {8}).size(), 2U) << "as in tests/mpi/test_collectives.py";
}

}  // namespace
}  // namespace tightwire::policy
