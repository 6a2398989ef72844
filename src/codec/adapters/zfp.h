// zfp (Lindstrom, "Fixed-Rate Compressed Floating-Point Arrays", 2014) on the flat array, in blocks
// of four values. Either way every value is within Parameters::error_bound; see patched.h.
#pragma once

#include "codec/codec.h"

namespace tightwire::codec {

// As many bits as the error bound asks for.
[[nodiscard]] const Codec& zfp_accuracy();

// Parameters::zfp_rate bits per value (1 to 64), and patches where that is too few.
[[nodiscard]] const Codec& zfp_rate();

}  // namespace tightwire::codec
