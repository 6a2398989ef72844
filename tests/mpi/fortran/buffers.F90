! Where messages go from and to while the program goes on. Variables of a module, so that a compiler
! takes every call for one that may change them.
module buffers
  implicit none
  integer, parameter :: length = 3000, slots = 4
  integer, asynchronous, save :: outgoing(length, slots), incoming(length, slots)
  double precision, asynchronous, save :: outgoing_reals(length), incoming_reals(length)
  integer, asynchronous, save :: bsend_space(2 * slots * (length + 1000))
end module buffers
