#include "p2p/transfer/message_encoding.h"

#include <mutex>

#include "codec/estimate/memory.h"
#include "mpi/communicator/effective_settings.h"
#include "mpi/encoding/error_bound.h"
#include "p2p/state/frame_rules.h"
#include "p2p/transfer/expected_bytes.h"
#include "policy/choose.h"
#include "policy/message.h"

namespace tightwire::p2p {
namespace {

// Below this the gain is not worth the receiver's work.
constexpr double least_ratio = 1.05;

// What a sample says of a message: how to send it, and how its values lie.
struct Sampled {
  policy::MessageWay way;
  std::uint32_t row_length;
  std::uint32_t plane_length;
  std::uint32_t components;
};

// Estimates by buffer, size, type and bound.
class Samples {
 public:
  Sampled best(const MessageEncoding& chosen, SendBuffer& values,
               const policy::ChunkRange& chunks) {
    const std::array candidates{chosen.plan.codec, codec::Id::exact, codec::Id::lz4,
                                codec::Id::zstd};
    codec::Parameters parameters = chosen.encoding.parameters;
    parameters.second_stage = codec::SecondStage::entropy;
    const std::scoped_lock lock(mutex_);
    const codec::Estimate& estimate = memory_.get(chosen.encoding.type, values.name(), parameters,
                                                  candidates, [&] { return values.all(); });
    const bool both_ways = expected_bytes().load(std::memory_order_relaxed) >= values.size() / 2;
    const policy::MessageWay way = policy::best_way(
        estimate.all(), {values.size(), frame_rules().link_speed, chunks, both_ways});
    return {way, estimate.row_length, estimate.plane_length, estimate.components};
  }

  void observe(const MessageEncoding& chosen, const SendBuffer& values, double ratio) {
    const std::scoped_lock lock(mutex_);
    memory_.observe(chosen.encoding.type, values.name(), chosen.encoding.parameters,
                    chosen.encoding.codec->id(),
                    static_cast<std::size_t>(static_cast<double>(values.size()) / ratio),
                    chosen.encoding.parameters.second_stage);
  }

 private:
  std::mutex mutex_;
  codec::EstimateMemory memory_;
};

Samples& samples() {
  static auto* const samples = new Samples;
  return *samples;
}

// Only the codecs of our own and the usual byte codecs can be told from a sample; the user's word
// counts where it is another.
bool left_to_us(const policy::Plan& plan, const settings::Settings& settings) {
  return settings::is_adaptive(settings.mode) &&
         settings.bounded_codec != settings::BoundedCodec::bounded_entropy &&
         settings.exact_codec != settings::ExactCodec::exact_entropy &&
         frame_rules().link_speed > 0 && plan.tier != policy::Tier::raw &&
         (plan.codec == codec::Id::bounded || plan.codec == codec::Id::exact);
}

// The error bound of lossy codecs. Where there is none for these values the plan becomes exact.
std::optional<double> bound_for(policy::Plan& plan, const settings::Settings& settings,
                                codec::ElementType element, SendBuffer& values) {
  if (plan.tier != policy::Tier::bounded) return std::nullopt;
  const bool of_range = settings.error_bound.kind == settings::ErrorBound::Kind::relative;
  const std::optional<double> bound = mpi::absolute_bound(
      settings, element, of_range ? values.all() : std::span<const std::byte>(), MPI_COMM_NULL);
  if (!bound) {
    plan.tier = policy::Tier::exact;
    plan.codec = policy::exact_codec(settings);
  }
  return bound;
}

// Lets a sample say which codec is the fastest; none may be.
void choose_by_sample(MessageEncoding& chosen, const settings::Settings& settings,
                      SendBuffer& values, double bound) {
  chosen.sampled = true;
  const Sampled sampled =
      samples().best(chosen, values, policy::chunk_range(settings, chosen.plan, values.size()));
  const policy::MessageWay& way = sampled.way;
  if (way.codec == codec::Id::raw) {
    chosen = {};
    return;
  }
  chosen.chunks = way.chunks;
  chosen.encoding = mpi::encoding_for(settings, way.codec, chosen.encoding.type, bound);
  chosen.encoding.parameters.second_stage = way.second_stage;
  chosen.encoding.parameters.row_length = sampled.row_length;
  chosen.encoding.parameters.plane_length = sampled.plane_length;
  chosen.encoding.parameters.components = sampled.components;
  const bool lossy = chosen.encoding.codec->lossy();
  chosen.plan.tier = lossy ? policy::Tier::bounded : policy::Tier::exact;
}

}  // namespace

MessageEncoding message_encoding(const std::optional<mpi::PredefinedType>& type, SendBuffer& values,
                                 const mpi::Route& route, int destination) {
  const codec::ElementType element = type ? type->element : codec::ElementType::bytes;
  const policy::EffectiveSettings& effective = route.resolver().of(
      {policy::Operation::send, values.size(), element, route.other_host(destination)});
  mpi::count_rule(effective);
  const settings::Settings& settings = effective.settings;
  const bool boundable = type && mpi::is_boundable(*type);
  policy::Plan plan = policy::choose(settings, {policy::Operation::send, values.size(), boundable});
  const double bound = bound_for(plan, settings, element, values).value_or(0);
  MessageEncoding chosen{plan, mpi::encoding_for(settings, plan.codec, element, bound),
                         policy::chunk_count(settings, plan, values.size())};
  if (left_to_us(plan, settings)) choose_by_sample(chosen, settings, values, bound);
  if (chosen.plan.tier == policy::Tier::raw) return chosen;
  chosen.plan.codec = chosen.encoding.codec->id();
  chosen.encoding.parameters.least_ratio = least_ratio;
  return chosen;
}

void remember(const MessageEncoding& chosen, const SendBuffer& values, double ratio) {
  if (chosen.sampled) samples().observe(chosen, values, ratio);
}

}  // namespace tightwire::p2p
