"""How far a picture is from its reference, in the measures the literature uses."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Quality:
    psnr_db: float  # peak: the reference's value range
    nrmse: float  # root mean square error over the reference's value range
    largest_error: float  # in the data's own unit


def quality(picture: np.ndarray, reference: np.ndarray) -> Quality:
    error = picture.astype(np.float64) - reference
    rmse = np.sqrt(np.mean(error**2))
    span = float(reference.max() - reference.min())
    psnr = 20 * np.log10(span / rmse) if rmse > 0 else np.inf
    return Quality(float(psnr), float(rmse / span), float(np.abs(error).max()))
