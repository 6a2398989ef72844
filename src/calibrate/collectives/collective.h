// Which collectives are measured, by their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tightwire::calibrate {

enum class Collective : std::uint8_t { allreduce, reduce, bcast };

inline constexpr Collective all_collectives[] = {Collective::allreduce, Collective::reduce,
                                                 Collective::bcast};

[[nodiscard]] std::string_view name_of(Collective collective);
[[nodiscard]] std::optional<Collective> collective_named(std::string_view name);

}  // namespace tightwire::calibrate
