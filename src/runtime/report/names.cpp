#include "runtime/report/names.h"

#include <array>

#include "codec/codec.h"

namespace tightwire::runtime {
namespace {

constexpr std::array<const char*, policy::operation_count> operation_names{
    "Bcast",     "Reduce",   "Allreduce",          "Reduce_scatter",    "Scan", "Gather", "Scatter",
    "Allgather", "Alltoall", "Neighbor_allgather", "Neighbor_alltoall", "Send"};
constexpr std::array<const char*, policy::tier_count> tier_names{"raw", "exact", "bounded"};
constexpr std::array<ReasonName, policy::reason_count> reason_names{{
    {"not handled", "unhandled"},
    {"below the threshold", "below-threshold"},
    {"switched off", "off"},
    {"within one host", "same-host"},
    {"rounded sum, no bound", "rounded-sum"},
    {"network not known yet", "measuring"},
    {"would take longer", "too-slow"},
    {"do not shrink", "no-gain"},
    {"synchronous send", "synchronous"},
    {"not handled", "unhandled"},
    {"not handled", "one-sided"},
    {"too few calls yet", "few"},
    {"ranks share cores", "shared-cores"},
}};

}  // namespace

const char* operation_name(const Row& row) {
  if (row.plan.why == policy::Reason::one_sided) return "One-sided";
  return operation_names[static_cast<std::size_t>(row.operation)];
}

ReasonName reason_name(policy::Reason reason) {
  return reason_names[static_cast<std::size_t>(reason)];
}

const char* tier_name(policy::Tier tier) {
  return tier_names[static_cast<std::size_t>(tier)];
}

std::string codec_name(const Row& row) {
  const codec::Codec* codec = codec::find(row.plan.codec);
  return row.plan.tier == policy::Tier::raw || codec == nullptr ? "-" : std::string(codec->name());
}

double ratio_of(const Row& row) {
  return row.bytes_after > 0
             ? static_cast<double>(row.bytes_before) / static_cast<double>(row.bytes_after)
             : 1.0;
}

std::string without_folders(const std::string& place) {
  return place.substr(place.rfind('/') + 1);
}

}  // namespace tightwire::runtime
