// The calls themselves, each in its three forms.
#include <cstddef>

#include "operation.h"
#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#define INIT(Name) MPIX_##Name##_init
#else
#define INIT(Name) MPI_##Name##_init
#endif

#define FORMS(Name, name, ...)                                           \
  (way == Way::blocking  ? MPI_##Name(__VA_ARGS__, draw_.comm)           \
   : way == Way::at_once ? MPI_I##name(__VA_ARGS__, draw_.comm, request) \
                         : INIT(Name)(__VA_ARGS__, draw_.comm, MPI_INFO_NULL, request))

namespace started {

void Operation::make_arrays(MPI_Datatype type) {
  const int size = draw_.floating ? sizeof(double) : sizeof(int);
  arrays_ = {};
  arrays_.bytes_out.reserve(1);
  arrays_.bytes_in.reserve(1);
  arrays_.addresses_out.reserve(1);
  arrays_.addresses_in.reserve(1);
  arrays_.types_out.reserve(1);
  arrays_.types_in.reserve(1);
  for (const int place : out_.places) {
    arrays_.bytes_out.push_back(place * size);
    arrays_.addresses_out.push_back(place * size);
    arrays_.types_out.push_back(type);
  }
  for (const int place : in_.places) {
    arrays_.bytes_in.push_back(place * size);
    arrays_.addresses_in.push_back(place * size);
    arrays_.types_in.push_back(type);
  }
}

int Operation::call(MPI_Datatype type, MPI_Request* request, Way way) {
  make_arrays(type);
  void* const out = send_buffer();
  void* const in = receive_buffer();
  const int n = draw_.count;
  const int own = count_of(rank_);
  const int* const counts = counts_.data();
  const int* const places = places_.data();
  const int root = root_argument();
  const Arrays& at = arrays_;
  switch (draw_.kind) {
    case Kind::bcast:
      return FORMS(Bcast, bcast, in, n, type, root);
    case Kind::reduce:
      return FORMS(Reduce, reduce, out, in, n, type, MPI_SUM, root);
    case Kind::allreduce:
      return FORMS(Allreduce, allreduce, out, in, n, type, MPI_SUM);
    case Kind::reduce_scatter:
      return FORMS(Reduce_scatter, reduce_scatter, out, in, counts, type, MPI_SUM);
    case Kind::reduce_scatter_block:
      return FORMS(Reduce_scatter_block, reduce_scatter_block, out, in, own, type, MPI_SUM);
    case Kind::scan:
      return FORMS(Scan, scan, out, in, n, type, MPI_SUM);
    case Kind::exscan:
      return FORMS(Exscan, exscan, out, in, n, type, MPI_SUM);
    case Kind::gather:
      return FORMS(Gather, gather, out, own, type, in, own, type, root);
    case Kind::gatherv:
      return FORMS(Gatherv, gatherv, out, own, type, in, counts, places, type, root);
    case Kind::scatter:
      return FORMS(Scatter, scatter, out, own, type, in, own, type, root);
    case Kind::scatterv:
      return FORMS(Scatterv, scatterv, out, counts, places, type, in, own, type, root);
    case Kind::allgather:
      return FORMS(Allgather, allgather, out, own, type, in, own, type);
    case Kind::allgatherv:
      return FORMS(Allgatherv, allgatherv, out, own, type, in, counts, places, type);
    case Kind::alltoall:
      return FORMS(Alltoall, alltoall, out, n, type, in, n, type);
    case Kind::alltoallv:
      return FORMS(Alltoallv, alltoallv, out, out_.counts.data(), out_.places.data(), type, in,
                   in_.counts.data(), in_.places.data(), type);
    case Kind::alltoallw:
      return FORMS(Alltoallw, alltoallw, out, out_.counts.data(), at.bytes_out.data(),
                   at.types_out.data(), in, in_.counts.data(), at.bytes_in.data(),
                   at.types_in.data());
    case Kind::neighbor_allgather:
      return FORMS(Neighbor_allgather, neighbor_allgather, out, n, type, in, n, type);
    case Kind::neighbor_allgatherv:
      return FORMS(Neighbor_allgatherv, neighbor_allgatherv, out, own, type, in, in_.counts.data(),
                   in_.places.data(), type);
    case Kind::neighbor_alltoall:
      return FORMS(Neighbor_alltoall, neighbor_alltoall, out, n, type, in, n, type);
    case Kind::neighbor_alltoallv:
      return FORMS(Neighbor_alltoallv, neighbor_alltoallv, out, out_.counts.data(),
                   out_.places.data(), type, in, in_.counts.data(), in_.places.data(), type);
    case Kind::neighbor_alltoallw:
      return FORMS(Neighbor_alltoallw, neighbor_alltoallw, out, out_.counts.data(),
                   at.addresses_out.data(), at.types_out.data(), in, in_.counts.data(),
                   at.addresses_in.data(), at.types_in.data());
  }
  return MPI_ERR_OTHER;
}

}  // namespace started
