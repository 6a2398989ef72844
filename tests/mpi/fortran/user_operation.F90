#include "binding.inc"
! An operation of the program itself, on integers: the sum modulo 1009.
module user_operation
#ifdef BINDING_MPI_F08
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
#endif
  USE_MPI
  implicit none
  INCLUDE_MPI
  private
  public :: add_modulo

contains
#ifdef BINDING_MPI_F08
  subroutine add_modulo(in, inout, length, datatype)
    type(c_ptr), value :: in, inout
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    if (datatype /= MPI_INTEGER) stop 'add_modulo: another datatype'
    call c_f_pointer(in, a, [length])
    call c_f_pointer(inout, b, [length])
    b = modulo(a + b, 1009)
  end subroutine add_modulo
#else
  subroutine add_modulo(in, inout, length, datatype)
    integer :: length, datatype
    integer :: in(length), inout(length)
    if (datatype /= MPI_INTEGER) stop 'add_modulo: another datatype'
    inout = modulo(in + inout, 1009)
  end subroutine add_modulo
#endif
end module user_operation
