// What the cost model chooses where the calling thread is alone.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "policy/cost/schedule.h"
#include "policy/cost/tree.h"
#include "policy/thresholds.h"

namespace tightwire::policy {
namespace {

constexpr std::size_t sizes[] = {256 << 10, 32 << 20};
constexpr double gigabits[] = {1, 10, 25, 100, 400};
constexpr int jobs[] = {2, 5, 16};
constexpr double ratio = 6;

// Algorithm, chunks of each piece, and a + where it pays.
std::string choice(const Facts& facts) {
  settings::Settings settings;
  settings.mode = settings::Mode::adaptive_pipelined;
  settings.error_bound = {settings::ErrorBound::Kind::absolute, 1e-3};
  const Plan plan{Tier::bounded, codec::Id::bounded,
                  facts.bytes >= pipelined_threshold(settings, facts.operation)};
  const Schedule chosen =
      schedule(settings, plan, facts, speeds_of(plan.codec, codec::ElementType::float32, ratio));
  constexpr const char* names[] = {"a", "r", "d", "f", "t"};
  const bool pays = chosen.seconds < gain_to_start * raw_seconds(facts);
  return names[static_cast<int>(chosen.algorithm)] + std::to_string(chosen.chunks) +
         (pays ? "+" : "");
}

// A line for each operation and number of ranks: by size, then by link.
std::string all_choices() {
  std::ostringstream text;
  for (int operation = 0; operation < static_cast<int>(operation_count); ++operation) {
    for (const int ranks : jobs) {
      text << operation << ' ' << ranks << ':';
      for (const std::size_t bytes : sizes) {
        for (const double link : gigabits) {
          text << ' '
               << choice(
                      {static_cast<Operation>(operation), bytes, ranks, {20e-6, link * 1e9 / 8}});
        }
      }
      text << '\n';
    }
  }
  return text.str();
}

// As they were when the cost of a frame was measured anew: what is done for helpers leaves them
// alone.
constexpr const char* expected = R"(
0 2: a4+ a4+ a4 a4 a4 a32+ a32+ a32+ a32 a32
0 5: a8+ a4+ a4+ a4 a4 a64+ a64+ a32+ a32 a32
0 16: a8+ a1+ a1+ a1 a1 a128+ a64+ a64+ a64 a64
1 2: r2+ r2+ r2 r2 r2 r16+ r16+ r16+ r16 r16
1 5: r1+ r1+ r1 r1 r1 r7+ r7+ r7+ r7 r7
1 16: r1+ r1 r1 r1 r1 r2+ r2+ r2+ r2 r2
2 2: r2+ r2+ r2 r2 r2 r16+ r16+ r16 r16 r16
2 5: r1+ r1+ r1 r1 r1 r7+ r7+ r7+ r7 r7
2 16: f1+ f1+ f1 f1 f1 r2+ r2+ r2+ r2 r2
3 2: r4+ r2+ r2 r2 r2 r16+ r16+ r16 r16 r16
3 5: r1+ r1 r1 r1 r1 r7+ r7+ r7 r7 r7
3 16: f1+ f1 f1 f1 f1 r2+ r2+ r2 r2 r2
4 2: a8+ a4 a4 a4 a4 a32+ a32+ a32 a32 a32
4 5: a8+ a8+ a8 a8 a8 a256+ a32+ a32+ a32 a32
4 16: a8+ a8+ a8 a8 a8 a1024+ a128+ a128+ a128+ a64
5 2: a4+ a4+ a4 a4 a4 a32+ a32+ a32+ a32 a32
5 5: a4+ a1+ a1+ a1 a1 a32+ a32+ a32+ a32 a32
5 16: a1+ a1+ a1+ a1 a1 a32+ a32+ a32+ a32 a32
6 2: a4+ a4+ a4 a4 a4 a32+ a32+ a32+ a32 a32
6 5: a4+ a1+ a1+ a1 a1 a32+ a32+ a32+ a32 a32
6 16: a1+ a1+ a1+ a1 a1 a32+ a32+ a32+ a32 a32
7 2: a4+ a4+ a1 a1 a1 a32+ a32+ a32 a32 a32
7 5: a4+ a1+ a1+ a1 a1 a32+ a32+ a32+ a32 a32
7 16: a2+ a1+ a1+ a1 a1 a32+ a32+ a32+ a32 a32
8 2: a4+ a4+ a4 a4 a4 a32+ a32+ a32 a32 a32
8 5: a4+ a1+ a1 a1 a1 a32+ a32+ a32 a32 a32
8 16: a1+ a1+ a1 a1 a1 a32+ a32+ a32 a32 a32
9 2: a4+ a4+ a4 a4 a4 a32+ a32+ a32 a32 a32
9 5: a4+ a4+ a4 a4 a4 a32+ a32+ a32 a32 a32
9 16: a4+ a4+ a4 a4 a4 a32+ a32+ a32 a32 a32
10 2: a4+ a4+ a4 a4 a4 a32+ a32+ a32 a32 a32
10 5: a4+ a4+ a4 a4 a4 a32+ a32+ a32 a32 a32
10 16: a4+ a4+ a4 a4 a4 a32+ a32+ a32 a32 a32
11 2: a1+ a1+ a1 a1 a1 a32+ a32+ a32+ a32 a32
11 5: a1+ a1 a1 a1 a1 a32+ a32+ a32+ a32 a32
11 16: a1+ a1 a1 a1 a1 a32+ a32+ a32 a32 a32
)";

TEST(OneThread, ChoosesAsItDid) {
  EXPECT_EQ("\n" + all_choices(), expected);
}

}  // namespace
}  // namespace tightwire::policy
