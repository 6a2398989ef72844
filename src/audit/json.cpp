#include "audit/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "audit/forecast.h"

namespace tightwire::audit {
namespace {

using Json = nlohmann::ordered_json;

constexpr int format = 1;
constexpr std::array<const char*, 3> peers{"nobody", "same-host", "other-host"};
constexpr std::array<const char*, 7> types{"bytes", "int8",    "int16",  "int32",
                                           "int64", "float32", "float64"};

// JSON has no infinity.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json sizes(std::size_t choice, const Tried& tried) {
  return {{"choice", name_of_choice(choice)}, {"bytes_before", tried.values},
          {"bytes_after", tried.encoded},     {"ratio", tried.ratio()},
          {"least_ratio", tried.least},       {"most_ratio", tried.most}};
}

Json to_json(std::size_t choice, const Tried& tried) {
  Json json = sizes(choice, tried);
  if (is_exact(choice)) return json;
  json["largest_error"] = tried.largest_error;
  json["psnr"] = number(tried.psnr);
  return json;
}

Json to_json(const Samples& samples) {
  Json tried = Json::array();
  for (std::size_t i = 0; i < samples.tried.size(); ++i) {
    if (samples.tried[i].values > 0) tried.push_back(to_json(i, samples.tried[i]));
  }
  Json json{{"count", samples.count},
            {"values", samples.values},
            {"fill_values", samples.fill_values},
            {"tried", tried}};
  for (std::size_t i = 0; i < samples.in_time.size(); ++i) {
    if (samples.in_time[i].values == 0) continue;
    json["in_time"].push_back(sizes(i, samples.in_time[i]));
  }
  return json;
}

Json to_json(const Kind& kind, const Figures& figures) {
  Json json{{"site", kind.site},
            {"object", kind.object},
            {"offset", kind.offset},
            {"function", kind.function},
            {"communicator", kind.communicator},
            {"communicator_ranks", kind.ranks},
            {"peer", peers[static_cast<std::size_t>(kind.peer)]},
            {"type", types[static_cast<std::size_t>(kind.type)]},
            {"derived", kind.derived},
            {"reduction", kind.reduction},
            {"size_class", kind.size_class},
            {"calls", figures.calls},
            {"bytes", figures.bytes},
            {"seconds", figures.seconds},
            {"channels", figures.channels}};
  if (figures.samples.count > 0) json["samples"] = to_json(figures.samples);
  return json;
}

template <std::size_t size>
std::size_t index_of(const std::array<const char*, size>& names, const std::string& name) {
  for (std::size_t i = 0; i < size; ++i) {
    if (name == names[i]) return i;
  }
  throw std::invalid_argument(name);
}

// Of the choices that this version has.
template <class Read>
void read_choices(const Json& json, std::array<Tried, choice_count>& all, const Read& read_more) {
  for (const Json& each : json) {
    const std::string name = each.at("choice");
    for (std::size_t i = 0; i < choice_count; ++i) {
      if (name != name_of_choice(i)) continue;
      Tried& tried = all[i];
      tried.values = each.at("bytes_before");
      tried.encoded = each.at("bytes_after");
      tried.least = each.at("least_ratio");
      tried.most = each.at("most_ratio");
      if (!is_exact(i)) read_more(each, tried);
    }
  }
}

void read(const Json& json, Samples& samples) {
  samples.count = json.at("count");
  samples.values = json.at("values");
  samples.fill_values = json.at("fill_values");
  read_choices(json.at("tried"), samples.tried, [](const Json& each, Tried& tried) {
    tried.largest_error = each.at("largest_error");
    if (!each.at("psnr").is_null()) tried.psnr = each.at("psnr");
  });
  if (!json.contains("in_time")) return;
  read_choices(json.at("in_time"), samples.in_time, [](const Json&, Tried&) {});
}

Kind read_kind(const Json& json) {
  Kind kind;
  kind.site = json.at("site");
  kind.object = json.at("object");
  kind.offset = json.at("offset");
  kind.function = json.at("function");
  kind.communicator = json.at("communicator");
  kind.ranks = json.at("communicator_ranks");
  kind.peer = static_cast<Peer>(index_of(peers, json.at("peer")));
  kind.type = static_cast<codec::ElementType>(index_of(types, json.at("type")));
  kind.derived = json.at("derived");
  kind.reduction = json.at("reduction");
  kind.size_class = json.at("size_class");
  return kind;
}

Profile read(const Json& json) {
  Profile profile;
  profile.version = json.at("tightwire");
  profile.mpi = json.value("mpi", "");
  const Json settings = json.value("settings", Json::object());
  for (const auto& [key, value] : settings.items()) {
    profile.settings.emplace_back(key, value.get<std::string>());
  }
  profile.ranks = json.at("ranks");
  profile.hosts = json.at("hosts");
  profile.seconds = json.at("seconds");
  profile.mpi_seconds = json.at("mpi_seconds");
  profile.least_mpi_seconds = json.value("least_mpi_seconds", 0.0);
  profile.cost_seconds = json.at("cost_seconds");
  profile.latency = json.at("latency_seconds");
  profile.bandwidth = json.at("bandwidth");
  profile.busiest = json.value("busiest", 0.0);
  for (const Json& each : json.at("calls")) {
    Figures figures;
    figures.calls = each.at("calls");
    figures.bytes = each.at("bytes");
    figures.seconds = each.at("seconds");
    figures.channels = each.value("channels", std::uint64_t{0});
    if (each.contains("samples")) read(each.at("samples"), figures.samples);
    profile.calls[read_kind(each)].add(figures);
  }
  for (const Json& each : json.at("sent")) {
    profile.sent.push_back({each.at(0), each.at(1), each.at(2), each.at(3)});
  }
  if (profile.ranks < 1) throw std::invalid_argument("ranks");
  return profile;
}

Json json_of(const Profile& profile) {
  Json calls = Json::array();
  for (const auto& [kind, figures] : profile.calls) calls.push_back(to_json(kind, figures));
  Json settings = Json::object();
  for (const auto& [key, value] : profile.settings) settings[key] = value;
  Json sent = Json::array();
  for (const Sent& each : profile.sent) {
    sent.push_back({each.from, each.to, each.messages, each.bytes});
  }
  return {{"audit", format},
          {"tightwire", profile.version},
          {"mpi", profile.mpi},
          {"settings", settings},
          {"ranks", profile.ranks},
          {"hosts", profile.hosts},
          {"seconds", profile.seconds},
          {"mpi_seconds", profile.mpi_seconds},
          {"least_mpi_seconds", profile.least_mpi_seconds},
          {"cost_seconds", profile.cost_seconds},
          {"latency_seconds", profile.latency},
          {"bandwidth", profile.bandwidth},
          {"busiest", profile.busiest},
          {"calls", calls},
          {"sent", sent}};
}

// Names of communicators may be any bytes.
std::string text_of(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_json(const Profile& profile) {
  return text_of(json_of(profile));
}

std::string to_json_with_forecast(const Profile& profile, const policy::Network& network) {
  Json json = json_of(profile);
  const Forecast exactly = forecast(profile, 0, network);
  for (std::size_t i = 0; i < exactly.kinds.size(); ++i) {  // in the order of the calls
    json["calls"][i]["reason"] = exactly.kinds[i].reason;
  }
  json["forecast"] = Json::array();
  for (std::size_t choice = 0; choice < choice_count; ++choice) {
    if (choice == 1) continue;  // the exact ones are one
    const Gain gain = forecast(profile, choice, network).gain;
    json["forecast"].push_back({{"choice", name_of_choice(choice)},
                                {"seconds", gain.seconds},
                                {"least", gain.least},
                                {"most", gain.most}});
  }
  return text_of(json);
}

std::variant<Profile, std::string> from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return "is cut off or no JSON; run tightwire audit again";
  if (!json.is_object() || !json.contains("audit")) {
    return "is no audit; mpirun ... tightwire audit ./app writes one";
  }
  if (json["audit"] != format) {
    return "is an audit of another version of Tightwire; run tightwire audit again";
  }
  try {
    return read(json);
  } catch (const std::exception&) {  // of the JSON library's and our own
    return "is a damaged audit; run tightwire audit again";
  }
}

}  // namespace tightwire::audit
