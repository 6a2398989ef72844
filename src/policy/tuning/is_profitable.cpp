#include "policy/tuning/is_profitable.h"

#include <algorithm>

#include "policy/cost/schedule.h"
#include "policy/message.h"

namespace tightwire::policy {

double compressed_cost(codec::Id codec, double ratio, bool pipelined, double link) {
  const Speeds speeds = speeds_of(codec, codec::ElementType::float32, ratio);
  const double coding = speeds.encode + speeds.decode;
  const double transfer = 1 / (speeds.ratio * link);
  return pipelined ? std::max(coding, transfer) : coding + transfer;
}

double cost_in_time(codec::Id codec, double ratio, bool pipelined, double link, std::size_t bytes) {
  const Speeds speeds = speeds_of(codec, codec::ElementType::float32, ratio);
  const double coding = cost_of_prediction(usual_references) * (speeds.encode + speeds.decode);
  const double transfer = 1 / (speeds.ratio * link);
  const double keeping = 2 * keeping_seconds_of(bytes) / static_cast<double>(bytes);
  return keeping + (pipelined ? std::max(coding, transfer) : coding + transfer);
}

double raw_cost(double link) {
  return 1 / link;
}

bool is_profitable(const Plan& plan, double ratio, double link) {
  if (plan.tier == Tier::raw) return true;
  return compressed_cost(plan.codec, ratio, plan.pipelined, link) < gain_to_start * raw_cost(link);
}

}  // namespace tightwire::policy
