// Scatter and Scatterv: the root encodes each rank's block once and sends it there.
#include "collective/entry/collective.h"
#include "collective/move/block_exchange.h"
#include "collective/plan/measured.h"
#include "collective/plan/movement_plan.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::scatter;

// `block_of(rank)`: a rank's block at the root.
void scatter_blocks(const mpi::Buffer& own, int root, mpi::Communicator& communicator,
                    const std::function<mpi::Buffer(int rank)>& block_of, Work& work) {
  if (communicator.rank != root) {
    move_in_steps(
        communicator, operation, 1,
        [&](int) {
          return Partners{MPI_PROC_NULL, {}, root, own};
        },
        work);
    return;
  }
  move_in_steps(
      communicator, operation, communicator.size - 1,
      [&](int step) {
        const int destination = (root + 1 + step) % communicator.size;
        return Partners{destination, block_of(destination), MPI_PROC_NULL, {}};
      },
      work);
  if (!own.in_place()) copy(block_of(root), own, communicator);
}

// `pass` hands the call to MPI as it came; counts are int, or MPI 4's wider ones.
template <class Count, class Pass>
int any_scatter(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Pass&& pass) {
  mpi::CallName name{"MPI_Scatter", 0};
  return mpi::guarded(name, comm, [&] {
    const mpi::Buffer own{recvbuf, recvcount, recvtype};
    const mpi::Buffer all{sendbuf, sendcount, sendtype};
    const mpi::Place place = mpi::place_in(comm, root);
    // At a root that scatters in place, the receive arguments mean nothing.
    name.bytes = place.is_root ? all.bytes() : own.bytes();
    const bool in_place = place.is_root && recvbuf == MPI_IN_PLACE;
    const bool valid = place.valid && (in_place || own.valid()) && (!place.is_root || all.valid());
    const Decision decision =
        valid ? decide_movement(operation, name.bytes, place.is_root ? all : mpi::Buffer{}, comm)
              : Decision{};
    const ScopedTimer timer(decision);
    mpi::Communicator* communicator = decision.communicator;
    if (communicator == nullptr) return mpi::passed(operation, name, pass);
    return measured(
        operation, common_plan(operation, name.bytes, comm), name, comm, [&](Work& work) {
          scatter_blocks(
              own, root, *communicator,
              [&](int rank) { return all.at(std::ptrdiff_t{rank} * sendcount, sendcount); }, work);
        });
  });
}

template <class Count, class Displacement, class Pass>
int any_scatterv(const void* sendbuf, const Count sendcounts[], const Displacement displs[],
                 MPI_Datatype sendtype, void* recvbuf, Count recvcount, MPI_Datatype recvtype,
                 int root, MPI_Comm comm, Pass&& pass) {
  mpi::CallName name{"MPI_Scatterv", 0};
  return mpi::guarded(name, comm, [&] {
    const mpi::Buffer own{recvbuf, recvcount, recvtype};
    const mpi::Buffer all{sendbuf, 0, sendtype};
    const mpi::Place place = mpi::place_in(comm, root);
    const bool in_place = place.is_root && recvbuf == MPI_IN_PLACE;
    const bool valid =
        place.valid && (in_place || own.valid()) &&
        (!place.is_root || mpi::valid_blocks(sendcounts, displs, place.size, sendtype));
    name.bytes = in_place ? 0 : own.bytes();
    // A rank knows no other rank's count: all take this way, and size decides message by message.
    const UnevenDecision decision = valid ? decide_uneven(operation, comm) : UnevenDecision{};
    mpi::Communicator* communicator = decision.communicator;
    if (communicator == nullptr) return mpi::passed(operation, name, pass);
    return measured(operation, common_plan(operation, name.bytes, comm), name, comm,
                    [&](Work& work) {
                      scatter_blocks(
                          own, root, *communicator,
                          [&](int rank) { return all.at(displs[rank], sendcounts[rank]); }, work);
                      decision.note(work.traffic);
                    });
  });
}

}  // namespace

int scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return any_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, [&] {
    return PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
  });
}

int scatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
             void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return any_scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                      comm, [&] {
                        return PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf,
                                             recvcount, recvtype, root, comm);
                      });
}

#if MPI_VERSION >= 4

int scatter(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return any_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, [&] {
    return PMPI_Scatter_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
  });
}

int scatterv(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
             MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
             int root, MPI_Comm comm) {
  return any_scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                      comm, [&] {
                        return PMPI_Scatterv_c(sendbuf, sendcounts, displs, sendtype, recvbuf,
                                               recvcount, recvtype, root, comm);
                      });
}

#endif

}  // namespace tightwire::collective
