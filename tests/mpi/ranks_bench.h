#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.h"
#include "tests/support/words.h"

namespace tvp {

/// Runs the program under mpirun. Without MPI in the build, the tests are skipped.
class RanksBench : public test::FolderTest {
 protected:
  void SetUp() override {
    if (std::string(TVP_MPIRUN).empty()) GTEST_SKIP() << "this build has no MPI";
  }

  static std::vector<std::string> mpirun() {
    return {TVP_MPIRUN, "--oversubscribe", "--allow-run-as-root"};
  }
  static std::vector<std::string> command(unsigned ranks, const std::string& arguments) {
    std::vector<std::string> all = mpirun();
    all.insert(all.end(), {"-n", std::to_string(ranks), test::kProgram});
    for (const std::string& word : test::words_of(arguments)) all.push_back(word);
    return all;
  }
  static test::Outcome run(unsigned ranks, const std::string& arguments) {
    return test::execute({.command = command(ranks, arguments)});
  }
  /// The report of a run without what differs from run to run; `ranks`: 1 runs without mpirun.
  nlohmann::json report(unsigned ranks, const std::string& arguments, int exit_code) const {
    const std::string file = path(std::to_string(ranks) + ".json");
    const std::string all = "run " + arguments + " --report " + file;
    const test::Outcome outcome = ranks == 1 ? test::vp(all) : run(ranks, all);
    EXPECT_EQ(outcome.exit_code, exit_code) << all << "\n" << outcome.output;
    nlohmann::json made = test::read_json(file);
    EXPECT_EQ(made.contains("ranks"), ranks > 1);
    for (const char* key :
         {"command", "date", "wall_s", "cpu_s", "compile_s", "mips", "ranks", "settings"})
      made.erase(key);
    return made;
  }
};

}  // namespace tvp
