// Gather and Gatherv: every rank's block goes to the root, which expands one rank's while the next
// one's arrives.
#include "collective/entry/collective.h"
#include "collective/move/block_exchange.h"
#include "collective/plan/measured.h"
#include "collective/plan/movement_plan.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::gather;

// `block_of(rank)`: where a rank's block belongs at the root.
void gather_blocks(const mpi::Buffer& own, int root, mpi::Communicator& communicator,
                   const std::function<mpi::Buffer(int rank)>& block_of, Work& work) {
  if (communicator.rank != root) {
    move_in_steps(
        communicator, operation, 1,
        [&](int) {
          return Partners{root, own, MPI_PROC_NULL, {}};
        },
        work);
    return;
  }
  move_in_steps(
      communicator, operation, communicator.size - 1,
      [&](int step) {
        const int source = (root + 1 + step) % communicator.size;
        return Partners{MPI_PROC_NULL, {}, source, block_of(source)};
      },
      work);
  if (!own.in_place()) copy(own, block_of(root), communicator);
}

// `pass` hands the call to MPI as it came; counts are int, or MPI 4's wider ones.
template <class Count, class Pass>
int any_gather(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Pass&& pass) {
  mpi::CallName name{"MPI_Gather", 0};
  return mpi::guarded(name, comm, [&] {
    const mpi::Buffer own{sendbuf, sendcount, sendtype};
    const mpi::Buffer all{recvbuf, recvcount, recvtype};
    const mpi::Place place = mpi::place_in(comm, root);
    // At a root that gathers in place, the send arguments mean nothing.
    name.bytes = place.is_root ? all.bytes() : own.bytes();
    const bool in_place = place.is_root && sendbuf == MPI_IN_PLACE;
    const bool valid = place.valid && (in_place || own.valid()) && (!place.is_root || all.valid());
    const Decision decision =
        valid ? decide_movement(operation, name.bytes, own, comm) : Decision{};
    const ScopedTimer timer(decision);
    mpi::Communicator* communicator = decision.communicator;
    if (communicator == nullptr) return mpi::passed(operation, name, pass);
    return measured(
        operation, common_plan(operation, name.bytes, comm), name, comm, [&](Work& work) {
          gather_blocks(
              own, root, *communicator,
              [&](int rank) { return all.at(std::ptrdiff_t{rank} * recvcount, recvcount); }, work);
        });
  });
}

template <class Count, class Displacement, class Pass>
int any_gatherv(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                const Count recvcounts[], const Displacement displs[], MPI_Datatype recvtype,
                int root, MPI_Comm comm, Pass&& pass) {
  mpi::CallName name{"MPI_Gatherv", 0};
  return mpi::guarded(name, comm, [&] {
    const mpi::Buffer own{sendbuf, sendcount, sendtype};
    const mpi::Buffer all{recvbuf, 0, recvtype};
    const mpi::Place place = mpi::place_in(comm, root);
    const bool in_place = place.is_root && sendbuf == MPI_IN_PLACE;
    const bool valid =
        place.valid && (in_place || own.valid()) &&
        (!place.is_root || mpi::valid_blocks(recvcounts, displs, place.size, recvtype));
    name.bytes = in_place ? 0 : own.bytes();
    // A rank knows no other rank's count: all take this way, and size decides message by message.
    const UnevenDecision decision = valid ? decide_uneven(operation, comm) : UnevenDecision{};
    mpi::Communicator* communicator = decision.communicator;
    if (communicator == nullptr) return mpi::passed(operation, name, pass);
    return measured(operation, common_plan(operation, name.bytes, comm), name, comm,
                    [&](Work& work) {
                      gather_blocks(
                          own, root, *communicator,
                          [&](int rank) { return all.at(displs[rank], recvcounts[rank]); }, work);
                      decision.note(work.traffic);
                    });
  });
}

}  // namespace

int gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return any_gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, [&] {
    return PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
  });
}

int gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
            const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
            MPI_Comm comm) {
  return any_gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                     comm, [&] {
                       return PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                           displs, recvtype, root, comm);
                     });
}

#if MPI_VERSION >= 4

int gather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
           MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return any_gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, [&] {
    return PMPI_Gather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
  });
}

int gatherv(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
            MPI_Comm comm) {
  return any_gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                     comm, [&] {
                       return PMPI_Gatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                             displs, recvtype, root, comm);
                     });
}

#endif

}  // namespace tightwire::collective
