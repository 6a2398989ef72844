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

// Each rank merges what arrives while it sends what it has merged. With references it decodes that
// as well, and takes apart what it sends.
bool sums_pay_in_time(const SumsOnTheirWay& sums, double ratio) {
  const auto bytes = static_cast<double>(sums.bytes);
  const auto size = static_cast<double>(sums.size);
  const Speeds speeds = speeds_of(codec::Id::bounded, sums.type, bytes / size);
  const double merging = (speeds.encode + speeds.decode) * bytes;
  const double predicting = 2 * merging;
  const double keeping = 2 * keeping_seconds_of(sums.bytes);
  const auto seconds = [&](double transfer, double coding) {
    return sums.pipelined ? std::max(transfer, coding) : transfer + coding;
  };
  const double usual = seconds(size / sums.link, merging);
  const double in_time = keeping + seconds(bytes / ratio / sums.link, merging + predicting);
  return in_time < gain_to_start * usual;
}

double raw_cost(double link) {
  return 1 / link;
}

bool is_profitable(const Plan& plan, double ratio, double link) {
  if (plan.tier == Tier::raw) return true;
  return compressed_cost(plan.codec, ratio, plan.pipelined, link) < gain_to_start * raw_cost(link);
}

}  // namespace tightwire::policy
