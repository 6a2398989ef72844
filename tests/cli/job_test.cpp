#include "cli/launch/job.h"

#include <gtest/gtest.h>

#include <map>

#include "cli/launch/refuse.h"

namespace tightwire::cli {
namespace {

Job job_with(const std::map<std::string, std::string>& variables) {
  return read_job([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

TEST(Job, NoLauncherSpeaksForItself) {
  const Job job = job_with({{"OMPI_MCA_btl", "tcp,self"}, {"I_MPI_ROOT", "/opt"}});
  EXPECT_TRUE(job.launcher.empty()) << "settings of an MPI are no launcher";
  EXPECT_EQ(job.family, std::nullopt);
  EXPECT_TRUE(speaks(job, Reach::job));
  EXPECT_TRUE(speaks(job, Reach::host));
}

TEST(Job, OpenMpisMpirun) {
  const Job job = job_with({{"OMPI_COMM_WORLD_SIZE", "4"},
                            {"OMPI_COMM_WORLD_RANK", "3"},
                            {"OMPI_COMM_WORLD_LOCAL_RANK", "0"},
                            {"OMPI_APP_CTX_NUM_PROCS", "4"},
                            {"PMIX_RANK", "3"}});
  EXPECT_EQ(job.family, Family::openmpi);
  EXPECT_TRUE(job.only_this_family);
  EXPECT_EQ(job.rank, 3);
  EXPECT_FALSE(speaks(job, Reach::job));
  EXPECT_TRUE(speaks(job, Reach::host));
}

TEST(Job, EveryProgramOfOpenMpisMpirunHasASpeaker) {
  std::map<std::string, std::string> variables{{"OMPI_COMM_WORLD_SIZE", "5"},
                                               {"OMPI_APP_CTX_NUM_PROCS", "2 3"}};
  std::string speakers;
  for (const char* rank : {"0", "1", "2", "3", "4"}) {
    variables["OMPI_COMM_WORLD_RANK"] = rank;
    if (speaks(job_with(variables), Reach::job)) speakers += rank;
  }
  EXPECT_EQ(speakers, "02");
}

TEST(Job, MpichsMpirun) {
  const Job job =
      job_with({{"PMI_RANK", "1"}, {"PMI_FD", "6"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "1"}});
  EXPECT_EQ(job.family, Family::mpich);
  EXPECT_EQ(job.rank, 1);
  EXPECT_EQ(job.local_rank, 1);
  EXPECT_EQ(job.pmi_descriptor, 6);
  EXPECT_FALSE(speaks(job, Reach::job));
  EXPECT_FALSE(speaks(job, Reach::host));
}

TEST(Job, SlurmsSrun) {
  const Job plain = job_with({{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "2"}});
  EXPECT_EQ(plain.launcher, "srun");
  EXPECT_EQ(plain.family, std::nullopt);
  EXPECT_EQ(plain.rank, 2);
  const Job pmi2 = job_with({{"SLURM_PROCID", "2"}, {"PMI_RANK", "2"}, {"PMI_FD", "9"}});
  EXPECT_EQ(pmi2.family, Family::mpich);
  EXPECT_FALSE(pmi2.only_this_family);
  EXPECT_EQ(pmi2.pmi_descriptor, std::nullopt) << "that is another protocol";
  const Job pmix = job_with({{"SLURM_PROCID", "2"}, {"PMIX_RANK", "2"}});
  EXPECT_EQ(pmix.family, Family::openmpi);
  EXPECT_FALSE(pmix.only_this_family);
}

TEST(Job, NonsenseForARankIsNoRank) {
  for (const char* text : {"", "x", "1x", "99999999999999999999"}) {
    EXPECT_EQ(job_with({{"OMPI_COMM_WORLD_RANK", text}}).rank, std::nullopt) << text;
  }
}

TEST(Job, NumbersOfRanksBeyondAnyJobDoNotOverflow) {
  const Job job = job_with({{"OMPI_COMM_WORLD_SIZE", "2"},
                            {"OMPI_COMM_WORLD_RANK", "9223372036854775807"},
                            {"OMPI_APP_CTX_NUM_PROCS", "9223372036854775806 9"}});
  EXPECT_FALSE(job.first_of_program);
}

TEST(Job, ADescriptorThatIsNoneIsNotTakenForAnother) {
  const Job job = job_with({{"PMI_RANK", "0"}, {"MPI_LOCALRANKID", "0"}, {"PMI_FD", "4294967297"}});
  EXPECT_EQ(job.pmi_descriptor, std::nullopt) << "4294967297 is 1 in 32 bits";
}

}  // namespace
}  // namespace tightwire::cli
