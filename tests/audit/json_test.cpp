#include "audit/json.h"

#include <gtest/gtest.h>

#include "profiles.h"

namespace tightwire::audit {
namespace {

std::string problem(std::string_view text) {
  const auto read = from_json(text);
  const auto* const said = std::get_if<std::string>(&read);
  return said == nullptr ? "" : *said;
}

TEST(AuditJson, ComesBackAsItWas) {
  Profile profile = job(halo(), sampled(2, 8));
  profile.sent = {{0, 2, 100, 1 << 20}};
  profile.busiest = 1.5;
  profile.mpi = "Some MPI 4";
  profile.settings = {{"link", "1G"}, {"history", "off"}};
  Figures& figures = profile.calls.begin()->second;
  figures.channels = 7;
  figures.samples.in_time[3] = shrinks(20);
  const std::string text = to_json(profile);
  const auto read = from_json(text);
  ASSERT_TRUE(std::holds_alternative<Profile>(read)) << problem(text);
  EXPECT_EQ(to_json(std::get<Profile>(read)), text);
  EXPECT_EQ(std::get<Profile>(read).calls.begin()->first, halo());
}

TEST(AuditJson, CutOffAnywhereIsOneComplaint) {
  const std::string text = to_json(job(halo(), sampled(2, 8)));
  for (std::size_t size = 0; size < text.size(); size += 7) {
    EXPECT_NE(problem(text.substr(0, size)), "") << size;
  }
}

TEST(AuditJson, IsToldFromOthers) {
  EXPECT_NE(problem("[]").find("no audit"), std::string::npos);
  EXPECT_NE(problem("{\"collectives\": []}").find("no audit"), std::string::npos);
  EXPECT_NE(problem("{\"audit\": 2}").find("another version"), std::string::npos);
  EXPECT_NE(problem("{\"audit\": 1}").find("damaged"), std::string::npos);
  EXPECT_NE(problem("{\"audit\": \"one\"}").find("another version"), std::string::npos);
}

TEST(AuditJson, NamesMayBeAnyBytes) {
  Kind kind = halo();
  kind.communicator = "\xff\xfe";
  EXPECT_EQ(problem(to_json(job(kind, sampled(2, 8)))), "");
}

}  // namespace
}  // namespace tightwire::audit
