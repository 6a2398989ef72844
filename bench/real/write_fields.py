"""Writes fields of the package iris-sample-data as raw files NAME.SHAPE.TYPE, fill values and all,
as a program holds them in memory. Argument: the folder. Needs requirements.txt and data.txt."""

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import iris_sample_data
import netCDF4
import numpy as np

DATA = Path(iris_sample_data.path)
ICE_MONTHS = 24  # of 120 that there are, all much alike


def variable(file: str, name: str) -> np.ndarray:
    with netCDF4.Dataset(DATA / file) as data:
        data.set_auto_maskandscale(False)
        return np.asarray(data.variables[name][:])


def months(pattern: str, name: str) -> np.ndarray:
    return np.concatenate(
        [variable(str(file.relative_to(DATA)), name) for file in sorted(DATA.glob(pattern))]
    )


def records(file: Path) -> Iterator[bytes]:
    """What lies between the lengths that Fortran writes before and after each."""
    contents = file.read_bytes()
    at = 0
    while at < len(contents):
        (length,) = struct.unpack_from(">i", contents, at)
        yield contents[at + 4 : at + 4 + length]
        at += length + 8


def grids(pattern: str, variable: int, most: int | None = None) -> np.ndarray:
    """From the Unified Model's PP format: a header of 64 words, then rows of big-endian float32.
    Word 18 is the number of rows, 19 that of columns, 42 the variable (a code of the model's)."""
    found = []
    for file in sorted(DATA.glob(pattern))[:most]:
        words = records(file)
        for header, grid in zip(words, words, strict=True):
            integers = np.frombuffer(header, ">i4")
            rows, columns = int(integers[17]), int(integers[18])
            if integers[41] == variable:
                values = np.frombuffer(grid, ">f4", rows * columns)
                found.append(values.astype("<f4").reshape(rows, columns))
    return np.stack(found)


FIELDS = {
    # Temperature of the air in K: years, latitudes, longitudes.
    "real_air_temperature": lambda: variable("A1B_north_america.nc", "air_temperature"),
    # Temperature of the sea's surface, land at 1e20.
    "real_sea_temperature": lambda: months("NEMO/*.nc", "tos"),
    "real_sea_temperature_k": lambda: variable("ostia_monthly.nc", "surface_temperature"),
    # The same model's corners of cells, four to each.
    "real_corners": lambda: variable("NEMO/nemo_1m_20150101-20150201_grid-T.nc", "bounds_lon"),
    "real_corners_f64": lambda: variable("orca2_votemper.nc", "nav_lat_bnds"),
    # Land at 9.96921e36.
    "real_ocean": lambda: variable("orca2_votemper.nc", "votemper"),
    # From 287 to 289 K.
    "real_potential_temperature": lambda: variable("hybrid_height.nc", "air_potential_temperature"),
    "real_electrons": lambda: variable("space_weather.nc", "Ne"),
    # A satellite's picture in K, space at -1.07e9.
    "real_brightness": lambda: variable("toa_brightness_stereographic.nc", "data"),
    # A seasonal forecast's members and months.
    "real_forecast": lambda: grids("GloSea4/*.pp", 24),
    "real_pressure": lambda: grids("colpex.pp", 408),
    "real_weather": lambda: grids("uk_hires.pp", 4),
    "real_wind": lambda: grids("time_varying_hybrid_height/*.pp", 2),
    # -1.07e9 where there is none.
    "real_ice_velocity": lambda: grids("UM/*.pp", 149, ICE_MONTHS),
}


def main() -> None:
    folder = Path(sys.argv[1])
    for name, read in FIELDS.items():
        values = read()
        kind = {4: "f32", 8: "f64"}[values.dtype.itemsize]
        shape = "x".join(map(str, values.shape))
        values.astype(values.dtype.newbyteorder("<")).tofile(folder / f"{name}.{shape}.{kind}")


main()
