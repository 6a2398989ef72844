// A job as an audit might find it.
#pragma once

#include "audit/profile.h"

namespace tightwire::audit {

inline Tried shrinks(double ratio) {
  return {65536, 65536 / ratio, ratio, ratio, 0, 90};
}

inline Samples sampled(double exactly, double bounded) {
  Samples samples;
  samples.count = 1;
  samples.values = 8192;
  for (std::size_t i = 0; i < choice_count; ++i) {
    samples.tried[i] = shrinks(is_exact(i) ? exactly : bounded);
  }
  return samples;
}

// Of 4 ranks on two hosts, over 1 Gbit/s: 100 messages of 1 MiB of doubles each.
inline Kind halo() {
  Kind kind;
  kind.site = "exchange_halo";
  kind.object = "heat";
  kind.function = "MPI_Isend";
  kind.communicator = "MPI_COMM_WORLD";
  kind.ranks = 4;
  kind.peer = Peer::other_host;
  kind.type = codec::ElementType::float64;
  kind.size_class = 21;
  return kind;
}

inline Profile job(const Kind& kind, const Samples& samples, std::uint64_t bytes = 1 << 20) {
  Profile profile;
  profile.version = "0.1.0";
  profile.ranks = 4;
  profile.hosts = 2;
  profile.seconds = 10;
  profile.mpi_seconds = 5;
  profile.latency = 50e-6;
  profile.bandwidth = 125e6;
  profile.calls[kind] = {400, 400 * bytes, 4, 4, samples};
  return profile;
}

}  // namespace tightwire::audit
