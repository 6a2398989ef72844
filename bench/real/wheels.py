"""Measures lossless codecs that come as Python wheels: pcodec, and Blosc2's shuffle with zstd 1.
Arguments: rounds, then files of raw values. Prints the rows of bench_codec, without their head.

As there: by turns with memcpy, in one process on one thread, medians of processor time, the first
round not counted. Every result is compared with what went in."""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import blosc2
import numpy as np
import pcodec.standalone
from pcodec import ChunkConfig

TYPES = {".f32": "float32", ".f64": "float64", ".u8": "bytes"}
PATIENCE = 0.25  # seconds; what takes longer sits out all but the first 3 rounds


def copied(values: np.ndarray, into: np.ndarray) -> np.ndarray:
    np.copyto(into, values)
    return into


def blosc_compressed(values: np.ndarray) -> bytes:
    return blosc2.compress2(
        values,
        codec=blosc2.Codec.ZSTD,
        clevel=1,
        filters=[blosc2.Filter.SHUFFLE],
        typesize=values.itemsize,
        nthreads=1,
    )


def codecs(values: np.ndarray) -> dict[str, tuple[Callable, Callable]]:
    space = np.zeros_like(values)
    result = {
        "memcpy": (lambda: copied(values, space), lambda encoded: copied(encoded, space)),
        "blosc2-shuffle-zstd": (
            lambda: blosc_compressed(values),
            lambda encoded: blosc2.decompress2(encoded, nthreads=1),
        ),
    }
    if values.dtype != np.uint8:
        result["pcodec"] = (
            lambda: pcodec.standalone.simple_compress(values, ChunkConfig()),
            pcodec.standalone.simple_decompress,
        )
    return result


def timed(work: Callable, *arguments) -> tuple[float, object]:
    start = time.process_time()
    result = work(*arguments)
    return time.process_time() - start, result


def gigabytes(values: np.ndarray, seconds: list[float]) -> float:
    return values.nbytes / max(statistics.median(seconds), 1e-9) / 1e9


def measure(file: Path, rounds: int) -> None:
    name = file.name.split(".")[0]
    kind = TYPES[file.suffix]
    values = np.fromfile(file, "uint8" if kind == "bytes" else kind)
    times = {codec: ([], []) for codec in codecs(values)}
    sizes = {}
    for turn in range(rounds + 1):
        for codec, (compress, expand) in codecs(values).items():
            compressing, expanding = times[codec]
            if turn > 3 and sum(map(statistics.median, times[codec])) > PATIENCE:
                continue
            seconds, encoded = timed(compress)
            back_seconds, decoded = timed(expand, encoded)
            back = decoded.tobytes() if isinstance(decoded, np.ndarray) else bytes(decoded)
            if back != values.tobytes():
                sys.exit(f"wheels: {codec} did not give back {name}")
            sizes[codec] = values.nbytes if codec == "memcpy" else len(encoded)
            if turn > 0:
                compressing.append(seconds)
                expanding.append(back_seconds)
    copying = gigabytes(values, times["memcpy"][0] + times["memcpy"][1])
    for codec, (compressing, expanding) in times.items():
        if codec == "memcpy":
            continue
        speeds = f"{gigabytes(values, compressing):.4g},{gigabytes(values, expanding):.4g}"
        ratio = values.nbytes / sizes[codec]
        print(f"{name},{kind},{codec},0,{speeds},{ratio:.6g},0,{copying:.4g},,,", flush=True)


def main() -> None:
    for file in sys.argv[2:]:
        measure(Path(file), int(sys.argv[1]))


main()
