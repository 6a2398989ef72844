#include "policy/tuning/is_profitable.h"

#include <algorithm>

#include "policy/cost/helpers.h"
#include "policy/cost/schedule.h"
#include "policy/message.h"

namespace tightwire::policy {
namespace {

double passing_on(const Passage& passage, const Speeds& speeds, double coding) {
  const double transfer = 1 / (speeds.ratio * passage.link);
  if (!passage.pipelined) return passage.look + coding + transfer;
  const double moving = 2 * core_seconds_per_byte(passage.latency) / speeds.ratio;
  return passage.look + std::max(together(coding, moving, passage.coding_speedup), transfer);
}

}  // namespace

double compressed_cost(codec::Id codec, double ratio, const Passage& passage) {
  const Speeds speeds = speeds_of(codec, codec::ElementType::float32, ratio);
  return passing_on(passage, speeds, speeds.encode + speeds.decode);
}

double cost_in_time(codec::Id codec, double ratio, const Passage& passage, std::size_t bytes) {
  const Speeds speeds = speeds_of(codec, codec::ElementType::float32, ratio);
  const double coding = cost_of_prediction(usual_references) * (speeds.encode + speeds.decode);
  const double keeping = 2 * keeping_seconds_of(bytes) / static_cast<double>(bytes);
  return keeping + passing_on(passage, speeds, coding);
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

bool is_profitable(const Plan& plan, double ratio, const Passage& passage) {
  if (plan.tier == Tier::raw) return true;
  return compressed_cost(plan.codec, ratio, passage) < gain_to_start * raw_cost(passage.link);
}

}  // namespace tightwire::policy
