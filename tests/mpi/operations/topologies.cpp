#include "topologies.h"

#include <algorithm>
#include <random>

#include "group.h"

namespace operations {
namespace {

using Edge = std::pair<int, int>;  // from one rank to another

Topology grid(MPI_Comm comm, std::vector<int> extents, const std::vector<int>& periods) {
  Topology made{"a grid", MPI_COMM_NULL, {}, false};
  const auto dimensions = static_cast<int>(extents.size());
  for (const int extent : extents) made.name += " " + std::to_string(extent);
  for (const int period : periods) made.name += period != 0 ? "o" : "-";
  MPI_Cart_create(comm, dimensions, extents.data(), periods.data(), 0, &made.comm);
  for (int d = 0; made.comm != MPI_COMM_NULL && d < dimensions; ++d) {
    int before = 0;
    int behind = 0;
    MPI_Cart_shift(made.comm, d, 1, &before, &behind);
    made.neighbours.sources.insert(made.neighbours.sources.end(), {before, behind});
  }
  made.neighbours.destinations = made.neighbours.sources;
  return made;
}

// Every edge in both directions, as MPI wants it.
Topology graph(MPI_Comm comm, int ranks, const std::vector<Edge>& edges) {
  Topology made{"a graph", MPI_COMM_NULL, {}, false};
  std::vector<int> ends;
  std::vector<int> all;
  for (int rank = 0; rank < ranks; ++rank) {
    for (const auto& [a, b] : edges) {
      if (a == rank) all.push_back(b);
      if (b == rank) all.push_back(a);
    }
    ends.push_back(static_cast<int>(all.size()));
  }
  MPI_Graph_create(comm, ranks, ends.data(), all.data(), 0, &made.comm);
  if (made.comm == MPI_COMM_NULL) return made;
  int rank = 0;
  int count = 0;
  MPI_Comm_rank(made.comm, &rank);
  MPI_Graph_neighbors_count(made.comm, rank, &count);
  made.neighbours.sources.resize(static_cast<std::size_t>(count));
  MPI_Graph_neighbors(made.comm, rank, count, made.neighbours.sources.data());
  made.neighbours.destinations = made.neighbours.sources;
  return made;
}

// Of each rank's neighbours in an order that only this rank knows, but for those between the same
// two.
Topology directed(const std::string& name, const Group& group, const std::vector<Edge>& edges,
                  unsigned seed) {
  Topology made{name, MPI_COMM_NULL, {}, true};
  for (const auto& [from, to] : edges) {
    if (to == group.rank) made.neighbours.sources.push_back(from);
    if (from == group.rank) made.neighbours.destinations.push_back(to);
  }
  std::minstd_rand random(seed + static_cast<unsigned>(group.rank));
  std::shuffle(made.neighbours.sources.begin(), made.neighbours.sources.end(), random);
  std::shuffle(made.neighbours.destinations.begin(), made.neighbours.destinations.end(), random);
  const std::vector<int> none{0};
  const auto& [in, out] = made.neighbours;
  MPI_Dist_graph_create_adjacent(
      group.comm, static_cast<int>(in.size()), in.empty() ? none.data() : in.data(), MPI_UNWEIGHTED,
      static_cast<int>(out.size()), out.empty() ? none.data() : out.data(), MPI_UNWEIGHTED,
      MPI_INFO_NULL, 0, &made.comm);
  return made;
}

std::vector<Edge> random_edges(int ranks, int count, unsigned seed) {
  std::minstd_rand random(seed);
  const auto any = [&] { return static_cast<int>(random() >> 8) % ranks; };
  std::vector<Edge> edges;
  for (int i = 0; i < count; ++i) {
    const int from = any();
    edges.emplace_back(from, any());
  }
  return edges;
}

// All to the last one, which sends to nobody, twice.
std::vector<Edge> star(int ranks) {
  std::vector<Edge> edges;
  for (int rank = 0; rank + 1 < ranks; ++rank) {
    edges.insert(edges.end(), {{rank, ranks - 1}, {rank, ranks - 1}});
  }
  return edges;
}

std::vector<Edge> line(int ranks) {
  std::vector<Edge> edges;
  for (int rank = 0; rank + 1 < ranks; ++rank) edges.emplace_back(rank, rank + 1);
  return edges;
}

// Around, and the other way around twice.
std::vector<Edge> circles(int ranks) {
  std::vector<Edge> edges;
  for (int rank = 0; rank < ranks; ++rank) {
    const int next = (rank + 1) % ranks;
    edges.insert(edges.end(), {{next, rank}, {rank, next}, {next, rank}});
  }
  return edges;
}

}  // namespace

std::vector<Topology> make_topologies(MPI_Comm comm) {
  const Group group(comm);
  const int ranks = group.ranks;
  std::vector<Topology> made;
  for (const int around : {0, 1}) made.push_back(grid(comm, {ranks}, {around}));
  made.push_back(grid(comm, {1, ranks, 1}, {1, 0, 0}));
  if (ranks >= 2) made.push_back(grid(comm, {2, ranks / 2}, {1, 1}));
  if (ranks >= 4) made.push_back(grid(comm, {2, 2}, {0, 1}));
  if (ranks >= 2) made.push_back(graph(comm, ranks, line(ranks)));
  made.push_back(directed("a star", group, star(ranks), 1));
  made.push_back(directed("circles", group, circles(ranks), 2));
  for (const unsigned seed : {3U, 4U}) {
    const std::vector<Edge> edges = random_edges(ranks, 4 * ranks, seed);
    made.push_back(directed("random edges " + std::to_string(seed), group, edges, seed));
  }
  return made;
}

}  // namespace operations
