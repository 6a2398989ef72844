// The point-to-point calls as the program makes them: same arguments, same meaning, same errors as
// MPI's. docs/user/point-to-point.md has the protocol.
//
// Every PMPI_ function called here is MPI's own (interpose/generate.py). MPI may call the program
// back in any of them, by error handlers and other callbacks, and these may call MPI or leave by
// longjmp(): no lock is held around one that can. Thread safety is MPI's.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace tightwire::p2p {

// Whether a message of such a buffer, which is in memory of the host, is read by what is said in
// p2p/transfer/buffer/send_buffer.h alone, if at all: MPI gets no message that has not been read
// so.
[[nodiscard]] bool asks_for_values(const void* buf, std::ptrdiff_t count, MPI_Datatype datatype,
                                   int dest, MPI_Comm comm);

int send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int ssend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int bsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int rsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int isend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
          MPI_Request* request);
int issend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request* request);
int ibsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request* request);
int irsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
           MPI_Request* request);

int recv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
         MPI_Status* status);
int irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
          MPI_Request* request);

int sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
             void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
             MPI_Comm comm, MPI_Status* status);
int sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                     int recvtag, MPI_Comm comm, MPI_Status* status);

#if MPI_VERSION >= 4
int isendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
              void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
              MPI_Comm comm, MPI_Request* request);
int isendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest, int sendtag,
                      int source, int recvtag, MPI_Comm comm, MPI_Request* request);

int psend_init(const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest,
               int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int precv_init(void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source,
               int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request);
int pready(int partition, MPI_Request request);
int pready_range(int partition_low, int partition_high, MPI_Request request);
int pready_list(int length, const int partitions[], MPI_Request request);
int parrived(MPI_Request request, int partition, int* flag);
#endif

int send_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request);
int ssend_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request);
int bsend_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request);
int rsend_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request);
int recv_init(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request* request);
int start_request(MPI_Request* handle);
int startall(int count, MPI_Request handles[]);

int probe(int source, int tag, MPI_Comm comm, MPI_Status* status);
int iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status);
int mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status);
int improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
            MPI_Status* status);
int mrecv(void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status);
int imrecv(void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Request* request);

int wait(MPI_Request* request, MPI_Status* status);
int waitall(int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[]);
int waitany(int count, MPI_Request array_of_requests[], int* index, MPI_Status* status);
int waitsome(int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
             MPI_Status array_of_statuses[]);
int test(MPI_Request* request, int* flag, MPI_Status* status);
int testall(int count, MPI_Request array_of_requests[], int* flag, MPI_Status array_of_statuses[]);
int testany(int count, MPI_Request array_of_requests[], int* index, int* flag, MPI_Status* status);
int testsome(int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
             MPI_Status array_of_statuses[]);

int cancel(MPI_Request* handle);
int request_free(MPI_Request* handle);
int request_get_status(MPI_Request handle, int* flag, MPI_Status* status);

}  // namespace tightwire::p2p
