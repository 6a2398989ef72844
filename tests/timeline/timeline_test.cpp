#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "timeline/trace.h"

namespace tightwire::timeline {
namespace {

using Json = nlohmann::json;

constexpr std::size_t places = 8;

std::string text_of(const Process& process, const Clock& clock) {
  Trace trace(process, clock);
  std::string text;
  for (std::string_view part = trace.next(); !part.empty(); part = trace.next()) text += part;
  return text;
}

Json spans_of(const Json& trace) {
  Json spans = Json::array();
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") spans.push_back(event);
  }
  return spans;
}

// The ring is one of the process: each test starts a new one by what it adds.
void fill(std::uint64_t events) {
  start(places * sizeof(Event));
  for (std::uint64_t i = 0; i < events; ++i) {
    detail::keep({"event", 1000 * i, 10, i, no_peer, 0, Kind::codec});
  }
  stop();
}

TEST(Timeline, NothingIsKeptBeforeItStarts) {
  { const Span span("early", Kind::call); }
  EXPECT_EQ(kept().end, 0U);
}

TEST(Timeline, OldestEventsGiveWay) {
  fill(places + 3);
  const Range range = kept();
  EXPECT_EQ(range.end - range.first, places);
  const std::vector<Event> events = read(range);
  EXPECT_EQ(events.front().bytes, 3U);
  EXPECT_EQ(events.back().bytes, places + 2);
  const Json trace = Json::parse(text_of({"1.0", "job", 2, 4, 1, ""}, {}));
  EXPECT_EQ(spans_of(trace).size(), places);
  EXPECT_EQ(trace["otherData"]["events_lost"], 3U);
}

TEST(Timeline, TraceHasThreadsPeersAndBytes) {
  start(places * sizeof(Event));
  std::thread([] {
    name_thread("helper");
    const Span span("encode", Kind::codec, 64);
  }).join();
  { const Span span("send", Kind::network, 32, 5); }
  { const Span span("MPI_Barrier", Kind::call); }
  stop();
  const Json trace = Json::parse(text_of({"1.0", "job", 2, 4, 1, "SIGTERM"}, {}));
  const Json spans = spans_of(trace);
  const std::size_t count = spans.size();
  EXPECT_EQ(spans[count - 3]["args"]["bytes"], 64);
  EXPECT_EQ(spans[count - 2]["args"]["rank"], 5);
  EXPECT_FALSE(spans[count - 1].contains("args"));
  EXPECT_NE(spans[count - 3]["tid"], spans[count - 1]["tid"]);
  EXPECT_EQ(trace["otherData"]["ended_by"], "SIGTERM");
  bool named = false;
  for (const Json& event : trace["traceEvents"]) {
    EXPECT_EQ(event["pid"], 2);
    named = named || (event["name"] == "thread_name" && event["args"]["name"] == "helper" &&
                      event["tid"] == spans[count - 3]["tid"]);
  }
  EXPECT_TRUE(named);
}

TEST(Timeline, ClockGoesFromOneLookToTheOther) {
  const Clock clock{1000, 100, 2000, 100.01, 1100};
  EXPECT_NEAR(clock.at(1'000'000'000'000), 0, 1e-3);
  EXPECT_NEAR(clock.at(1'500'000'000'000), 500'005'000, 1e-3);
  EXPECT_NEAR(clock.at(2'000'000'000'000), 1'000'010'000, 1e-3);
}

TEST(Timeline, ClockDoesNotBelieveInLooksThatDifferByMuch) {
  const Clock soon{10, 100, 10.001, 100.001, 110};
  EXPECT_NEAR(soon.at(10'001'000'000), 1000, 0.2);
  const Clock one_look{10, 100, 10, 100, 110};
  EXPECT_NEAR(one_look.at(15'000'000'000), 5e6, 1e-3);
}

}  // namespace
}  // namespace tightwire::timeline
