"""Writes a picture whole or not at all."""

from pathlib import Path

from matplotlib.figure import Figure
from measurements import PlotError
from whole_file import IrregularFileError, replacing


def save(figure: Figure, path: Path) -> None:
    kind = path.suffix.lstrip(".").lower() or "png"
    try:
        with replacing(path) as file:
            figure.savefig(file, dpi=140, format=kind)
    except IrregularFileError as error:
        raise PlotError(str(error)) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise PlotError(f"cannot write {path}: {reason}") from error
