#include "cli/file/recorded_channels.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

#include "cli/element_names.h"

namespace tightwire::cli {
namespace {

using Key = std::tuple<std::string, std::uint32_t, std::int32_t, std::int32_t, codec::ElementType>;

class Encoder {
 public:
  // Bytes that the codec makes of the values; all of them where it cannot.
  std::size_t size(codec::Id id, codec::ElementType type, std::span<const std::byte> values,
                   const codec::Parameters& parameters) {
    const codec::Codec* const codec = codec::find(id);
    if (codec == nullptr || !codec->supports(type)) return values.size();
    encoded_.resize(codec->max_encoded_size(type, values.size() / element_size(type)));
    const codec::Result result = codec->encode(type, values, parameters, encoded_);
    return result.ok() ? std::min(result.size, values.size()) : values.size();
  }

 private:
  std::vector<std::byte> encoded_;
};

void add(const recording::Message& message, const ParametersOf& parameters_of, Encoder& encoder,
         Channel& channel) {
  const auto values = message.values;
  codec::ElementType type = message.header.type;
  if (values.size() % element_size(type) != 0) type = codec::ElementType::bytes;
  const codec::Parameters parameters = parameters_of(type, values);
  const std::size_t exact = encoder.size(codec::Id::exact, type, values, parameters);
  const bool boundable = is_floating_point(type) && parameters.error_bound > 0;
  const std::size_t bounded =
      boundable ? encoder.size(codec::Id::bounded, type, values, parameters) : exact;
  ++channel.messages;
  channel.bytes += values.size();
  channel.exact += exact;
  channel.bounded += std::min(exact, bounded);
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
  std::snprintf(
      text, sizeof text, " %9llu %14llu %8.2f", static_cast<unsigned long long>(channel.messages),
      static_cast<unsigned long long>(channel.bytes), ratio(channel.bytes, channel.exact));
  std::string line = text;
  if (with_bound) {
    std::snprintf(text, sizeof text, " %8.2f", ratio(channel.bytes, channel.bounded));
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
  std::map<Key, Channel> found;
  Encoder encoder;
  while (const auto message = recording.next()) {
    const recording::MessageHeader& head = message->header;
    const std::string function(head.function);
    Channel& channel = found[{function, head.communicator, head.peer, head.tag, head.type}];
    channel.function = function;
    channel.communicator = head.communicator;
    channel.peer = head.peer;
    channel.tag = head.tag;
    channel.type = head.type;
    add(*message, parameters_of, encoder, channel);
  }
  std::vector<Channel> channels;
  channels.reserve(found.size());
  for (const auto& [key, channel] : found) channels.push_back(channel);
  std::ranges::stable_sort(channels, std::ranges::greater{}, &Channel::bytes);
  return channels;
}

Channel total_of(const std::vector<Channel>& channels) {
  Channel total;
  for (const Channel& channel : channels) {
    total.messages += channel.messages;
    total.bytes += channel.bytes;
    total.exact += channel.exact;
    total.bounded += channel.bounded;
  }
  return total;
}

std::string describe(const std::vector<Channel>& channels, std::size_t most, bool with_bound) {
  std::string text =
      "  call                     comm  peer     tag type      messages          bytes    exact";
  text += with_bound ? "  bounded\n" : "\n";
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
