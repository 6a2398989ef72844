#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "settings/settings.h"

namespace tightwire::settings {
namespace {

// A job's sources in a folder of its own.
class Load : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "tightwire-settings-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  static void file(const std::string& text, const std::string& name = "tightwire.toml") {
    std::ofstream(name) << text;
  }
  void variable(const std::string& name, const std::string& value) { variables_[name] = value; }
  void option(const std::string& key, const std::string& value) {
    sources_.command_line.emplace_back(key, value);
  }
  void config(const std::string& name) { sources_.config_file = name; }

  Loaded load() {
    sources_.environment = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      if (found == variables_.end()) return std::nullopt;
      return found->second;
    };
    sources_.environment_names.clear();
    for (const auto& [name, value] : variables_) sources_.environment_names.push_back(name);
    return settings::load(sources_);
  }

  // The one problem of these sources; an empty one (and a failure) if there is not exactly one.
  Problem only_problem() {
    const Loaded loaded = load();
    EXPECT_EQ(loaded.problems.size(), 1U);
    for (const Problem& problem : loaded.problems) {
      EXPECT_FALSE(problem.reason.empty());
      EXPECT_FALSE(problem.advice.empty());
      EXPECT_FALSE(problem.place.empty());
    }
    return loaded.problems.size() == 1 ? loaded.problems[0] : Problem{};
  }

  std::string place_of(const std::string& key) {
    for (const Entry& entry : load().entries) {
      if (entry.key == key) return entry.place;
    }
    return "no such entry";
  }

 private:
  std::filesystem::path folder_, before_;
  std::map<std::string, std::string> variables_;
  Sources sources_;
};

TEST_F(Load, DefaultsAreThoseOfTheTable) {
  const Loaded loaded = load();
  EXPECT_TRUE(loaded.problems.empty());
  EXPECT_EQ(loaded.settings.mode, Mode::adaptive_pipelined);
  EXPECT_FALSE(loaded.settings.error_bound.given());
  ASSERT_EQ(loaded.entries.size(), descriptions().size());
  for (std::size_t i = 0; i < loaded.entries.size(); ++i) {
    EXPECT_EQ(loaded.entries[i].key, descriptions()[i].key);
    EXPECT_EQ(loaded.entries[i].value, descriptions()[i].default_value);
    EXPECT_EQ(loaded.entries[i].place, "default");
  }
}

TEST_F(Load, CommandLineBeatsEnvironmentBeatsFileBeatsDefault) {
  EXPECT_EQ(load().settings.chunks.value, 0U);
  file("# a comment\nchunks = 2\n");
  EXPECT_EQ(load().settings.chunks.value, 2U);
  EXPECT_EQ(place_of("chunks"), "tightwire.toml:2");
  variable("TIGHTWIRE_CHUNKS", "3");
  EXPECT_EQ(load().settings.chunks.value, 3U);
  EXPECT_EQ(place_of("chunks"), "environment variable TIGHTWIRE_CHUNKS");
  option("chunks", "4");
  EXPECT_EQ(load().settings.chunks.value, 4U);
  EXPECT_EQ(place_of("chunks"), "command line");
  option("chunks", "5");
  EXPECT_EQ(load().settings.chunks.value, 5U) << "the later option wins";
  EXPECT_EQ(place_of("mode"), "default");
}

TEST_F(Load, FileTakesNumbersAndTexts) {
  file(
      "mode = 'exact'\nthreshold-exact = 4096\nthreshold-bounded = \"1M\"\nerror-bound = 1e-3\n"
      "zfp-rate = 12\nzstd-level = \"3\"\nverbose = true\nreport = \"out.json\"\n");
  const Loaded loaded = load();
  ASSERT_TRUE(loaded.problems.empty()) << describe(loaded.problems[0]);
  EXPECT_EQ(loaded.settings.mode, Mode::exact);
  EXPECT_EQ(loaded.settings.threshold_exact.value, 4096U);
  EXPECT_EQ(loaded.settings.threshold_bounded.value, 1U << 20);
  EXPECT_EQ(loaded.settings.error_bound, (ErrorBound{ErrorBound::Kind::absolute, 1e-3}));
  EXPECT_EQ(loaded.settings.zfp_rate.value, 12);
  EXPECT_EQ(loaded.settings.zstd_level.value, 3);
  EXPECT_EQ(loaded.settings.verbose, Switch::on);
  EXPECT_EQ(loaded.settings.report.value, "out.json");
}

TEST_F(Load, BadValueIsNamedWithItsPlace) {
  file("mode = \"exact\"\n\nerror-bound = -1.0\n");
  const Problem problem = only_problem();
  EXPECT_EQ(problem.key, "error-bound");
  EXPECT_EQ(problem.value, "-1");
  EXPECT_EQ(problem.place, "tightwire.toml:3");
  EXPECT_EQ(problem.reason, "is negative");
  EXPECT_EQ(describe(problem),
            "tightwire: error-bound = \"-1\" (tightwire.toml:3): is negative; "
            "give a positive number such as 1e-4, or rel:1e-4, or none");
}

TEST_F(Load, FileRefusesNumbersThatAreNone) {
  for (const char* text : {"nan", "inf", "-inf", "0.0", "0", "-5", "true", "'x'"}) {
    file(std::string("error-bound = ") + text + "\n");
    EXPECT_EQ(only_problem().key, "error-bound") << text;
  }
}

TEST_F(Load, FileRefusesWrongTypes) {
  for (const char* text : {"[1]", "{a = 1}", "1979-05-27", "07:32:00"}) {
    file(std::string("\nchunks = ") + text + "\n");
    const Problem problem = only_problem();
    EXPECT_EQ(problem.key, "chunks") << text;
    EXPECT_EQ(problem.place, "tightwire.toml:2") << text;
    EXPECT_EQ(problem.reason, "is not a single value") << text;
  }
}

TEST_F(Load, FileRefusesUnknownKeysAndSuggests) {
  file("eror-bound = 1e-4\n");
  Problem problem = only_problem();
  EXPECT_EQ(problem.reason, "there is no such setting");
  EXPECT_EQ(problem.advice, "did you mean error-bound?");
  EXPECT_EQ(problem.place, "tightwire.toml:1");
  file("[network]\nspeed = 5\n");
  problem = only_problem();
  EXPECT_EQ(problem.key, "network");
  EXPECT_EQ(problem.value, "a table");
}

TEST_F(Load, FileWithSyntaxErrorIsOneProblemWithItsLine) {
  for (const char* text :
       {"mode = \"exact\"\nchunks = \n", "a = 1\na = 2\n", "\nmode = \"exact\n", "x = 1\n= 5\n"}) {
    file(text);
    const Problem problem = only_problem();
    EXPECT_EQ(problem.place, "tightwire.toml:2") << text << describe(problem);
    EXPECT_NE(problem.reason.find("is not TOML"), std::string::npos);
  }
  file("\xff\xfe = 1\n");
  EXPECT_NE(only_problem().reason.find("utf-8"), std::string::npos);
  file("mode = \"raw\"\nchunks = \n");
  EXPECT_EQ(load().settings.mode, Mode::adaptive_pipelined) << "half a file was believed";
}

TEST_F(Load, DeepNestingIsAProblemNotACrash) {
  file("mode = " + std::string(500000, '['));
  EXPECT_NE(only_problem().reason.find("is not TOML"), std::string::npos);
}

// Undefined behaviour where toml++ 3.3 asks whether such a letter is white space.
TEST_F(Load, LettersBeyondAsciiAreNoWhiteSpace) {
  for (const char* letter : {"\u00e4", "\u3042", "\ufebf"}) {
    file(std::string("mode = [ ") + letter + " ]\n");
    EXPECT_NE(only_problem().reason.find("is not TOML"), std::string::npos) << letter;
  }
}

TEST_F(Load, NamedFileMustBeReadable) {
  config("missing.toml");
  Problem problem = only_problem();
  EXPECT_EQ(problem.place, "missing.toml");
  EXPECT_NE(problem.reason.find("No such file"), std::string::npos);
  EXPECT_EQ(describe(problem).rfind("tightwire: missing.toml: ", 0), 0U);

  ASSERT_EQ(mkdir("folder.toml", 0700), 0);
  config("folder.toml");
  EXPECT_NE(only_problem().reason.find("Is a directory"), std::string::npos);

  file(std::string((1 << 20) + 1, '#'), "huge.toml");
  config("huge.toml");
  EXPECT_NE(only_problem().reason.find("too large"), std::string::npos);
}

TEST_F(Load, NamedFileReplacesTheFolders) {
  file("chunks = 2\n");
  file("zstd-level = 5\n", "other.toml");
  config("other.toml");
  const Loaded loaded = load();
  EXPECT_EQ(loaded.settings.chunks.value, 0U);
  EXPECT_EQ(loaded.settings.zstd_level.value, 5);
  EXPECT_EQ(place_of("zstd-level"), "other.toml:1");
}

TEST_F(Load, UnreadableFileOfTheFolderIsAProblem) {
  ASSERT_EQ(symlink("tightwire.toml", "tightwire.toml"), 0);
  EXPECT_EQ(only_problem().place, "tightwire.toml");
}

TEST_F(Load, EnvironmentProblemsNameTheVariable) {
  variable("TIGHTWIRE_ERROR_BOUND", "nan");
  const Problem problem = only_problem();
  EXPECT_EQ(problem.key, "error-bound");
  EXPECT_EQ(problem.place, "environment variable TIGHTWIRE_ERROR_BOUND");
}

TEST_F(Load, UnknownVariablesAreRefusedAndSuggest) {
  variable("TIGHTWIRE_ERORR_BOUND", "1");
  const Problem problem = only_problem();
  EXPECT_EQ(problem.key, "TIGHTWIRE_ERORR_BOUND");
  EXPECT_EQ(problem.value, "1");
  EXPECT_EQ(problem.advice, "did you mean TIGHTWIRE_ERROR_BOUND?");
}

TEST_F(Load, OtherVariablesAreLeftAlone) {
  for (const char* name : {"TIGHTWIRE_CONFIG", "TIGHTWIRE_COMMAND_LINE", "TIGHTWIRE_ISA",
                           "TIGHTWIRE_ROOT", "TIGHTWIRE_TEST_X", "PATH", "XTIGHTWIRE_Y"}) {
    variable(name, "1");
  }
  EXPECT_TRUE(load().problems.empty());
}

TEST_F(Load, EveryProblemIsReportedAtOnce) {
  file("chunks = 0\n");
  variable("TIGHTWIRE_MODE", "fast");
  option("zstd-level", "99");
  option("frobnicate", "1");
  const Loaded loaded = load();
  EXPECT_EQ(loaded.problems.size(), 4U);
  EXPECT_EQ(loaded.settings.chunks.value, 0U) << "a refused value leaves the setting as it was";
}

TEST_F(Load, BoundedModeNeedsABound) {
  option("mode", "bounded");
  const Problem problem = only_problem();
  EXPECT_EQ(problem.key, "mode");
  EXPECT_EQ(problem.place, "command line");
  EXPECT_NE(problem.advice.find("--error-bound"), std::string::npos);
  option("error-bound", "1e-4");
  EXPECT_TRUE(load().problems.empty());
}

TEST_F(Load, CanonicalTextIsEqualExactlyForEqualSettings) {
  option("threshold-exact", "64K");
  const Settings defaults = load().settings;
  option("threshold-exact", "65536");
  EXPECT_EQ(canonical(load().settings), canonical(defaults)) << "64K and 65536 are the same";
  option("threshold-exact", "65537");
  const Settings changed = load().settings;
  EXPECT_NE(canonical(changed), canonical(defaults));
  EXPECT_NE(canonical(changed).find("threshold-exact=65537\n"), std::string::npos);
}

TEST_F(Load, TheHashIsThatOfWhatDecidesAboutMessages) {
  const std::uint64_t before = hash_of(load().settings);
  for (const auto& [key, value] : {std::pair("report", "second.json"), std::pair("verbose", "on"),
                                   std::pair("learned", "app"), std::pair("start-limit", "3")}) {
    option(key, value);
    EXPECT_EQ(hash_of(load().settings), before) << key;
  }
  option("error-bound", "1e-3");
  EXPECT_NE(hash_of(load().settings), before);
}

TEST(Assign, RefusalChangesNothing) {
  Settings settings = load(Sources{}).settings;
  const Settings before = settings;
  for (const Description& description : descriptions()) {
    if (description.type == "FilePath") continue;  // any line is a name
    const auto problem = assign(settings, description.key, "\x01nonsense", "a test");
    ASSERT_TRUE(problem.has_value()) << description.key;
    EXPECT_EQ(problem->key, description.key);
    EXPECT_EQ(problem->place, "a test");
    EXPECT_TRUE(settings == before) << description.key;
  }
  EXPECT_TRUE(assign(settings, "moed", "raw", "a test").has_value());
  EXPECT_FALSE(assign(settings, "mode", "raw", "a test").has_value());
  EXPECT_EQ(settings.mode, Mode::raw);
}

TEST(Describe, ShowsForeignTextOnOneShortLine) {
  Problem problem{"mode", "a\nb\x1b[31m" + std::string(1000, 'x'), "command line", "is bad", ""};
  const std::string text = describe(problem);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_LT(text.size(), 200U);
}

TEST(ProcessSources, LauncherNamesWhatItsCommandLineGave) {
  ASSERT_EQ(setenv("TIGHTWIRE_CHUNKS", "5", 1), 0);
  ASSERT_EQ(setenv("TIGHTWIRE_ZSTD_LEVEL", "4", 1), 0);
  ASSERT_EQ(setenv("TIGHTWIRE_COMMAND_LINE", "mode,chunks", 1), 0);
  const Loaded loaded = load(process_sources());
  unsetenv("TIGHTWIRE_CHUNKS");
  unsetenv("TIGHTWIRE_ZSTD_LEVEL");
  unsetenv("TIGHTWIRE_COMMAND_LINE");
  std::map<std::string, std::string> places;
  for (const Entry& entry : loaded.entries) places[entry.key] = entry.place;
  EXPECT_TRUE(loaded.problems.empty());
  EXPECT_EQ(places["chunks"], "command line");
  EXPECT_EQ(places["zstd-level"], "environment variable TIGHTWIRE_ZSTD_LEVEL");
  EXPECT_EQ(places["mode"], "default") << "named but not set";
}

}  // namespace
}  // namespace tightwire::settings
