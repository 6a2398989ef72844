"""The job that this process is a rank of, if it runs under `tightwire`."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

OK, NOT_ACTIVE = 0, 1
LONGEST_VALUE = 4096


@dataclass(frozen=True)
class Statistics:
    """What this rank's calls have done so far."""

    calls: int  # compressed
    passed_calls: int  # handed to MPI as they came
    bytes_before: int  # of the values in the frames that this rank sent
    bytes_after: int  # of those frames
    seconds: float  # in compressed calls

    @property
    def ratio(self) -> float:
        return self.bytes_before / self.bytes_after if self.bytes_after else 1.0


class _Statistics(ctypes.Structure):
    _fields_ = (
        ("calls", ctypes.c_uint64),
        ("passed_calls", ctypes.c_uint64),
        ("bytes_before", ctypes.c_uint64),
        ("bytes_after", ctypes.c_uint64),
        ("seconds", ctypes.c_double),
    )


_process = ctypes.CDLL(None)


def _function(name: str):
    try:
        return getattr(_process, name)
    except AttributeError:
        raise RuntimeError(
            "this program does not run under Tightwire; start it with mpirun ... tightwire "
            "python3 script.py"
        ) from None


def _check(code: int, problem: str) -> None:
    if code == NOT_ACTIVE:
        raise RuntimeError(
            "Tightwire does nothing here: before MPI_Init, after MPI_Finalize, or in an audit"
        )
    if code != OK:
        raise ValueError(problem)


def available() -> bool:
    """Whether the program runs under Tightwire, and between MPI_Init and MPI_Finalize."""
    if not hasattr(_process, "tightwire_get_statistics"):
        return False
    return _process.tightwire_get_statistics(ctypes.byref(_Statistics())) == OK


def statistics() -> Statistics:
    found = _Statistics()
    code = _function("tightwire_get_statistics")(ctypes.byref(found))
    _check(code, "tightwire_get_statistics")
    return Statistics(*(getattr(found, name) for name, _ in found._fields_))


def get(key: str) -> str:
    """A setting of the job as it stands, such as get("error-bound")."""
    value = ctypes.create_string_buffer(LONGEST_VALUE)
    code = _function("tightwire_get")(key.encode(), value, ctypes.c_size_t(LONGEST_VALUE))
    _check(code, f"there is no setting {key!r}; tightwire settings lists all")
    return value.value.decode()


def set(key: str, value: object) -> None:
    """Changes a setting of the job from here on.

    All ranks must do so at the same place of the program, with no collective under way and no other
    thread in MPI: ranks whose settings differ do not understand each other.
    """
    code = _function("tightwire_set")(key.encode(), str(value).encode())
    _check(code, f"{key} = {value!r} is no setting; tightwire settings --markdown lists all")


@contextmanager
def setting(key: str, value: object) -> Iterator[None]:
    """A setting for a part of the program; it is on all ranks as with set()."""
    before = get(key)
    set(key, value)
    try:
        yield
    finally:
        set(key, before)


def bound(value: object):
    """An error bound for a part of the program: a number, "rel:1e-4", or None for exact.

    Not under Tightwire it does nothing, so that a program runs with and without.
    """
    if not hasattr(_process, "tightwire_set"):
        return _nothing()
    return setting("error-bound", "none" if value is None else value)


@contextmanager
def _nothing() -> Iterator[None]:
    yield


def hints(comm, **settings: object) -> None:
    """Settings for the calls on one communicator of mpi4py, by all its ranks alike:
    hints(comm, error_bound=1e-4), hints(comm, mode="exact").

    They are MPI_Comm_set_info's hints. Without Tightwire MPI passes over them.
    """
    from mpi4py import MPI

    info = MPI.Info.Create()
    try:
        for name, value in settings.items():
            info.Set("tightwire_" + name, "none" if value is None else str(value))
        comm.Set_info(info)
    finally:
        info.Free()
