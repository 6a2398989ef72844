// SZ3 (Liang et al., "SZ3: A Modular Framework for Composing Prediction-Based Error-Bounded Lossy
// Compressors", 2022; Zhao et al., ICDE 2021) on the flat array, choosing between interpolation and
// Lorenzo prediction by itself. Slow, with a high ratio: for slow links.
//
// SZ3's own decoder trusts its input. The checksum that Patched verifies first keeps damage from
// it, but not somebody who forges the checksum as well: do not feed it bytes from an adversary.
#pragma once

#include "codec/codec.h"

namespace tightwire::codec {

[[nodiscard]] const Codec& sz3();

}  // namespace tightwire::codec
