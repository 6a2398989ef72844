#include <algorithm>
#include <vector>

#include "collective/entry/collective.h"
#include "collective/move/ring_allgather.h"
#include "collective/plan/measured.h"
#include "collective/plan/movement_plan.h"
#include "mpi/byte_view.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::allgather;

std::size_t chunks_of(std::size_t bytes, MPI_Comm comm) {
  if (bytes == 0) return 0;
  return policy::chunk_count(runtime::current().settings, common_plan(operation, bytes, comm),
                             bytes);
}

// The own block's values as the program sends them, or where they have been gathered.
std::span<const std::byte> values_at(const mpi::Buffer& source, const mpi::ByteView& own) {
  const bool elsewhere = !source.in_place() && mpi::predefined(source.datatype) &&
                         source.bytes() == own.bytes().size();
  if (!elsewhere) return own.bytes();
  return source.host_bytes();
}

// `blocks`: where each rank's block goes. The own block's values come from `source`, unless they
// are in place.
void allgather_blocks(const std::vector<mpi::Buffer>& blocks, const mpi::Buffer& source,
                      mpi::Communicator& communicator, Work& work) {
  const auto rank = static_cast<std::size_t>(communicator.rank);
  if (!source.in_place()) copy(source, blocks[rank], communicator);
  std::vector<mpi::ByteView> views;
  std::vector<GatheredBlock> gathered;
  views.reserve(blocks.size());
  for (const mpi::Buffer& block : blocks) {
    const mpi::ByteView& view = views.emplace_back(block, communicator);
    gathered.push_back({view.bytes(), chunks_of(view.bytes().size(), communicator.user)});
  }
  const mpi::ByteView& own = views[rank];
  own.load();
  const SenderEncoding sender = sender_encoding(operation, own.type(), own.bytes(), communicator);
  work.plan = sender.plan;
  work.largest_bound = sender.encoding.parameters.error_bound;
  const bool lossy = sender.encoding.codec->lossy();
  ring_allgather(communicator, gathered, sender.encoding, {values_at(source, own), lossy},
                 work.health, work.traffic);
  if (work.health.failed()) return;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (i != rank || lossy) views[i].store();
  }
}

// `pass` hands the call to MPI as it came; counts are int, or MPI 4's wider ones.
template <class Count, class Pass>
int any_allgather(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                  Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, Pass&& pass) {
  mpi::CallName name{"MPI_Allgather", 0};
  return mpi::guarded(name, comm, [&] {
    const mpi::Buffer all{recvbuf, recvcount, recvtype};
    const mpi::Place place = mpi::place_in(comm, 0);
    name.bytes = all.bytes();
    const mpi::Buffer source{sendbuf, sendcount, sendtype};
    const bool valid = place.valid && (sendbuf == MPI_IN_PLACE || source.valid()) && all.valid();
    const Decision decision =
        valid ? decide_movement(operation, name.bytes, source, comm) : Decision{};
    const ScopedTimer timer(decision);
    mpi::Communicator* communicator = decision.communicator;
    if (communicator == nullptr) return mpi::passed(operation, name, pass);
    return measured(operation, common_plan(operation, name.bytes, comm), name, comm,
                    [&](Work& work) {
                      std::vector<mpi::Buffer> blocks;
                      blocks.reserve(static_cast<std::size_t>(communicator->size));
                      for (int rank = 0; rank < communicator->size; ++rank) {
                        blocks.push_back(all.at(std::ptrdiff_t{rank} * recvcount, recvcount));
                      }
                      allgather_blocks(blocks, source, *communicator, work);
                    });
  });
}

template <class Count, class Displacement, class Pass>
int any_allgatherv(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const Count recvcounts[], const Displacement displs[], MPI_Datatype recvtype,
                   MPI_Comm comm, Pass&& pass) {
  mpi::CallName name{"MPI_Allgatherv", 0};
  return mpi::guarded(name, comm, [&] {
    const mpi::Buffer all{recvbuf, 0, recvtype};
    const mpi::Place place = mpi::place_in(comm, 0);
    const bool blocks_valid =
        place.valid && mpi::valid_blocks(recvcounts, displs, place.size, recvtype);
    // All ranks know all counts: the largest block decides for the call.
    for (int rank = 0; rank < place.size && blocks_valid; ++rank) {
      name.bytes = std::max(name.bytes, mpi::Buffer{recvbuf, recvcounts[rank], recvtype}.bytes());
    }
    const mpi::Buffer source{sendbuf, sendcount, sendtype};
    const bool valid = blocks_valid && (sendbuf == MPI_IN_PLACE || source.valid());
    const Decision decision =
        valid ? decide_movement(operation, name.bytes, source, comm) : Decision{};
    const ScopedTimer timer(decision);
    mpi::Communicator* communicator = decision.communicator;
    if (communicator == nullptr) return mpi::passed(operation, name, pass);
    return measured(operation, common_plan(operation, name.bytes, comm), name, comm,
                    [&](Work& work) {
                      std::vector<mpi::Buffer> blocks;
                      blocks.reserve(static_cast<std::size_t>(communicator->size));
                      for (int rank = 0; rank < communicator->size; ++rank) {
                        blocks.push_back(all.at(displs[rank], recvcounts[rank]));
                      }
                      allgather_blocks(blocks, source, *communicator, work);
                    });
  });
}

}  // namespace

int allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
              int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return any_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, [&] {
    return PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  });
}

int allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  return any_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                        [&] {
                          return PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                                 displs, recvtype, comm);
                        });
}

#if MPI_VERSION >= 4

int allgather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return any_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, [&] {
    return PMPI_Allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  });
}

int allgatherv(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
               MPI_Comm comm) {
  return any_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                        [&] {
                          return PMPI_Allgatherv_c(sendbuf, sendcount, sendtype, recvbuf,
                                                   recvcounts, displs, recvtype, comm);
                        });
}

#endif

}  // namespace tightwire::collective
