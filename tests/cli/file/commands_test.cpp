// The file commands from the outside: files, exit codes, messages.
#include "cli/file/commands.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/file/container.h"
#include "cli/file/io.h"
#include "codec/codec.h"
#include "codec/error_bound.h"

namespace tightwire::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::internal::CaptureStderr;
using ::testing::internal::CaptureStdout;
using ::testing::internal::GetCapturedStderr;
using ::testing::internal::GetCapturedStdout;

class FileCommands : public ::testing::Test {
 protected:
  FileCommands() {
    fs::create_directories(folder_);
    values_.resize(10'000);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = static_cast<float>(std::sin(0.01 * static_cast<double>(i)));
    }
    write_file(path("wave.f32"), {std::as_bytes(std::span(values_))}, false);
  }
  ~FileCommands() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }

  // Runs a command; its output and messages are in out_ and err_.
  int run(int (*command)(const std::vector<std::string>&), const std::vector<std::string>& words) {
    CaptureStdout();
    CaptureStderr();
    const int code = command(words);
    out_ = GetCapturedStdout();
    err_ = GetCapturedStderr();
    return code;
  }

  // Exactly these files are in the folder besides wave.f32.
  void expect_files(std::vector<std::string> names) const {
    names.emplace_back("wave.f32");
    std::ranges::sort(names);
    std::vector<std::string> there;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      there.push_back(entry.path().filename());
    }
    std::ranges::sort(there);
    EXPECT_EQ(there, names);
  }

  fs::path folder_ = fs::temp_directory_path() / ("tightwire-test-" + std::to_string(getpid()));
  std::vector<float> values_;
  std::string out_;
  std::string err_;
};

// Messages of such values are exact, too.
TEST_F(FileCommands, ARelativeBoundOfNoRangeKeepsEveryBit) {
  const std::vector<std::vector<double>> all{
      {}, std::vector<double>(100, 0.1), {NAN, NAN}, {1.7e308, -1.7e308, 0.3}};
  for (const std::vector<double>& values : all) {
    write_file(path("values.f64"), {std::as_bytes(std::span(values))}, true);
    for (const char* codec : {"bounded", "zfp-accuracy"}) {
      ASSERT_EQ(run(run_compress,
                    {path("values.f64"), "--error-bound", "rel:1e-3", "--force", "--codec", codec}),
                0)
          << err_;
      EXPECT_NE(out_.find("every bit is kept"), std::string::npos);
      EXPECT_NE(err_.find("no range"), std::string::npos) << err_;
      ASSERT_EQ(run(run_expand, {path("values.f64.tw"), "-o", path("back.f64"), "--force"}), 0);
      EXPECT_EQ(read_file(path("back.f64")), read_file(path("values.f64")));
    }
    EXPECT_EQ(run(run_inspect, {path("values.f64"), "--error-bound", "rel:1e-3"}), 0) << err_;
  }
}

TEST_F(FileCommands, ARelativeBoundThatWipesOutValuesIsTold) {
  std::vector<float> values = values_;
  values[5000] = 1e9F;
  write_file(path("peak.f32"), {std::as_bytes(std::span(values))}, false);
  ASSERT_EQ(run(run_compress, {path("peak.f32"), "--error-bound", "rel:1e-4"}), 0) << err_;
  EXPECT_NE(err_.find("wipes out values: 10000 of them range from -1 to 1e+09"), std::string::npos)
      << err_;
  ASSERT_EQ(run(run_compress, {path("wave.f32"), "--error-bound", "rel:1e-4"}), 0) << err_;
  EXPECT_EQ(err_, "");
}

TEST_F(FileCommands, ThereAndBackWithinTheBound) {
  ASSERT_EQ(run(run_compress, {path("wave.f32"), "--error-bound", "rel:1e-3"}), 0) << err_;
  EXPECT_NE(out_.find("ratio"), std::string::npos);
  EXPECT_NE(out_.find("PSNR"), std::string::npos);
  EXPECT_LT(fs::file_size(path("wave.f32.tw")), 10'000U);
  ASSERT_EQ(run(run_expand, {path("wave.f32.tw"), "-o", path("back.f32")}), 0) << err_;
  const auto back = read_file(path("back.f32"));
  ASSERT_EQ(back.size(), values_.size() * sizeof(float));
  const auto* const decoded = reinterpret_cast<const float*>(back.data());
  for (std::size_t i = 0; i < values_.size(); ++i) {
    ASSERT_TRUE(codec::honours_bound(values_[i], decoded[i], 2e-3)) << i;
  }
}

TEST_F(FileCommands, ThereAndBackExactly) {
  ASSERT_EQ(run(run_compress, {path("wave.f32"), "-o", path("small")}), 0) << err_;
  ASSERT_EQ(run(run_expand, {path("small"), "-o", path("back.f32")}), 0) << err_;
  EXPECT_EQ(read_file(path("back.f32")), read_file(path("wave.f32")));
  expect_files({"small", "back.f32"});
}

TEST_F(FileCommands, EveryCodecByName) {
  for (const codec::Codec* codec : codec::all()) {
    std::vector<std::string> words{path("wave.f32"), "--codec", std::string(codec->name()),
                                   "--force"};
    if (codec->lossy()) words.insert(words.end(), {"--error-bound", "1e-3"});
    EXPECT_EQ(run(run_compress, words), 0) << codec->name() << ": " << err_;
    EXPECT_EQ(run(run_expand, {path("wave.f32.tw"), "-o", path("b"), "--force"}), 0) << err_;
  }
}

TEST_F(FileCommands, HistogramCountsEveryValue) {
  ASSERT_EQ(run(run_compress,
                {path("wave.f32"), "--error-bound", "1e-3", "--histogram", path("errors.csv")}),
            0)
      << err_;
  std::ifstream file(path("errors.csv"));
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "error_low,error_high,count");
  std::size_t total = 0;
  while (std::getline(file, line)) total += std::stoul(line.substr(line.rfind(',') + 1));
  EXPECT_EQ(total, values_.size());
}

TEST_F(FileCommands, NothingIsOverwrittenUnasked) {
  const auto before = read_file(path("wave.f32"));
  EXPECT_EQ(run(run_compress, {path("wave.f32"), "-o", path("wave.f32")}), 1);
  EXPECT_NE(err_.find("--force"), std::string::npos);
  EXPECT_EQ(read_file(path("wave.f32")), before);
}

// Two files are to be written: neither is, if one cannot be.
TEST_F(FileCommands, AnErrorLeavesNoHistogramBehind) {
  const std::vector<std::string> words{path("wave.f32"), "--error-bound", "1",
                                       "--histogram",    path("h.csv"),   "--output"};
  const auto into = [&](const std::string& output, const std::string& force) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {output, force});
    return run(run_compress, all);
  };
  EXPECT_EQ(into(folder_, "--force"), 1);
  EXPECT_NE(err_.find("is a folder"), std::string::npos) << err_;
  EXPECT_EQ(into(path("./h.csv"), "--force"), 1);
  EXPECT_NE(err_.find("--histogram names the file"), std::string::npos) << err_;
  expect_files({});
}

TEST_F(FileCommands, RefusalsNameTheCauseAndLeaveNothing) {
  std::ofstream(path("odd.f32")) << "12345";
  const auto refused = [&](const std::vector<std::string>& words, int code,
                           const std::string& part) {
    EXPECT_EQ(run(run_compress, words), code);
    EXPECT_NE(err_.find(part), std::string::npos) << err_;
    EXPECT_EQ(std::ranges::count(err_, '\n'), 1) << err_;
  };
  refused({path("none.f32")}, 1, "none.f32: No such file");
  refused({path("odd.f32")}, 1, "no whole number of float32 values");
  refused({folder_}, 1, "is a folder");
  refused({path("wave.f32"), "--error-bound", "-1"}, 2, "is negative");
  refused({path("wave.f32"), "--error-bound", "nan"}, 2, "--error-bound");
  refused({path("wave.f32"), "--codec", "zfp-rate", "--zfp-rate", "nan"}, 2, "--zfp-rate");
  refused({path("wave.f32"), "--codec", "sz3"}, 1, "needs --error-bound");
  refused({path("wave.f32"), "--codec", "zstd", "--error-bound", "1"}, 1, "is exact");
  refused({path("wave.f32"), "--type", "i32", "--error-bound", "1"}, 1, "never reduced");
  refused({path("wave.f32"), "--type", "f33"}, 2, "--type");
  refused({path("wave.f32"), "--histogram", path("h")}, 1, "exact codec makes no errors");
  refused({path("wave.f32"), "-o", path("no/such/folder/x")}, 1, "cannot write");
  refused({path("wave.f32"), "--no-such-option"}, 2, "--no-such-option");
  refused({}, 2, "FILE");
  expect_files({"odd.f32"});
}

TEST_F(FileCommands, ADamagedFileIsOneErrorAndNothingWritten) {
  ASSERT_EQ(run(run_compress, {path("wave.f32"), "--error-bound", "1e-3"}), 0);
  auto bytes = read_file(path("wave.f32.tw"));
  bytes[bytes.size() / 2] ^= std::byte{4};
  write_file(path("wave.f32.tw"), {bytes}, true);
  EXPECT_EQ(run(run_expand, {path("wave.f32.tw"), "-o", path("back")}), 1);
  EXPECT_NE(err_.find("damaged"), std::string::npos) << err_;
  EXPECT_EQ(run(run_inspect, {path("wave.f32.tw")}), 1);
  EXPECT_NE(err_.find("damaged"), std::string::npos) << err_;
  expect_files({"wave.f32.tw"});
}

TEST_F(FileCommands, InspectTellsHowTheValuesLie) {
  ASSERT_EQ(run(run_inspect, {path("wave.f32"), "--row-length", "20", "--plane-length", "400"}), 0);
  EXPECT_NE(out_.find("rows of 20 values, planes of 400"), std::string::npos) << out_;
  EXPECT_EQ(run(run_inspect, {path("wave.f32"), "--plane-length", "400"}), 2);
  EXPECT_NE(err_.find("--row-length"), std::string::npos) << err_;
}

TEST_F(FileCommands, InspectTellsOfEitherKindOfFile) {
  ASSERT_EQ(run(run_inspect, {path("wave.f32"), "--error-bound", "1e-3"}), 0) << err_;
  for (const codec::Codec* codec : codec::all()) {
    EXPECT_NE(out_.find(std::string(codec->name())), std::string::npos) << codec->name();
  }
  ASSERT_EQ(run(run_compress, {path("wave.f32"), "--error-bound", "1e-3"}), 0);
  ASSERT_EQ(run(run_inspect, {path("wave.f32.tw")}), 0) << err_;
  EXPECT_NE(out_.find("bounded"), std::string::npos);
  EXPECT_NE(out_.find("10000 of type float32"), std::string::npos);
  EXPECT_NE(out_.find("0.001"), std::string::npos);
}

// No setting and no option offers it: frames carry it.
TEST_F(FileCommands, InspectNamesWhatAGpuEncodes) {
  const codec::Codec& codec = *codec::find(codec::Id::bounded_device);
  codec::Parameters parameters;
  parameters.error_bound = 1e-3;
  const auto type = codec::ElementType::float32;
  std::vector<std::byte> stream(codec.max_encoded_size(type, values_.size()));
  stream.resize(codec.encode(type, std::as_bytes(std::span(values_)), parameters, stream).size);
  const auto header = container_header({codec.id(), type, values_.size(), 1e-3, stream});
  write_file(path("gpu.tw"), {header, stream}, false);
  ASSERT_EQ(run(run_inspect, {path("gpu.tw")}), 0) << err_;
  EXPECT_NE(out_.find("codec          bounded-device"), std::string::npos) << out_;
  EXPECT_EQ(
      run(run_compress, {path("wave.f32"), "--error-bound", "1e-3", "--codec", "bounded-device"}),
      2);
}

}  // namespace
}  // namespace tightwire::cli
