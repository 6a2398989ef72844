#include "cli/doctor/networks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tightwire::cli {
namespace {

namespace fs = std::filesystem;

class Networks : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(classes_); }
  void TearDown() override { fs::remove_all(classes_); }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((classes_ / file).parent_path());
    std::ofstream(classes_ / file) << text << "\n";
  }
  void interface(const std::string& name, const std::string& state,
                 const std::string& speed) const {
    write("net/" + name + "/operstate", state);
    write("net/" + name + "/speed", speed);
  }
  [[nodiscard]] std::vector<Network> found() const { return networks_in(classes_.string()); }

  // Tests run beside each other, each in a process of its own.
  fs::path classes_ =
      fs::path(testing::TempDir()) / ("tightwire-networks-" + std::to_string(getpid()));
};

TEST_F(Networks, AreThoseThatAreUp) {
  interface("lo", "up", "100000");
  interface("eth0", "up", "1000");
  interface("eth1", "up", "25000");
  interface("eth2", "down", "100000");
  const std::vector<Network> networks = found();
  ASSERT_EQ(networks.size(), 2U);
  EXPECT_EQ(networks[0].name, "eth1");
  EXPECT_EQ(networks[0].gbps, 25);
  EXPECT_EQ(networks[1].name, "eth0");
  EXPECT_NE(describe(networks).find("eth1, 25 Gbit/s, is what MPI would take"), std::string::npos);
}

TEST_F(Networks, OfVerbsComeFirst) {
  interface("eth0", "up", "400000");
  write("infiniband/mlx5_0/ports/1/state", "4: ACTIVE");
  write("infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)");
  write("infiniband/mlx5_0/ports/2/state", "1: DOWN");
  const std::vector<Network> networks = found();
  ASSERT_EQ(networks.size(), 2U);
  EXPECT_EQ(networks[0].name, "mlx5_0 port 1");
  EXPECT_EQ(networks[0].gbps, 100);
  EXPECT_NE(describe(networks).find("error bound"), std::string::npos);
}

TEST_F(Networks, OftenTellNoSpeed) {
  interface("veth0", "up", "-1");
  ASSERT_EQ(found().size(), 1U);
  EXPECT_EQ(found()[0].gbps, std::nullopt);
  EXPECT_NE(describe(found()).find("calibrate"), std::string::npos);
}

TEST_F(Networks, MayNotBeThere) {
  EXPECT_TRUE(found().empty());
  EXPECT_NE(describe({}).find("this host alone"), std::string::npos);
  EXPECT_TRUE(networks_in("/nowhere").empty());
}

}  // namespace
}  // namespace tightwire::cli
