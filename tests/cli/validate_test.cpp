// Tables of measurements: those of a user, and the mistakes in them.
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace tvp {
namespace {

const std::string kHead =
    "schema = 1\nfamily = \"own\"\ntolerance = 0.2\n"
    "[sources]\nlab = \"measured here\"\n"
    "[mechanisms]\nlink = \"a link\"\n"
    "[reasons]\nslow = \"the model is slow\"\n";
const std::string kRun =
    "[[run]]\nworkload = \"noc_exchange\"\nsettings = [\"rounds=4\", \"bytes=1024\"]\n"
    "unit = \"cycles\"\nsource = \"lab\"\nmechanism = \"link\"\n";  // from line 10 on

class ValidateTable : public test::FolderTest {
 protected:
  /// `rows` stand from line 17 on.
  void expect_table(const std::string& text, int exit_code, const std::vector<std::string>& parts,
                    const std::string& options = "") const {
    test::expect("validate --table " + write("own.toml", text) + options, exit_code, parts);
  }
};

TEST_F(ValidateTable, ComparesRowsOfAFile) {
  const std::string rows = "rows = [{name = \"far\", metric = \"kernel_cycles\", published = 1},";
  const std::string known = ", off = {measured = 2000, reason = \"slow\"}}]\n";
  expect_table(kHead + kRun + rows + "]\n", 1, {"far", "cycles", "  off"});
  // What is known to be off fails nothing.
  expect_table(
      kHead + kRun + "rows = [{name = \"far\", metric = \"kernel_cycles\", published = 1" + known,
      0, {"far", "  known"}, " --json " + path("own.json"));
  const auto json = test::read_json(path("own.json"));
  ASSERT_EQ(json.size(), 1u);
  const auto& row = json[0];
  EXPECT_EQ(row["run"], "noc_exchange --set rounds=4,bytes=1024");
  EXPECT_EQ(row["source"], "measured here");
  EXPECT_EQ(row["mechanism"], "a link");
  EXPECT_EQ(row["tolerance"], 0.2);
  EXPECT_EQ(row["known_deviation"], "the model is slow");
  EXPECT_EQ(row["known_measured"], 2000);
  // With what it takes here as the published figure, it is within.
  const double cycles = row["simulated"];
  expect_table(kHead + kRun + "rows = [{name = \"near\", metric = \"kernel_cycles\", published = " +
                   std::to_string(cycles) + "}]\n",
               0, {"near", "+0.0%"});
  expect_table(kHead + kRun + "rows = [{name = \"x\", metric = \"nothing\", published = 1}]\n", 1,
               {"none"});
}

TEST_F(ValidateTable, TwoFilesAreOneTable) {
  const std::string row = "rows = [{name = \"far\", metric = \"kernel_cycles\", published = 1}]\n";
  const std::string second = write("second.toml", kHead + kRun + row);
  expect_table(kHead + kRun + row, 2, {"second.toml:16", "row 'far' is there already"},
               " --table " + second);
}

TEST_F(ValidateTable, MistakesAreRefusedWithTheirPlace) {
  const auto row = [&](const std::string& text) {
    return kHead + kRun + "rows = [\n" + text + "]\n";
  };
  expect_table("", 2, {"own.toml:1", "missing schema", "expected 1"});
  expect_table("schema = 2\n", 2, {"own.toml:1", "schema: expected 1"});
  expect_table("schema = 1\nfamly = \"x\"\n", 2,
               {"own.toml:2", "unknown key 'famly'", "expected one of schema, family"});
  expect_table(kHead, 2, {"own.toml:1", "missing run", "a list of tables"});
  expect_table(kHead + "run = 3\n", 2, {"expected"});
  expect_table(kHead + "[[run]\n", 2, {"own.toml:10"});
  expect_table(kHead + "[[run]]\nworkload = \"noc_exchang\"\n", 2,
               {"own.toml:11", "'noc_exchang'", "did you mean 'noc_exchange'?"});
  expect_table(kHead + "[[run]]\nworkload = \"mesh\"\nsettings = \"a=1\"\n", 2,
               {"own.toml:12", "settings: expected a list of texts key=value"});
  expect_table(kHead + "[[run]]\nworkload = \"mesh\"\nsettings = [\"a\"]\n", 2,
               {"own.toml:12", "settings: expected a list of texts key=value"});
  expect_table(kHead + "[[run]]\nworkload = \"mesh\"\nseed = -1\n", 2,
               {"own.toml:12", "seed: expected an integer from 0 on"});
  expect_table(kHead + kRun + "rows = []\n", 2, {"own.toml:16", "rows: expected a list of tables"});
  expect_table(row("  {metric = \"x\", published = 1}"), 2,
               {"own.toml:17", "missing name of a row"});
  expect_table(row("  {name = \"a\", metric = \"x\"}"), 2,
               {"own.toml:17", "missing published of a row", "a number above 0"});
  expect_table(row("  {name = \"a\", metric = \"x\", published = 0}"), 2,
               {"own.toml:17", "published: expected a number above 0"});
  expect_table(row("  {name = \"a\", metric = \"x\", published = \"1\"}"), 2,
               {"own.toml:17", "published: expected a number above 0"});
  expect_table(row("  {name = \"a\", metric = \"x\", published = 1, source = \"home\"}"), 2,
               {"own.toml:17", "source 'home'", "a name in [sources], one of lab"});
  expect_table(row("  {name = \"a\", metric = \"x\", published = 1, colour = 1}"), 2,
               {"own.toml:17", "unknown key 'colour' of a row"});
  expect_table(row("  {name = \"a\", metric = \"x\", published = 1, off = {reason = \"slow\"}}"), 2,
               {"own.toml:17", "missing measured of a known deviation"});
  expect_table(row("  {name = \"a\", metric = \"x\", published = 1},\n"
                   "  {name = \"a\", metric = \"y\", published = 1}"),
               2, {"own.toml:18", "row 'a' is there already"});
  test::expect("validate --table " + path("nowhere.toml"), 2, {"nowhere.toml"});
}

TEST_F(ValidateTable, ATextThatNoRowHasIsRefused) {
  test::expect("validate --only nothing_of_the_kind", 2, {"nothing_of_the_kind"});
}

}  // namespace
}  // namespace tvp
