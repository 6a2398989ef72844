#include "cli/doctor/networks.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "settings/text.h"

namespace tightwire::cli {
namespace {

namespace fs = std::filesystem;

// Where exact compression rarely pays any more: README, "Where it does not help".
constexpr double fast_gbps = 40;

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

// The number that a file begins with: "10000" (Mbit/s), "100 Gb/sec (4X EDR)"; -1 is not known.
std::optional<double> number_in(const fs::path& file) {
  std::istringstream line(first_line(file));
  double number = 0;
  if (!(line >> number) || number <= 0) return std::nullopt;
  return number;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    entries.push_back(entry->path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

void add_interfaces(const fs::path& folder, std::vector<Network>& networks) {
  for (const fs::path& interface : entries_of(folder)) {
    const std::string name = interface.filename().string();
    if (name == "lo" || first_line(interface / "operstate") != "up") continue;
    Network network{name, false, number_in(interface / "speed")};
    if (network.gbps) *network.gbps /= 1000;
    networks.push_back(network);
  }
}

void add_fabrics(const fs::path& folder, std::vector<Network>& networks) {
  for (const fs::path& device : entries_of(folder)) {
    for (const fs::path& port : entries_of(device / "ports")) {
      if (first_line(port / "state").find("ACTIVE") == std::string::npos) continue;
      networks.push_back({device.filename().string() + " port " + port.filename().string(), true,
                          number_in(port / "rate")});
    }
  }
}

bool is_before(const Network& a, const Network& b) {
  if (a.infiniband != b.infiniband) return a.infiniband;
  return a.gbps.value_or(0) > b.gbps.value_or(0);
}

std::string speed_of(const Network& network) {
  if (!network.gbps) return "of a speed that it does not tell";
  return settings::print_number(*network.gbps) + " Gbit/s";
}

}  // namespace

std::vector<Network> networks_in(const std::string& classes) {
  std::vector<Network> networks;
  add_fabrics(fs::path(classes) / "infiniband", networks);
  add_interfaces(fs::path(classes) / "net", networks);
  std::stable_sort(networks.begin(), networks.end(), is_before);
  return networks;
}

std::string describe(const std::vector<Network>& networks) {
  if (networks.empty()) return "none is up but the loopback: ranks on this host alone";
  const Network& best = networks.front();
  std::string text = best.name + ", " + speed_of(best) + ", is what MPI would take by itself";
  for (std::size_t i = 1; i < networks.size(); ++i) {
    text += "\n" + networks[i].name + ", " + speed_of(networks[i]) + ", is up, too";
  }
  if (!best.gbps) return text + "\ntightwire calibrate measures it";
  if (*best.gbps >= fast_gbps) {
    text +=
        "\nso fast that mostly messages within an error bound gain; tightwire calibrate measures";
  }
  return text;
}

}  // namespace tightwire::cli
