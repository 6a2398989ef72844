// What Tightwire says of its own calls, through MPI's performance variables.
#pragma once

namespace tightwire::comparison {

// Of this rank, so far.
struct OwnTimes {
  double encoding = 0;  // seconds
  double combining = 0;
  double decoding = 0;
  unsigned long long compressed_calls = 0;
};

[[nodiscard]] OwnTimes own_times();

}  // namespace tightwire::comparison
