#include "cli/launch/decide.h"

#include <gtest/gtest.h>

namespace tightwire::cli {
namespace {

Job job_of(std::optional<Family> family, bool only_this_family = true) {
  Job job;
  job.launcher = "a launcher";
  job.family = family;
  job.only_this_family = only_this_family;
  return job;
}

Evidence evidence(std::vector<std::string> mpi, std::optional<Family> requested = std::nullopt) {
  return {"./app", std::move(mpi), requested, {Family::openmpi, Family::mpich}};
}

TEST(Family, IsKnownByTheNamesOfLibraries) {
  for (const char* name : {"libmpi.so.40", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40"}) {
    EXPECT_EQ(family_of_library(name), Family::openmpi) << name;
  }
  for (const char* name : {"libmpich.so.12", "libmpichfort.so.12", "libmpi.so.12",
                           "libmpifort.so.12", "libmpi_cray.so.12"}) {
    EXPECT_EQ(family_of_library(name), Family::mpich) << name;
  }
  for (const char* name : {"libmpi_abi.so.1", "libmpifort_abi.so.1"}) {
    EXPECT_EQ(family_of_library(name), Family::abi) << name;
  }
  for (const char* name : {"libc.so.6", "libm.so.40", "libmpi_abi.so.2", "libmpi.so",
                           "libmpi.so.99", "xlibmpi.so.40"}) {
    EXPECT_EQ(family_of_library(name), std::nullopt) << name;
  }
}

TEST(Decide, TheProgramsOwnMpiComesFirst) {
  const Decision decision = decide(evidence({"libmpich.so.12"}), job_of(std::nullopt));
  EXPECT_EQ(decision.family, Family::mpich);
  EXPECT_NE(decision.because.find("libmpich.so.12"), std::string::npos);
  EXPECT_TRUE(decision.warning.empty());
}

TEST(Decide, WarnsOfTheOtherFamilysMpirun) {
  const Evidence openmpi = evidence({"libmpi.so.40"});
  EXPECT_NE(decide(openmpi, job_of(Family::mpich)).warning.find("alone"), std::string::npos);
  EXPECT_EQ(decide(openmpi, job_of(Family::mpich)).family, Family::openmpi);
  EXPECT_TRUE(decide(openmpi, job_of(Family::openmpi)).warning.empty());
  EXPECT_TRUE(decide(openmpi, job_of(Family::mpich, false)).warning.empty())
      << "srun --mpi=pmi2 starts either";
}

TEST(Decide, AnyMpirunMayStartTheStandardAbi) {
  for (const Family launched : {Family::mpich, Family::openmpi}) {
    const Decision decision = decide(evidence({"libmpi_abi.so.1"}), job_of(launched));
    EXPECT_EQ(decision.family, Family::abi);
    EXPECT_TRUE(decision.warning.empty()) << decision.warning;
  }
  EXPECT_FALSE(decide(evidence({"libmpi_abi.so.1", "libmpi.so.12"}), Job{}).error.empty());
}

TEST(Decide, RefusesTwoMpis) {
  const Decision decision =
      decide(evidence({"libmpi.so.40", "libmpich.so.12"}), job_of(Family::openmpi));
  EXPECT_NE(decision.error.find("libmpi.so.40"), std::string::npos);
  EXPECT_NE(decision.error.find("libmpich.so.12"), std::string::npos);
  EXPECT_EQ(decision.family, std::nullopt);
}

TEST(Decide, RefusesAWishAgainstTheProgram) {
  const Decision decision = decide(evidence({"libmpi.so.40"}, Family::mpich), Job{});
  EXPECT_NE(decision.error.find("--mpi mpich"), std::string::npos);
  EXPECT_TRUE(decide(evidence({"libmpi.so.40"}, Family::openmpi), Job{}).error.empty());
}

TEST(Decide, WithoutAnMpiOfItsOwnTheWishThenTheLauncherDecide) {
  EXPECT_EQ(decide(evidence({}, Family::mpich), job_of(Family::openmpi)).family, Family::mpich);
  EXPECT_EQ(decide(evidence({}), job_of(Family::openmpi)).family, Family::openmpi);
}

TEST(Decide, AsksForMpiWhereALauncherDoesNotTell) {
  EXPECT_NE(decide(evidence({}), job_of(std::nullopt))
                .error.find("add --mpi with one of openmpi, mpich or abi"),
            std::string::npos);
  Evidence one = evidence({});
  one.installed = {Family::mpich};
  EXPECT_EQ(decide(one, job_of(std::nullopt)).family, Family::mpich);
}

TEST(Decide, NoMpiAndNoLauncherIsNoError) {
  const Decision decision = decide(evidence({}), Job{});
  EXPECT_EQ(decision.family, std::nullopt);
  EXPECT_TRUE(decision.error.empty());
  EXPECT_FALSE(decision.because.empty());
}

}  // namespace
}  // namespace tightwire::cli
