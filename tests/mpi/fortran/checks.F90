! Values that every rank can work out for every other, and comparisons of them with what came.
! Sums of them are exact in any order.
module checks
  use, intrinsic :: iso_fortran_env, only: int8, int64, real32, real64
  implicit none
  private
  public :: begin_part, expect, same, flag_is, checks_made, checks_failed
  public :: integers, longs, reals, doubles, complexes, logicals, letters

  integer, protected :: checks_made = 0, checks_failed = 0
  character(len=20) :: part = ''

  ! same(what, got, wanted): equal bit for bit.
  interface same
    module procedure same_integers, same_longs, same_reals, same_doubles
    module procedure same_complexes, same_logicals, same_letters
  end interface same
contains
  subroutine begin_part(name)
    character(len=*), intent(in) :: name
    part = name
  end subroutine begin_part

  subroutine expect(what, holds)
    character(len=*), intent(in) :: what
    logical, intent(in) :: holds
    checks_made = checks_made + 1
    if (holds) return
    checks_failed = checks_failed + 1
    print '("wrong: ",a,": ",a)', trim(part), what
  end subroutine expect

  ! The bits of .true. and .false. are the compiler's, not just something that reads as such.
  subroutine flag_is(what, got, wanted)
    character(len=*), intent(in) :: what
    logical, intent(in) :: got, wanted
    call expect(what // ' flag', transfer(got, 0) == transfer(wanted, 0))
  end subroutine flag_is

  subroutine same_bytes(what, got, wanted)
    character(len=*), intent(in) :: what
    integer(int8), intent(in) :: got(:), wanted(:)
    character(len=20) :: place
    integer :: i
    call expect(what // ' size', size(got) == size(wanted))
    do i = 1, min(size(got), size(wanted))
      if (got(i) /= wanted(i)) exit
    end do
    write (place, '(i0)') i
    call expect(what // ' at byte ' // trim(place), i > size(wanted))
  end subroutine same_bytes

  subroutine same_integers(what, got, wanted)
    character(len=*), intent(in) :: what
    integer, intent(in) :: got(:), wanted(:)
    call same_bytes(what, transfer(got, [0_int8]), transfer(wanted, [0_int8]))
  end subroutine same_integers

  subroutine same_longs(what, got, wanted)
    character(len=*), intent(in) :: what
    integer(int64), intent(in) :: got(:), wanted(:)
    call same_bytes(what, transfer(got, [0_int8]), transfer(wanted, [0_int8]))
  end subroutine same_longs

  subroutine same_reals(what, got, wanted)
    character(len=*), intent(in) :: what
    real, intent(in) :: got(:), wanted(:)
    call same_bytes(what, transfer(got, [0_int8]), transfer(wanted, [0_int8]))
  end subroutine same_reals

  subroutine same_doubles(what, got, wanted)
    character(len=*), intent(in) :: what
    double precision, intent(in) :: got(:), wanted(:)
    call same_bytes(what, transfer(got, [0_int8]), transfer(wanted, [0_int8]))
  end subroutine same_doubles

  subroutine same_complexes(what, got, wanted)
    character(len=*), intent(in) :: what
    complex, intent(in) :: got(:), wanted(:)
    call same_bytes(what, transfer(got, [0_int8]), transfer(wanted, [0_int8]))
  end subroutine same_complexes

  subroutine same_logicals(what, got, wanted)
    character(len=*), intent(in) :: what
    logical, intent(in) :: got(:), wanted(:)
    call same_bytes(what, transfer(got, [0_int8]), transfer(wanted, [0_int8]))
  end subroutine same_logicals

  subroutine same_letters(what, got, wanted)
    character(len=*), intent(in) :: what, got, wanted
    call same_bytes(what, transfer(got, [0_int8]), transfer(wanted, [0_int8]))
  end subroutine same_letters

  pure function integers(count, rank) result(values)
    integer, intent(in) :: count, rank
    integer :: values(count), i
    values = [(mod(i * 7 + rank * 13, 1000) - 500, i = 1, count)]
  end function integers

  pure function longs(count, rank) result(values)
    integer, intent(in) :: count, rank
    integer(int64) :: values(count)
    values = 1000000007_int64 * integers(count, rank)
  end function longs

  pure function doubles(count, rank) result(values)
    integer, intent(in) :: count, rank
    double precision :: values(count)
    values = 0.125d0 * integers(count, rank)
  end function doubles

  pure function reals(count, rank) result(values)
    integer, intent(in) :: count, rank
    real :: values(count)
    values = real(doubles(count, rank))
  end function reals

  pure function complexes(count, rank) result(values)
    integer, intent(in) :: count, rank
    complex :: values(count)
    values = cmplx(reals(count, rank), reals(count, rank + 5))
  end function complexes

  pure function logicals(count, rank) result(values)
    integer, intent(in) :: count, rank
    logical :: values(count)
    values = modulo(integers(count, rank), 3) /= 0
  end function logicals

  pure function letters(count, rank) result(text)
    integer, intent(in) :: count, rank
    character(len=count) :: text
    integer :: i
    do i = 1, count
      text(i:i) = achar(iachar('a') + mod(i / 3 + rank, 26))
    end do
  end function letters
end module checks
