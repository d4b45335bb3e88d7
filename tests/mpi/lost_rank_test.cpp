#include <signal.h>

#include <chrono>
#include <fstream>
#include <sstream>

#include "tests/mpi/ranks_bench.h"

namespace tvp {
namespace {

class MpiLostRank : public RanksBench {
 protected:
  /// The child of mpirun with this rank; 0 if there is none.
  static pid_t process_of(pid_t mpirun, unsigned rank) {
    const std::string name = std::to_string(mpirun);
    std::istringstream children(test::read_file("/proc/" + name + "/task/" + name + "/children"));
    for (pid_t child = 0; children >> child;) {
      const std::string environment =
          test::read_file("/proc/" + std::to_string(child) + "/environ");
      const std::string variable = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank);
      if (environment.find(variable + '\0') != std::string::npos) return child;
    }
    return 0;
  }
};

TEST_F(MpiLostRank, EndsTheRunAndIsNamed) {
  const std::string file = path("report.json");
  foundation::Process job(
      {.command = command(2, "run collective --system t3000 --set bytes=64M --report " + file)});
  while (job.said().find("2 ranks: ") == std::string::npos && job.read_more()) {
  }
  const pid_t victim = process_of(job.id(), 1);
  ASSERT_NE(victim, 0) << job.said();
  kill(victim, SIGKILL);
  const auto killed = std::chrono::steady_clock::now();
  EXPECT_TRUE(job.finish(120));
  EXPECT_LT(std::chrono::steady_clock::now() - killed, std::chrono::seconds(30));
  EXPECT_NE(job.exit_code(), 0);
  const std::string expected =
      "rank 1 is lost, and with it chips 4, 5, 6, 7: process " + std::to_string(victim) + " on ";
  EXPECT_NE(job.said().find(expected), std::string::npos) << job.said();
  EXPECT_NE(job.said().find("it was killed or has crashed"), std::string::npos) << job.said();
}

}  // namespace
}  // namespace tvp
