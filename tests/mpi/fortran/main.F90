#include "binding.inc"
! Checks every function that Tightwire stands in front of, as Fortran programs call it. Prints what is
! wrong, and for every rank how much was checked. With an argument it starts by MPI_Init_thread.
program main
  USE_MPI
  use checks
  use movement
  use reductions
  use started
  use messages
  use requests
  use persistent
#ifdef MPI_4
  use partitions
  use prepared
#endif
  use probes
  use communicators
  use errors
  use sections
#ifdef WIDE_COUNTS
  use wide_counts
#endif
  implicit none
  INCLUDE_MPI
  integer :: provided, rank, error
  character(len=1000) :: preloaded

  call begin_part('start')
  if (command_argument_count() > 0) then
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, error)
    call expect('level of threads', provided >= MPI_THREAD_SINGLE .and. &
      provided <= MPI_THREAD_MULTIPLE)
  else
    call MPI_Init(error)
  end if
  call expect('start', error == MPI_SUCCESS)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call get_environment_variable('LD_PRELOAD', preloaded)

  call check_movement(MPI_COMM_WORLD)
  call check_reductions(MPI_COMM_WORLD)
  call check_started(MPI_COMM_WORLD)
  call check_messages(MPI_COMM_WORLD)
  call check_requests(MPI_COMM_WORLD)
  call check_persistent(MPI_COMM_WORLD)
#ifdef MPI_4
  call check_partitions(MPI_COMM_WORLD)
  call check_prepared(MPI_COMM_WORLD, index(preloaded, 'libtightwire') > 0)
#endif
  call check_probes(MPI_COMM_WORLD)
  call check_communicators(MPI_COMM_WORLD, index(preloaded, 'libtightwire') > 0)
  call check_sections(MPI_COMM_WORLD)
#ifdef WIDE_COUNTS
  call check_wide_counts(MPI_COMM_WORLD)
#endif
  call check_errors(MPI_COMM_WORLD)
  call MPI_Finalize(error)
  call expect('end', error == MPI_SUCCESS)
  print '("rank ",i0,": checks ",i0,", failures ",i0)', rank, checks_made, checks_failed
  if (checks_failed > 0) error stop
end program main
