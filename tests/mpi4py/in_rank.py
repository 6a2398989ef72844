"""in_rank.py SUITE RECORDS [OPTION...]: one rank of mpi4py's own tests, whose folder is SUITE.

Writes a line for each test to RECORDS/<rank>, "started" and then its outcome, at once: what a rank
that crashes or hangs was at is then known. Options are those of the suite's main.py.
"""

import importlib.util
import sys
import unittest
from pathlib import Path


def program_of(suite: Path):
    """The suite's own test program, as main.py would run it."""
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("mpi4py_suite", suite / "main.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["mpi4py_suite"] = module
    spec.loader.exec_module(module)
    return module.main


class Recorder(unittest.TextTestResult):
    file = None

    @classmethod
    def write(cls, outcome: str, test) -> None:
        if cls.file is None:
            from mpi4py import MPI

            cls.file = (cls.folder / str(MPI.COMM_WORLD.Get_rank())).open("w", buffering=1)
        cls.file.write(f"{outcome} {test.id()}\n")

    def startTest(self, test):
        self.write("started", test)
        super().startTest(test)

    def addSuccess(self, test):
        self.write("passed", test)
        super().addSuccess(test)

    def addSkip(self, test, reason):
        self.write("skipped", test)
        super().addSkip(test, reason)

    def addFailure(self, test, error):
        self.write("failed", test)
        super().addFailure(test, error)

    def addError(self, test, error):
        self.write("failed", test)
        super().addError(test, error)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.write("failed", test)
        super().addSubTest(test, subtest, error)


class Runner(unittest.TextTestRunner):
    resultclass = Recorder


def main() -> None:
    suite, records, *options = sys.argv[1:]
    Recorder.folder = Path(records)
    program = program_of(Path(suite))
    sys.argv = [str(Path(suite) / "main.py"), *options]
    program(module=None, testRunner=Runner)


if __name__ == "__main__":
    main()
