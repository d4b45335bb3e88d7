#include <filesystem>
#include <fstream>

#include "tests/mpi/ranks_bench.h"

namespace tvp {
namespace {

using test::expect;
namespace fs = std::filesystem;

class MpiRefusals : public RanksBench {
 protected:
  static void refuse(unsigned ranks, const std::string& arguments, const std::string& text) {
    expect(run(ranks, arguments), arguments, 2, {text});
  }
  /// A copy of the program with the libraries of `names` in a folder of its own.
  std::string copy(const std::string& folder, const std::vector<std::string>& names) const {
    const fs::path from = fs::path(test::kProgram).parent_path();
    fs::create_directories(path(folder));
    for (const std::string& name : names) fs::copy(from / name, path(folder));
    return path(folder) + "/tensix-vp";
  }
};

TEST_F(MpiRefusals, OfNumbersOfRanksAndPlacements) {
  refuse(5, "run sdpa", "5 ranks for the 4 chips of quad_ring: expected 4 at the most");
  refuse(2, "run noc_latency", "2 ranks for the 1 chip of single_chip");
  refuse(2, "run sdpa --set mpi.placement='0 1 1'",
         "mpi.placement: 3 ranks: expected one for each of the 4 chips");
  refuse(2, "run sdpa --set mpi.placement='0 1 2 1'", "'2': expected a rank from 0 to 1");
  refuse(2, "run sdpa --set mpi.placement='0 0 0 0'", "rank 1 has no chip");
}

TEST_F(MpiRefusals, OfWhatRanksCannotDo) {
  refuse(2, "run sdpa --wave " + path("a.fst"), "wave.file: ");
  refuse(2, "run sdpa --trace " + path("a.json"), "wave.trace: ");
  refuse(2, "run sdpa --profile " + path("a.csv"), "profile.file: ");
  refuse(2, "run sdpa --record " + path("a.rec"), "record.file: ");
  refuse(2, "run sdpa --gdb 4444", "gdb.port: gdb cannot reach chips of several ranks");
  refuse(2, "run pim_all_gather", "pim_rank is of kind pim: expected a system of kind wormhole");
  refuse(2, "run sdpa --device libother.so", "--device: another library has no ranks");
}

// Also in builds without MPI.
class MpiAbsent : public MpiRefusals {
  void SetUp() override {}
};

TEST_F(MpiAbsent, IsNamedWithItsPackages) {
  expect("run sdpa --set mpi.placement='0 0 0 0'", 2,
         {"mpi.placement: has no effect in one process"});
  const std::string program = copy("plain", {"tensix-vp", "libtensix_vp.so"});
  expect(test::execute({.command = {program, "run", "sdpa"},
                        .environment = {"OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_RANK=0"}}),
         program, 2, {"libtensix_vp_mpi.so: is missing", "libopenmpi-dev and openmpi-bin"});
}

TEST_F(MpiRefusals, OfOtherBuildsAndDescriptions) {
  const std::string other = copy("other", {"tensix-vp", "libtensix_vp.so", "libtensix_vp_mpi.so"});
  std::ofstream(path("other/libtensix_vp.so"), std::ios::app) << "another build";
  const auto both = [&](const std::vector<std::string>& second) {
    std::vector<std::string> all = mpirun();
    all.insert(all.end(), {"-n", "1", test::kProgram, "run", "ethernet_latency", ":", "-n", "1"});
    all.insert(all.end(), second.begin(), second.end());
    return test::execute({.command = all});
  };
  expect(both({other, "run", "ethernet_latency"}), "other build", 2,
         {"rank 1: has another libtensix_vp.so than rank 0"});
  const fs::path systems = path("systems");
  fs::copy(TVP_SYSTEMS, systems);
  std::ofstream(systems / "pair.toml", std::ios::app) << "\n[noc]\nhop_cycles = 10\n";
  expect(both({"env", "TENSIX_VP_SYSTEMS=" + systems.string(), test::kProgram, "run",
               "ethernet_latency"}),
         "other description", 2, {"rank 1: has another description of pair than rank 0"});
}

}  // namespace
}  // namespace tvp
