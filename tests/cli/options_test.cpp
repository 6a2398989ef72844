#include "cli/options.h"

#include <gtest/gtest.h>

namespace tightwire::cli {
namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

TEST(Options, EndAtTheProgram) {
  const Options options =
      parse_options({"--chunks", "4", "./app", "--chunks", "5", "-x", "--help", "--verbose", "on"});
  EXPECT_TRUE(options.error.empty()) << options.error;
  EXPECT_EQ(options.settings, (Given{{"chunks", "4"}}));
  EXPECT_EQ(options.program,
            (Arguments{"./app", "--chunks", "5", "-x", "--help", "--verbose", "on"}));
  EXPECT_FALSE(options.help);
}

TEST(Options, EverySettingIsOne) {
  for (const settings::Description& setting : settings::descriptions()) {
    for (const Arguments& arguments : {Arguments{"--" + setting.key, "on", "./app"},
                                       Arguments{"--" + setting.key + "=on", "./app"}}) {
      const Options options = parse_options(arguments);
      EXPECT_TRUE(options.error.empty()) << options.error;
      EXPECT_EQ(options.settings, (Given{{setting.key, "on"}})) << setting.key;
      EXPECT_EQ(options.program, (Arguments{"./app"})) << setting.key;
    }
  }
}

TEST(Options, SwitchNeedsNoValue) {
  const Options options = parse_options({"--verbose", "./app"});
  EXPECT_EQ(options.settings, (Given{{"verbose", "on"}}));
  EXPECT_EQ(options.program, (Arguments{"./app"}));
  EXPECT_EQ(parse_options({"--verbose=off", "./app"}).settings, (Given{{"verbose", "off"}}));
  EXPECT_EQ(parse_options({"--verbose=maybe", "./app"}).settings, (Given{{"verbose", "maybe"}}))
      << "settings judge values, not the parser";
}

TEST(Options, ValuesMayLookLikeAnything) {
  for (const char* value : {"-1", "-1e-4", "-nan", "--mode", "", "a b", "[1,2]", "{x}"}) {
    const Options options = parse_options({"--error-bound", value, "./app"});
    EXPECT_EQ(options.settings, (Given{{"error-bound", value}})) << value << options.error;
    EXPECT_EQ(options.program, (Arguments{"./app"})) << value;
  }
}

TEST(Options, TheLaterWins) {
  EXPECT_EQ(parse_options({"--chunks", "1", "--chunks", "2", "x"}).settings,
            (Given{{"chunks", "2"}}));
  EXPECT_EQ(parse_options({"--verbose", "--verbose=off", "x"}).settings,
            (Given{{"verbose", "off"}}));
}

TEST(Options, TwoDashesEndThem) {
  EXPECT_EQ(parse_options({"--", "doctor", "--", "x"}).program, (Arguments{"doctor", "--", "x"}));
  EXPECT_EQ(parse_options({"--chunks", "2", "--", "--odd-name"}).program,
            (Arguments{"--odd-name"}));
}

TEST(Options, ProgramsArgumentsArriveAsTheyAre) {
  const Arguments program{"./app", "--", "", "a b", "--mpi", "x", "-", "--error-bound=-1"};
  Arguments arguments{"--mode", "raw"};
  arguments.insert(arguments.end(), program.begin(), program.end());
  EXPECT_EQ(parse_options(arguments).program, program);
}

TEST(Options, ErrorsNameTheOptionAndSayWhatToDo) {
  EXPECT_EQ(parse_options({"--eror-bound", "1", "x"}).error,
            "there is no option --eror-bound; did you mean --error-bound?");
  EXPECT_EQ(parse_options({"--eror-bound=1", "x"}).error,
            "there is no option --eror-bound; did you mean --error-bound?");
  EXPECT_NE(parse_options({"-n", "4", "./app"}).error.find("mpirun -n ... tightwire"),
            std::string::npos);
  EXPECT_NE(parse_options({"--frobnicate", "x"}).error.find("tightwire --help"), std::string::npos);
  EXPECT_EQ(parse_options({"--chunks"}).error, "--chunks needs a value; see tightwire --help");
  EXPECT_EQ(parse_options({"--mpi", "lam", "x"}).error,
            "--mpi \"lam\" is not known; use openmpi, mpich or abi");
  EXPECT_EQ(parse_options({"--config", "", "x"}).error,
            "--config is empty; give the name of a file");
}

TEST(Options, OfTheLauncherItself) {
  const Options options = parse_options({"--mpi", "mpich", "--config", "f.toml", "x"});
  EXPECT_EQ(options.mpi, Family::mpich);
  EXPECT_EQ(options.config, "f.toml");
  EXPECT_TRUE(parse_options({"--help"}).help);
  EXPECT_TRUE(parse_options({"-h"}).help);
  EXPECT_TRUE(parse_options({"--version"}).version);
  EXPECT_TRUE(parse_options({}).program.empty());
}

}  // namespace
}  // namespace tightwire::cli
