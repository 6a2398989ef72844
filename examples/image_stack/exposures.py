"""Noisy exposures of a photograph, as a camera at night would take them.

The photograph is the Hubble deep field that comes with scikit-image, enlarged to twice its size:
three colours of 1744 x 2000 values from 0 to 255, float32, 42 MB. Each exposure adds the noise of
the sensor and of the light itself, and is counted in whole grey levels, as detectors do.
"""

from pathlib import Path

import numpy as np
from skimage import data, transform

READ_NOISE = 10.0  # standard deviation, grey levels
SHOT_NOISE = 2.0  # variance per grey level


def photograph() -> np.ndarray:
    """Colours x rows x columns, float32."""
    small = data.hubble_deep_field().astype(np.float32)
    rows, columns, colours = small.shape
    large = transform.resize(small, (2 * rows, 2 * columns, colours), order=3)
    return np.ascontiguousarray(np.moveaxis(large.clip(0, 255), 2, 0), dtype=np.float32)


def exposure(photo: np.ndarray, number: int) -> np.ndarray:
    """The same on every machine for the same number."""
    noise = np.random.default_rng(number).standard_normal(photo.shape, dtype=np.float32)
    return np.rint(photo + noise * np.sqrt(READ_NOISE**2 + SHOT_NOISE * photo))


def write_exposures(photo: np.ndarray, count: int, folder: Path) -> np.ndarray:
    """Writes 0.f32, 1.f32, ...; returns their sum in double precision."""
    total = np.zeros(photo.shape)
    for number in range(count):
        picture = exposure(photo, number)
        picture.tofile(folder / f"{number}.f32")
        total += picture
    return total
