#include "experience/json.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "settings/text.h"

namespace tightwire::experience {
namespace {

using Json = nlohmann::ordered_json;

constexpr int format = 1;  // what numbers stand for: of types and operators, too

// What no clock or network of ours says.
constexpr double longest = 1e6;        // seconds
constexpr double fastest = 1e15;       // bytes a second
constexpr double largest_ratio = 1e6;  // bytes / bytes
constexpr double most = 1 << 30;       // of whole numbers

double number(const Json& json, const char* key, double largest) {
  const double value = json.at(key).get<double>();
  if (!(value >= 0 && value <= largest)) {
    throw std::out_of_range(std::string(key) + " is no number from 0 to " +
                            settings::print_number(largest));
  }
  return value;
}

// What files of before do not have.
double number_if_there(const Json& json, const char* key, double largest) {
  return json.contains(key) ? number(json, key, largest) : 0;
}

// As number() reads it.
double kept(double value, double largest) {
  return value >= 0 ? std::min(value, largest) : 0;
}

template <typename Whole>
Whole whole(const Json& json, const char* key) {
  const double value = number(json, key, most);
  if (value != std::floor(value)) throw std::out_of_range(std::string(key) + " is no whole number");
  return static_cast<Whole>(value);
}

policy::Operation operation(const Json& json) {
  policy::Operation value{};
  const std::string name = json.at("operation").get<std::string>();
  if (settings::parse(name, value)) throw std::out_of_range("operation is none of MPI's");
  return value;
}

std::uint64_t hash(const Json& json) {
  const Json& value = json.at("settings");
  if (!value.is_number_unsigned()) throw std::out_of_range("settings is no number");
  return value.get<std::uint64_t>();
}

policy::Extent extent(const Json& json) {
  return {whole<int>(json, "ranks"), whole<int>(json, "hosts")};
}

void put_extent(Json& json, const policy::Extent& extent) {
  json["ranks"] = extent.ranks;
  json["hosts"] = extent.hosts;
}

Json to_json(const Experience::Calls::value_type& calls) {
  const auto& [key, learned] = calls;
  const auto& [extent, kind] = key;
  Json json;
  json["operation"] = settings::print(kind.operation);
  put_extent(json, extent);
  json["size"] = kind.size;
  json["data"] = kind.data;
  json["settings"] = kind.settings;
  json["compress"] = learned.compress;
  json["raw_seconds"] = kept(learned.raw_seconds, longest);
  json["compressed_seconds"] = kept(learned.compressed_seconds, longest);
  json["compressed_ratio"] = kept(learned.compressed_ratio, largest_ratio);
  json["compressed_bandwidth"] = kept(learned.compressed_bandwidth, fastest);
  json["compressed_codec_time"] = kept(learned.compressed_codec_time, largest_ratio);
  json["correction"] = kept(learned.correction, largest_ratio);
  json["came_to"] = kept(learned.came_to, largest_ratio);
  json["interval"] = learned.interval;
  return json;
}

void read_calls(const Json& json, Experience::Calls& calls) {
  const policy::KindOfCall kind{operation(json), whole<unsigned>(json, "data"),
                                whole<unsigned>(json, "size"), hash(json)};
  calls[{extent(json), kind}] = {
      .raw_seconds = number(json, "raw_seconds", longest),
      .compressed_seconds = number(json, "compressed_seconds", longest),
      .compressed_ratio = number(json, "compressed_ratio", largest_ratio),
      .compressed_bandwidth = number(json, "compressed_bandwidth", fastest),
      .compressed_codec_time = number_if_there(json, "compressed_codec_time", largest_ratio),
      .correction = number(json, "correction", largest_ratio),
      .came_to = number(json, "came_to", largest_ratio),
      .interval = whole<std::size_t>(json, "interval"),
      .compress = json.at("compress").get<bool>()};
}

Json to_json(const Experience::UnevenCalls::value_type& calls) {
  const auto& [key, learned] = calls;
  Json json;
  json["operation"] = settings::print(key.second);
  put_extent(json, key.first);
  json["pause"] = learned.pause;
  json["slower"] = learned.slower;
  return json;
}

void read_uneven(const Json& json, Experience::UnevenCalls& calls) {
  calls[{extent(json), operation(json)}] = {whole<std::size_t>(json, "pause"),
                                            json.at("slower").get<bool>()};
}

Json to_json(const Experience::Messages::value_type& messages) {
  const auto& [size_class, learned] = messages;
  Json json;
  json["size"] = size_class;
  json["unmodified"] = kept(learned.unmodified, longest);
  json["pays"] = learned.pays;
  return json;
}

void read_messages(const Json& json, Experience::Messages& messages) {
  const double unmodified = number(json, "unmodified", longest);
  if (unmodified == 0) throw std::out_of_range("unmodified is 0");
  messages[whole<unsigned>(json, "size")] = {unmodified, json.at("pays").get<bool>()};
}

template <typename Map>
Json list(const Map& map) {
  Json all = Json::array();
  for (const auto& each : map) all.push_back(to_json(each));
  return all;
}

template <typename Map>
void read_list(const Json& json, const char* key, Map& map, void (*read)(const Json&, Map&)) {
  const Json& all = json.at(key);
  if (!all.is_array() || all.size() > most_kinds) {
    throw std::out_of_range(std::string(key) +
                            " is no list of so many at most: " + std::to_string(most_kinds));
  }
  for (const Json& each : all) read(each, map);
}

Experience read(const Json& json) {
  Experience experience;
  const Json& network = json.at("network");
  experience.network = {number(network, "latency", longest), number(network, "bandwidth", fastest),
                        network.value("rough", false)};
  read_list(json, "collectives", experience.calls, &read_calls);
  read_list(json, "v_operations", experience.uneven_calls, &read_uneven);
  read_list(json, "messages", experience.messages, &read_messages);
  return experience;
}

}  // namespace

std::string as_json(const Experience& experience, std::string_view version) {
  Json json;
  json["learned"] = format;
  json["tightwire"] = version;
  json["network"] = {{"latency", kept(experience.network.latency, longest)},
                     {"bandwidth", kept(experience.network.bandwidth, fastest)},
                     {"rough", experience.network.rough}};
  json["collectives"] = list(experience.calls);
  json["v_operations"] = list(experience.uneven_calls);
  json["messages"] = list(experience.messages);
  return json.dump(1) + "\n";
}

std::optional<Experience> read_json(std::string_view text, std::string& fault) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("learned")) {
    fault = "is no file of what a job learned";
    return std::nullopt;
  }
  if (json["learned"] != format) {
    fault = "is of another version of tightwire";
    return std::nullopt;
  }
  try {
    return read(json);
  } catch (const nlohmann::json::exception& error) {
    fault = std::string("is damaged: ") + error.what();
  } catch (const std::out_of_range& error) {
    fault = std::string("is damaged: ") + error.what();
  }
  return std::nullopt;
}

}  // namespace tightwire::experience
