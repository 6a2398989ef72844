! What the three Fortran programs share and MPI has no part in.
module digests
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
contains
  pure function feed(digest, value) result(next)
    integer(int64), intent(in) :: digest, value
    integer(int64) :: next
    next = modulo(31_int64 * digest + value, 2147483647_int64)
  end function feed

  pure function digest_of_integers(values) result(digest)
    integer, intent(in) :: values(:)
    integer(int64) :: digest
    integer :: i
    digest = 1
    do i = 1, size(values)
      digest = feed(digest, int(values(i), int64))
    end do
  end function digest_of_integers

  pure function digest_of_reals(values) result(digest)
    real(real64), intent(in) :: values(:)
    integer(int64) :: digest, bits
    integer :: i
    digest = 1
    do i = 1, size(values)
      bits = transfer(values(i), bits)
      digest = feed(feed(digest, iand(bits, 2147483647_int64)), shiftr(bits, 31))
    end do
  end function digest_of_reals

  subroutine print_digest(kind, what, count, root, digest)
    character(*), intent(in) :: kind, what
    integer, intent(in) :: count, root
    integer(int64), intent(in) :: digest
    print '(a,1x,a,"-",i0,"-",i0,1x,i0)', kind, what, count, root, digest
  end subroutine print_digest

  subroutine print_samples(what, values)
    character(*), intent(in) :: what
    real(real64), intent(in) :: values(:)
    integer :: n
    n = size(values)
    if (n > 0) then
      print '("close ",a,"-",i0,4(1x,es25.17e3))', what, n, sum(values) / n, values(1), &
        values(1 + n / 2), values(n)
    end if
  end subroutine print_samples

  subroutine print_same(what, count, same)
    character(*), intent(in) :: what
    integer, intent(in) :: count
    logical, intent(in) :: same
    print '("same ",a,"-",i0,1x,a)', what, count, merge('yes', 'no ', same)
  end subroutine print_same

  pure function integers_of(count, rank) result(values)
    integer, intent(in) :: count, rank
    integer :: values(count), i
    values = [(mod(i * 7 + rank * 13, 1000) - 500, i = 1, count)]
  end function integers_of

  pure function reals_of(count, rank) result(values)
    integer, intent(in) :: count, rank
    real(real64) :: values(count)
    integer :: i
    values = [(sin(1.0e-3_real64 * i) * (rank + 1) + 1.0e-3_real64 * mod(i, 17), i = 1, count)]
  end function reals_of
end module digests
