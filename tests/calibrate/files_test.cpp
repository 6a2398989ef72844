#include "calibrate/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "settings/settings.h"

namespace tightwire::calibrate {
namespace {

const Thresholds some{4096, 65536, settings::Bytes::never};

settings::Loaded loaded_from(const std::string& text) {
  const std::string path =
      testing::TempDir() + "tightwire_files_test_" + std::to_string(getpid()) + ".toml";
  std::ofstream(path) << text;
  settings::Sources sources;
  sources.environment = [](const std::string&) { return std::nullopt; };
  sources.config_file = path;
  settings::Loaded loaded = settings::load(sources);
  std::remove(path.c_str());
  return loaded;
}

TEST(SettingsFile, IsReadBackByTightwire) {
  const settings::Loaded loaded = loaded_from(settings_file(some, {"2026-01-01: 4 ranks."}));
  EXPECT_TRUE(loaded.problems.empty());
  EXPECT_EQ(loaded.settings.threshold_exact.value, 4096U);
  EXPECT_EQ(loaded.settings.threshold_bounded.value, 65536U);
  EXPECT_EQ(loaded.settings.threshold_pipelined.value, settings::Bytes::never);
}

TEST(SettingsFile, TellsOfThreadsWhereThereAreSeveral) {
  const settings::CodingSpeedups measured{{{2, 1.87}, {4, 3.5}}};
  const settings::Loaded loaded = loaded_from(settings_file(some, {}, measured));
  EXPECT_TRUE(loaded.problems.empty());
  EXPECT_EQ(loaded.settings.coding_speedups, measured);
  EXPECT_FALSE(loaded.settings.threads.value > 1) << "which is the user's to give";
  EXPECT_FALSE(loaded_from(settings_file(some, {})).settings.coding_speedups.given());
}

TEST(SettingsFile, SetsNoErrorBound) {
  const settings::Loaded loaded =
      loaded_from(settings_file(some, {"Measured with error bound rel:1e-4."}));
  EXPECT_FALSE(loaded.settings.error_bound.given());
}

TEST(MeasurementsFile, OneLineForEachSizeOfEachSeries) {
  const std::vector<Series> series{{"bcast", "smooth", {{1024, 0.001, 0.002, 0.003, 0.004}}}};
  EXPECT_EQ(measurements_file(series, some),
            "collective,data,bytes,raw_ms,exact_ms,bounded_ms,pipelined_ms,"
            "threshold_exact,threshold_bounded,threshold_pipelined\n"
            "bcast,smooth,1024,1.0000,2.0000,3.0000,4.0000,4096,65536,never\n");
}

TEST(Typical, IsTheGeometricMeanOfEachTierSizeBySize) {
  const std::vector<Series> series{{"bcast", "smooth", {{8, 1, 2, 3, 4}, {16, 5, 6, 7, 8}}},
                                   {"bcast", "noisy", {{8, 4, 8, 27, 1}, {16, 5, 6, 7, 2}}}};
  const std::vector<Times> means = typical(series);
  ASSERT_EQ(means.size(), 2U);
  EXPECT_EQ(means[0].bytes, 8U);
  EXPECT_DOUBLE_EQ(means[0].raw, 2);
  EXPECT_DOUBLE_EQ(means[0].exact, 4);
  EXPECT_DOUBLE_EQ(means[0].bounded, 9);
  EXPECT_DOUBLE_EQ(means[0].pipelined, 2);
  EXPECT_EQ(means[1].bytes, 16U);
  EXPECT_DOUBLE_EQ(means[1].raw, 5);
  EXPECT_DOUBLE_EQ(means[1].pipelined, 4);
}

}  // namespace
}  // namespace tightwire::calibrate
