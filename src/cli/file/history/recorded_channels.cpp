#include "cli/file/history/recorded_channels.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

#include "cli/element_names.h"
#include "cli/file/history/earlier_messages.h"

namespace tightwire::cli {
namespace {

using Key = std::tuple<std::string, std::uint32_t, std::int32_t, std::int32_t, codec::ElementType>;

class Encoder {
 public:
  // Bytes that the codec makes of the values; all of them where it cannot.
  std::size_t size(codec::Id id, codec::ElementType type, std::span<const std::byte> values,
                   const codec::Parameters& parameters) {
    codec_ = codec::find(id);
    if (codec_ == nullptr || !codec_->supports(type)) return values.size();
    encoded_.resize(codec_->max_encoded_size(type, values.size() / element_size(type)));
    last_ = codec_->encode(type, values, parameters, encoded_);
    return last_.ok() ? std::min(last_.size, values.size()) : values.size();
  }

  // What the last encoding is expanded to; the values themselves where there was none.
  [[nodiscard]] std::vector<std::byte> expanded(codec::ElementType type,
                                                std::span<const std::byte> values,
                                                codec::References references) const {
    std::vector<std::byte> expanded(values.begin(), values.end());
    if (codec_ == nullptr || !codec_->supports(type) || !last_.ok()) return expanded;
    const auto encoded = std::span(encoded_).first(last_.size);
    static_cast<void>(codec_->decode_with(type, encoded, references, expanded));
    return expanded;
  }

 private:
  const codec::Codec* codec_ = nullptr;
  codec::Result last_;
  std::vector<std::byte> encoded_;
};

// Of one size, as their receiver has them.
struct Series {
  EarlierMessages exact;
  EarlierMessages within_bound;
};

struct Traffic {
  Channel channel;
  std::map<std::size_t, Series> series;  // by size
};

// The smaller one of what the codec makes with earlier messages and, `alone`, without: which the
// encoder has made last.
std::size_t size_in_time(codec::Id id, codec::ElementType type, std::span<const std::byte> values,
                         codec::Parameters parameters, std::size_t alone, Encoder& encoder) {
  if (parameters.references.empty()) return alone;
  return std::min(alone, encoder.size(id, type, values, parameters));
}

std::size_t exact_in_time(codec::ElementType type, std::span<const std::byte> values,
                          codec::Parameters parameters, EarlierMessages& earlier, std::size_t alone,
                          Encoder& encoder) {
  parameters.error_bound = 0;
  const auto references = earlier.best_for(type, values, parameters);
  parameters.references = references;
  earlier.add(values);
  return size_in_time(codec::Id::exact, type, values, parameters, alone, encoder);
}

// As in a job: what is predicted from has come within the bound itself.
std::size_t bounded_in_time(codec::ElementType type, std::span<const std::byte> values,
                            codec::Parameters parameters, EarlierMessages& earlier,
                            std::size_t alone, Encoder& encoder) {
  const auto references = earlier.best_for(type, values, parameters);
  parameters.references = references;
  const std::size_t size =
      size_in_time(codec::Id::bounded, type, values, parameters, alone, encoder);
  earlier.add(encoder.expanded(type, values, references));
  return size;
}

void add(const recording::Message& message, const ParametersOf& parameters_of, Encoder& encoder,
         Traffic& traffic) {
  const auto values = message.values;
  codec::ElementType type = message.header.type;
  if (values.size() % element_size(type) != 0) type = codec::ElementType::bytes;
  const codec::Parameters parameters = parameters_of(type, values);
  Series& series = traffic.series[values.size()];
  const std::size_t exact = encoder.size(codec::Id::exact, type, values, parameters);
  const std::size_t exact_then =
      exact_in_time(type, values, parameters, series.exact, exact, encoder);
  const bool boundable = is_floating_point(type) && parameters.error_bound > 0;
  const std::size_t bounded =
      boundable ? encoder.size(codec::Id::bounded, type, values, parameters) : exact;
  const std::size_t bounded_then =
      boundable ? bounded_in_time(type, values, parameters, series.within_bound, bounded, encoder)
                : exact_then;
  Channel& channel = traffic.channel;
  ++channel.messages;
  channel.bytes += values.size();
  channel.exact += exact;
  channel.exact_in_time += exact_then;
  channel.bounded += std::min(exact, bounded);
  channel.bounded_in_time += std::min(exact_then, bounded_then);
}

// "-": all ranks take part.
std::string text_of_peer(const Channel& channel) {
  return channel.peer == recording::nobody ? "-" : std::to_string(channel.peer);
}

std::string text_of_tag(const Channel& channel) {
  return channel.tag == recording::no_tag ? "-" : std::to_string(channel.tag);
}

double ratio(std::uint64_t before, std::uint64_t after) {
  return after == 0 ? 1 : static_cast<double>(before) / static_cast<double>(after);
}

std::string figures(const Channel& channel, bool with_bound) {
  char text[120];
  std::snprintf(text, sizeof text, " %9llu %14llu %8.2f %8.2f",
                static_cast<unsigned long long>(channel.messages),
                static_cast<unsigned long long>(channel.bytes), ratio(channel.bytes, channel.exact),
                ratio(channel.bytes, channel.exact_in_time));
  std::string line = text;
  if (with_bound) {
    std::snprintf(text, sizeof text, " %8.2f %8.2f", ratio(channel.bytes, channel.bounded),
                  ratio(channel.bytes, channel.bounded_in_time));
    line += text;
  }
  return line + "\n";
}

std::string line_of(const Channel& channel, bool with_bound) {
  char text[160];
  std::snprintf(text, sizeof text, "  %-24s %4u %5s %7s %-8s", channel.function.c_str(),
                channel.communicator, text_of_peer(channel).c_str(), text_of_tag(channel).c_str(),
                name_of(channel.type).c_str());
  return text + figures(channel, with_bound);
}

}  // namespace

std::vector<Channel> channels_of(recording::Reader& recording, const ParametersOf& parameters_of) {
  std::map<Key, Traffic> found;
  Encoder encoder;
  while (const auto message = recording.next()) {
    const recording::MessageHeader& head = message->header;
    const std::string function(head.function);
    Traffic& traffic = found[{function, head.communicator, head.peer, head.tag, head.type}];
    Channel& channel = traffic.channel;
    channel.function = function;
    channel.communicator = head.communicator;
    channel.peer = head.peer;
    channel.tag = head.tag;
    channel.type = head.type;
    add(*message, parameters_of, encoder, traffic);
  }
  std::vector<Channel> channels;
  channels.reserve(found.size());
  for (const auto& [key, traffic] : found) channels.push_back(traffic.channel);
  std::ranges::stable_sort(channels, std::ranges::greater{}, &Channel::bytes);
  return channels;
}

Channel total_of(const std::vector<Channel>& channels) {
  Channel total;
  for (const Channel& channel : channels) {
    total.messages += channel.messages;
    total.bytes += channel.bytes;
    total.exact += channel.exact;
    total.exact_in_time += channel.exact_in_time;
    total.bounded += channel.bounded;
    total.bounded_in_time += channel.bounded_in_time;
  }
  return total;
}

std::string describe(const std::vector<Channel>& channels, std::size_t most, bool with_bound) {
  std::string text =
      "  call                     comm  peer     tag type      messages          bytes    exact  "
      "in time";
  text += with_bound ? "  bounded  in time\n" : "\n";
  for (std::size_t i = 0; i < std::min(most, channels.size()); ++i) {
    text += line_of(channels[i], with_bound);
  }
  if (channels.size() > most) {
    text += "  and " + std::to_string(channels.size() - most) + " smaller ones\n";
  }
  char total[64];
  std::snprintf(total, sizeof total, "  %-52s", "all");
  return text + total + figures(total_of(channels), with_bound);
}

}  // namespace tightwire::cli
