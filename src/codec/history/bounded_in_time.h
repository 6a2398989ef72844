// `bounded` with earlier messages: their values go on in time, the grid's integers are what is left
// of the message. References hold decoded values, so that nothing drifts.
#pragma once

#include "codec/bounded/layout.h"

namespace tightwire::codec::bounded {

// Whether a sample of the message says that the references tell more of it than its neighbours do,
// if they are taken apart as the parameters say. The grid is given.
[[nodiscard]] bool time_pays(const Header& header, std::span<const std::byte> values,
                             const Parameters& parameters);

// Sizes are of the body, which is what follows the header, by whose grid it is coded or not. The
// coder allocates, as those without references do.
Result encode_in_time(const Header& header, std::span<const std::byte> values,
                      References references, std::span<std::byte> body);
Result decode_in_time(const Header& header, std::span<const std::byte> body, References references,
                      std::span<std::byte> values);

}  // namespace tightwire::codec::bounded
