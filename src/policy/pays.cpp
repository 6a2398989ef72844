#include "policy/pays.h"

#include <algorithm>

namespace tightwire::policy {
namespace {

// What must be gained before it is worth leaving MPI's own way: the model is no better than this.
constexpr double margin = 0.95;

struct Speed {
  double encode = 0;  // bytes per second
  double decode = 0;
  double ratio = 1;
};

Speed speed_of(codec::Id codec) {
  switch (codec) {
#define TIGHTWIRE_CODEC_SPEED(id, encode, decode, ratio) \
  case codec::Id::id:                                    \
    return {(encode)*1e9, (decode)*1e9, ratio};
#include "policy/codec_speed.inc"
#undef TIGHTWIRE_CODEC_SPEED
    case codec::Id::raw:
      break;
  }
  return {};
}

}  // namespace

double compressed_cost(codec::Id codec, bool pipelined, double link) {
  const Speed speed = speed_of(codec);
  if (speed.encode <= 0) return raw_cost(link);
  const double coding = 1 / speed.encode + 1 / speed.decode;
  const double transfer = 1 / (speed.ratio * link);
  return pipelined ? std::max(coding, transfer) : coding + transfer;
}

double raw_cost(double link) {
  return 1 / link;
}

bool pays(const Plan& plan, double link) {
  if (plan.tier == Tier::raw) return true;
  return compressed_cost(plan.codec, plan.pipelined, link) < margin * raw_cost(link);
}

}  // namespace tightwire::policy
