! What the three bindings write differently. One of BINDING_MPIF_H, BINDING_MPI and BINDING_MPI_F08
! is defined. USE_MPI stands among the USE lines of a module, INCLUDE_MPI after IMPLICIT NONE.
#ifdef BINDING_MPI_F08
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#define HANDLE(kind) type(kind)
#define STATUS(s) type(MPI_Status) :: s
#define STATUSES(s, n) type(MPI_Status) :: s(n)
#define SOURCE_OF(s) s%MPI_SOURCE
#define TAG_OF(s) s%MPI_TAG
#define STATUS_AT(s, i) s(i)
#define SOURCE_AT(s, i) s(i)%MPI_SOURCE
#define TAG_AT(s, i) s(i)%MPI_TAG
#define ERROR_AT(s, i) s(i)%MPI_ERROR
#else
#ifdef BINDING_MPI
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#define HANDLE(kind) integer
#define STATUS(s) integer :: s(MPI_STATUS_SIZE)
#define STATUSES(s, n) integer :: s(MPI_STATUS_SIZE, n)
#define SOURCE_OF(s) s(MPI_SOURCE)
#define TAG_OF(s) s(MPI_TAG)
#define STATUS_AT(s, i) s(:, i)
#define SOURCE_AT(s, i) s(MPI_SOURCE, i)
#define TAG_AT(s, i) s(MPI_TAG, i)
#define ERROR_AT(s, i) s(MPI_ERROR, i)
#endif
