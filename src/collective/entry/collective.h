// The collectives as the program calls them: same arguments, same meaning, same errors as MPI's, in
// either width of counts. `form` says which of the three forms of it is called, and has the request
// of the two that have one. `pass` calls MPI's own function with the program's own arguments.
//
// Each makes a plan from facts that all ranks share; what the plan does not take goes through
// `pass`, the rest is an operation (operation/) that is driven to its end. Every
// PMPI_ function called here is MPI's own (interpose/generate.py). Thread safety is MPI's: one
// collective at a time on a communicator.
#pragma once

#include <mpi.h>

#include "collective/plan/form.h"
#include "mpi/call.h"
#include "mpi/counts.h"

namespace tightwire::collective {

using mpi::Count;
using mpi::Counts;
using mpi::PassThrough;

int allreduce(const Form& form, const void* sendbuf, void* recvbuf, Count count,
              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass);

int reduce(const Form& form, const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype,
           MPI_Op op, int root, MPI_Comm comm, const PassThrough& pass);

int reduce_scatter(const Form& form, const void* sendbuf, void* recvbuf, Counts recvcounts,
                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass);

int reduce_scatter_block(const Form& form, const void* sendbuf, void* recvbuf, Count recvcount,
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, const PassThrough& pass);

int scan(const Form& form, const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype,
         MPI_Op op, MPI_Comm comm, const PassThrough& pass);

int exscan(const Form& form, const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype,
           MPI_Op op, MPI_Comm comm, const PassThrough& pass);

int bcast(const Form& form, void* buffer, Count count, MPI_Datatype datatype, int root,
          MPI_Comm comm, const PassThrough& pass);

int gather(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
           void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
           const PassThrough& pass);

int gatherv(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
            void* recvbuf, Counts recvcounts, Counts displs, MPI_Datatype recvtype, int root,
            MPI_Comm comm, const PassThrough& pass);

int scatter(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
            void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
            const PassThrough& pass);

int scatterv(const Form& form, const void* sendbuf, Counts sendcounts, Counts displs,
             MPI_Datatype sendtype, void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root,
             MPI_Comm comm, const PassThrough& pass);

int allgather(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
              void* recvbuf, Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
              const PassThrough& pass);

int allgatherv(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
               void* recvbuf, Counts recvcounts, Counts displs, MPI_Datatype recvtype,
               MPI_Comm comm, const PassThrough& pass);

int alltoall(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
             void* recvbuf, Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
             const PassThrough& pass);

int alltoallv(const Form& form, const void* sendbuf, Counts sendcounts, Counts sdispls,
              MPI_Datatype sendtype, void* recvbuf, Counts recvcounts, Counts rdispls,
              MPI_Datatype recvtype, MPI_Comm comm, const PassThrough& pass);

int alltoallw(const Form& form, const void* sendbuf, Counts sendcounts, Counts sdispls,
              const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts, Counts rdispls,
              const MPI_Datatype* recvtypes, MPI_Comm comm, const PassThrough& pass);

int neighbor_allgather(const Form& form, const void* sendbuf, Count sendcount,
                       MPI_Datatype sendtype, void* recvbuf, Count recvcount, MPI_Datatype recvtype,
                       MPI_Comm comm, const PassThrough& pass);

int neighbor_allgatherv(const Form& form, const void* sendbuf, Count sendcount,
                        MPI_Datatype sendtype, void* recvbuf, Counts recvcounts, Counts displs,
                        MPI_Datatype recvtype, MPI_Comm comm, const PassThrough& pass);

int neighbor_alltoall(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                      const PassThrough& pass);

int neighbor_alltoallv(const Form& form, const void* sendbuf, Counts sendcounts, Counts sdispls,
                       MPI_Datatype sendtype, void* recvbuf, Counts recvcounts, Counts rdispls,
                       MPI_Datatype recvtype, MPI_Comm comm, const PassThrough& pass);

int neighbor_alltoallw(const Form& form, const void* sendbuf, Counts sendcounts, Counts sdispls,
                       const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts,
                       Counts rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm,
                       const PassThrough& pass);

}  // namespace tightwire::collective
