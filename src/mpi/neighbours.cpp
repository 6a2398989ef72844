#include "mpi/neighbours.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <thread>

#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

std::vector<int> occurrences(const std::vector<int>& ranks) {
  std::map<int, int> seen;
  std::vector<int> places;
  places.reserve(ranks.size());
  for (const int rank : ranks) places.push_back(seen[rank]++);
  return places;
}

}  // namespace

std::shared_ptr<Neighbours> Neighbours::of(MPI_Comm comm) {
  int kind = MPI_UNDEFINED;
  check(PMPI_Topo_test(comm, &kind));
  if (kind != MPI_CART && kind != MPI_GRAPH && kind != MPI_DIST_GRAPH) return nullptr;
  auto neighbours = std::make_shared<Neighbours>();
  if (kind == MPI_CART) neighbours->of_cartesian(comm);
  if (kind == MPI_GRAPH) neighbours->of_graph(comm);
  if (kind == MPI_DIST_GRAPH) neighbours->of_distributed_graph(comm);
  neighbours->is_directed_ = kind == MPI_DIST_GRAPH;
  return neighbours;
}

// In each dimension first the one before, then the one behind (MPI 4.0, section 8.6).
void Neighbours::of_cartesian(MPI_Comm comm) {
  int dimensions = 0;
  check(PMPI_Cartdim_get(comm, &dimensions));
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    int before = MPI_PROC_NULL;
    int behind = MPI_PROC_NULL;
    check(PMPI_Cart_shift(comm, dimension, 1, &before, &behind));
    sources_.insert(sources_.end(), {before, behind});
  }
  destinations_ = sources_;
}

void Neighbours::of_graph(MPI_Comm comm) {
  int rank = 0;
  int count = 0;
  check(PMPI_Comm_rank(comm, &rank));
  check(PMPI_Graph_neighbors_count(comm, rank, &count));
  sources_.resize(static_cast<std::size_t>(count) + 1);
  check(PMPI_Graph_neighbors(comm, rank, count, sources_.data()));
  sources_.pop_back();
  destinations_ = sources_;
}

void Neighbours::of_distributed_graph(MPI_Comm comm) {
  int in = 0;
  int out = 0;
  int weighted = 0;
  check(PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted));
  sources_.resize(static_cast<std::size_t>(in) + 1);
  destinations_.resize(static_cast<std::size_t>(out) + 1);
  std::vector<int> weights_in(sources_.size());
  std::vector<int> weights_out(destinations_.size());
  check(PMPI_Dist_graph_neighbors(comm, in, sources_.data(), weights_in.data(), out,
                                  destinations_.data(), weights_out.data()));
  sources_.pop_back();
  destinations_.pop_back();
}

std::shared_ptr<PairingQuery> Neighbours::in_order() const {
  return std::make_shared<PairingQuery>(Pairing{occurrences(destinations_), occurrences(sources_)});
}

// MPICH 4.0 loses messages of MPI_Neighbor_alltoallw where a rank has not as many sources as
// destinations.
std::shared_ptr<PairingQuery> Neighbours::of_call(NeighbourCall call, bool waits, MPI_Comm comm) {
  if (is_directed_ && call == NeighbourCall::alltoallw) call = NeighbourCall::alltoallv;
  auto& query = queries_[waits ? 0 : 1][static_cast<std::size_t>(call)];
  if (!query) {
    Pairing pairing{occurrences(destinations_), occurrences(sources_)};
    query = std::make_shared<PairingQuery>(call, waits, std::move(pairing), comm);
  }
  return query;
}

void Neighbours::finish_queries() {
  for (const auto& calls : queries_) {
    for (const auto& query : calls) {
      while (query && !query->test()) std::this_thread::yield();
    }
  }
}

// There is room for one more number, so that no address is null.
PairingQuery::PairingQuery(NeighbourCall call, bool waits, Pairing in_order, MPI_Comm comm)
    : pairing_(std::move(in_order)) {
  numbers_.sent = pairing_.sent;
  numbers_.sent.push_back(0);
  pairing_.received.push_back(0);
  const std::size_t most = std::max(numbers_.sent.size(), pairing_.received.size());
  numbers_.ones.assign(most, 1);
  numbers_.places.resize(most);
  std::iota(numbers_.places.begin(), numbers_.places.end(), 0);
  for (const int place : numbers_.places) {
    numbers_.bytes.push_back(place * static_cast<MPI_Aint>(sizeof(int)));
  }
  numbers_.types.assign(most, MPI_INT);
  if (waits) {
    ask(call, comm);
  } else {
    query_.begin([&](MPI_Request* request) { return begin(call, comm, request); });
  }
}

void PairingQuery::ask(NeighbourCall call, MPI_Comm comm) {
  const Numbers& of = numbers_;
  int* const received = pairing_.received.data();
  switch (call) {
    case NeighbourCall::alltoall:
      check(PMPI_Neighbor_alltoall(of.sent.data(), 1, MPI_INT, received, 1, MPI_INT, comm));
      break;
    case NeighbourCall::alltoallv:
      check(PMPI_Neighbor_alltoallv(of.sent.data(), of.ones.data(), of.places.data(), MPI_INT,
                                    received, of.ones.data(), of.places.data(), MPI_INT, comm));
      break;
    case NeighbourCall::alltoallw:
      check(PMPI_Neighbor_alltoallw(of.sent.data(), of.ones.data(), of.bytes.data(),
                                    of.types.data(), received, of.ones.data(), of.bytes.data(),
                                    of.types.data(), comm));
      break;
  }
}

int PairingQuery::begin(NeighbourCall call, MPI_Comm comm, MPI_Request* request) {
  const Numbers& of = numbers_;
  int* const received = pairing_.received.data();
  switch (call) {
    case NeighbourCall::alltoall:
      return PMPI_Ineighbor_alltoall(of.sent.data(), 1, MPI_INT, received, 1, MPI_INT, comm,
                                     request);
    case NeighbourCall::alltoallv:
      return PMPI_Ineighbor_alltoallv(of.sent.data(), of.ones.data(), of.places.data(), MPI_INT,
                                      received, of.ones.data(), of.places.data(), MPI_INT, comm,
                                      request);
    case NeighbourCall::alltoallw:
      return PMPI_Ineighbor_alltoallw(of.sent.data(), of.ones.data(), of.bytes.data(),
                                      of.types.data(), received, of.ones.data(), of.bytes.data(),
                                      of.types.data(), comm, request);
  }
  return MPI_ERR_INTERN;
}

}  // namespace tightwire::mpi
