// Tables of measurements by users, and mistakes in them.
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace tvp {
namespace {

const std::string kHead =
    "schema = 2\nfamily = \"own\"\ntolerance = 0.2\n"
    "rule = \"one run\"\nspread = \"assumed\"\n"
    "[sources]\nlab = \"measured here\"\n"
    "[mechanisms]\nlink = \"a link\"\n"
    "[reasons]\nslow = \"the model is slow\"\n";
const std::string kRun =
    "[[run]]\nworkload = \"noc_exchange\"\nsettings = [\"rounds=4\", \"bytes=1024\"]\n"
    "unit = \"cycles\"\nsource = \"lab\"\nmechanism = \"link\"\n";  // from line 12 on

class ValidateTable : public test::FolderTest {
 protected:
  /// `rows` stand from line 19 on.
  void expect_table(const std::string& text, int exit_code, const std::vector<std::string>& parts,
                    const std::string& options = "") const {
    test::expect("validate --table " + write("own.toml", text) + options, exit_code, parts);
  }
};

TEST_F(ValidateTable, ComparesRowsOfAFile) {
  const std::string rows = "rows = [{name = \"far\", metric = \"kernel_cycles\", published = 1},";
  const std::string known = ", off = {measured = 2000, reason = \"slow\"}}]\n";
  expect_table(kHead + kRun + rows + "]\n", 1, {"far", "cycles", "  off"});
  // A known deviation does not fail the run.
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
  // If the published figure is the simulated one, the row is within the tolerance.
  const double cycles = row["simulated"];
  expect_table(kHead + kRun + "rows = [{name = \"near\", metric = \"kernel_cycles\", published = " +
                   std::to_string(cycles) + "}]\n",
               0, {"near", "+0.0%"});
  expect_table(kHead + kRun + "rows = [{name = \"x\", metric = \"nothing\", published = 1}]\n", 1,
               {"none"});
}

/// With figures of two chips, a value between them has no error. Outside, the nearer figure counts.
TEST_F(ValidateTable, AFigureMayHaveBeenPublishedMoreThanOnce) {
  const auto row = [&](const std::string& published) {
    return kHead + kRun +
           "rows = [{name = \"far\", metric = \"kernel_cycles\", published = " + published + "}]\n";
  };
  expect_table(row("1"), 1, {"  off"}, " --json " + path("own.json"));
  const double cycles = test::read_json(path("own.json"))[0]["simulated"];
  const auto times = [&](double share) { return std::to_string(cycles * share); };
  expect_table(row("[" + times(0.5) + ", " + times(1.5) + "]"), 0, {"+0.0%", "published"});
  expect_table(row("[" + times(1.19) + ", " + times(1.5) + "]"), 0, {"1 rows, 0 off"});
  expect_table(row("[" + times(1.5) + ", " + times(1.3) + "]"), 1, {"1 rows, 1 off"});
  expect_table(row("[" + times(0.7) + ", " + times(0.82) + "]"), 1, {"1 rows, 1 off"},
               " --json " + path("own.json"));
  const auto json = test::read_json(path("own.json"))[0];
  EXPECT_NEAR(json["published"], cycles * 0.76, 1e-3);
  EXPECT_NEAR(json["published_span"][1], cycles * 0.82, 1e-3);
  EXPECT_NEAR(json["error"], 1 / 0.76 - 1, 1e-6);
  for (const char* wrong : {"[]", "[1]", "[1, 0]", "[1, \"2\"]", "[1, [2]]"})
    expect_table(row(wrong), 2, {"own.toml:18", "published: expected a number above 0, or a list"});
}

/// A family runs once for each value of a parameter that its source leaves open.
TEST_F(ValidateTable, AFamilyMayBeDrawn) {
  const auto table = [&](const std::string& draws, const std::string& published) {
    std::string text = kHead + "[[run]]\nworkload = \"noc_pattern\"\nsettings = [" +
                       "\"pattern=all_from_all\", \"columns=3\", \"rows=2\", \"bytes=1024\", " +
                       "\"launch.start_spread=250\"]\nunit = \"cycles\"\nsource = \"lab\"\n" +
                       "mechanism = \"link\"\nrows = [{name = \"crowd\", metric = \"read_1024\", " +
                       "published = " + published + "}]\n";
    return text.insert(text.find("[sources]"), "draws = " + draws + "\n");
  };
  expect_table(table("{seed = [1, 2, 3, 4, 5]}", "1"), 1, {"samples"},
               " --json " + path("own.json"));
  const auto json = test::read_json(path("own.json"))[0];
  const double least = json["drawn"][0], most = json["drawn"][1], middle = json["simulated"];
  EXPECT_LT(least, most);
  EXPECT_LE(least, middle);
  EXPECT_LE(middle, most);
  EXPECT_EQ(json["draws"], 5);
  const auto text = [](double value) { return std::to_string(value); };
  expect_table(table("{seed = [1, 2, 3, 4, 5]}", text(most)), 0, {"1 rows, 0 off"});
  expect_table(table("{seed = [1, 2, 3, 4, 5]}", text(most * 1.3)), 1, {"1 rows, 1 off"});
  expect_table(table("{seed = [1, 2, 3, 4, 5]}", text(least / 1.25)), 1, {"1 rows, 1 off"});
  // A sample is a system's name, or a file beside the table.
  const std::string system = test::read_file(TVP_SYSTEMS "/n300_chip.toml");
  write("beside.toml", system);
  expect_table(table("{system = [\"n300_chip\", \"beside.toml\"]}", "1"), 1, {"crowd"},
               " --json " + path("own.json"));
  EXPECT_TRUE(test::read_json(path("own.json"))[0]["simulated"].is_number());
  for (const char* wrong :
       {"{}", "{seed = [1]}", "{seed = 1}", "{seed = [1, 2], system = [\"a\", \"b\"]}"})
    expect_table(table(wrong, "1"), 2, {"own.toml:6", "draws: expected seed or system, a list"});
  expect_table(table("{seed = [1, -2]}", "1"), 2, {"own.toml:6", "expected integers from 0 on"});
  expect_table(table("{system = [\"a\", 2]}", "1"), 2, {"own.toml:6", "names of systems"});
  expect_table(table("{sed = [1, 2]}", "1"), 2, {"own.toml:6", "unknown key 'sed' of draws"});
  expect_table("system = \"n300_chip\"\n" + table("{system = [\"a\", \"b\"]}", "1"), 2,
               {"own.toml:1", "system: expected no system beside those of 'draws'"});
}

TEST_F(ValidateTable, CountsWhatIsKnownToBeOff) {
  std::string rows = "rows = [\n";
  for (int i = 0; i < 2; ++i)
    rows += "  {name = \"far" + std::to_string(i) +
            "\", metric = \"kernel_cycles\", published = 1, "
            "off = {measured = 2000, reason = \"slow\"}},\n";
  expect_table(kHead + kRun + rows + "]\n", 0, {"2 rows, 0 off, 2 known", "of at most 17"});
  expect_table(kHead + kRun + rows + "]\n", 1, {"2 known to be off of at most 1"},
               " --deviations 1");
}

TEST_F(ValidateTable, SumsUpFamiliesInATableAndAPage) {
  const std::string rows =
      "rows = [{name = \"far\", metric = \"kernel_cycles\", published = 1, "
      "off = {measured = 2000, reason = \"slow\"}}]\n";
  expect_table(kHead + kRun + rows, 0, {"family", "own", "all", "tolerance"},
               " --page " + path("own.html"));
  const std::string page = test::read_file(path("own.html"));
  for (const char* part : {"\"rule\":\"one run\"", "\"spread\":\"assumed\"", "the model is slow",
                           "\"limits\"", "Simulated over published"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST_F(ValidateTable, ARunMayHaveASystemOfItsOwn) {
  const std::string row = "rows = [{name = \"far\", metric = \"kernel_cycles\", published = 1}]\n";
  expect_table(kHead + kRun + "system = \"no_such_system\"\n" + row, 1, {"no_such_system"});
}

TEST_F(ValidateTable, TwoFilesAreOneTable) {
  const std::string row = "rows = [{name = \"far\", metric = \"kernel_cycles\", published = 1}]\n";
  const std::string second = write("second.toml", kHead + kRun + row);
  expect_table(kHead + kRun + row, 2, {"second.toml:18", "row 'far' is there already"},
               " --table " + second);
}

TEST_F(ValidateTable, NoOutputTakesItsPlace) {
  const std::string table =
      kHead + kRun + "rows = [{name = \"far\", metric = \"kernel_cycles\", published = 1}]\n";
  expect_table(table, 2, {"--json", "is read by --table"}, " --json " + path("own.toml"));
  expect_table(table, 2, {"--page", "is the file of --json"},
               " --json " + path("v") + " --page " + path("./v"));
  EXPECT_EQ(test::read_file(path("own.toml")), table);
  EXPECT_FALSE(std::filesystem::exists(path("v")));
}

TEST_F(ValidateTable, MistakesAreRefusedWithTheirPlace) {
  const auto row = [&](const std::string& text) {
    return kHead + kRun + "rows = [\n" + text + "]\n";
  };
  expect_table("", 2, {"own.toml:1", "missing schema", "expected 2"});
  expect_table("schema = 1\n", 2, {"own.toml:1", "schema: expected 2"});
  expect_table("schema = 2\nfamly = \"x\"\n", 2,
               {"own.toml:2", "unknown key 'famly'", "expected one of schema, family"});
  expect_table(kHead, 2, {"own.toml:1", "missing run", "a list of tables"});
  expect_table(kHead + "run = 3\n", 2, {"expected"});
  expect_table(kHead + "[[run]\n", 2, {"own.toml:12"});
  expect_table(kHead + "[[run]]\nworkload = \"noc_exchang\"\n", 2,
               {"own.toml:13", "'noc_exchang'", "did you mean 'noc_exchange'?"});
  expect_table(kHead + "[[run]]\nworkload = \"mesh\"\nsettings = \"a=1\"\n", 2,
               {"own.toml:14", "settings: expected a list of texts key=value"});
  expect_table(kHead + "[[run]]\nworkload = \"mesh\"\nsettings = [\"a\"]\n", 2,
               {"own.toml:14", "settings: expected a list of texts key=value"});
  // All rows of a family have one configuration, with default keys of the models.
  expect_table(kHead + "[[run]]\nworkload = \"mesh\"\nsettings = [\"noc.torus=fast\"]\n", 2,
               {"own.toml:14", "'noc.torus' is a key of the model", "expected keys of 'mesh'"});
  expect_table(kHead + "[[run]]\nworkload = \"mesh\"\nseed = 1\n", 2,
               {"own.toml:14", "unknown key 'seed' of a run"});
  expect_table("schema = 2\nfamily = \"own\"\n" + kRun + "rows = [{name = \"a\"}]\n", 2,
               {"own.toml:1", "missing rule"});
  expect_table(kHead + kRun + "rows = []\n", 2, {"own.toml:18", "rows: expected a list of tables"});
  expect_table(row("  {metric = \"x\", published = 1}"), 2,
               {"own.toml:19", "missing name of a row"});
  expect_table(row("  {name = \"a\", metric = \"x\"}"), 2,
               {"own.toml:19", "missing published of a row", "a number above 0"});
  expect_table(row("  {name = \"a\", metric = \"x\", published = 0}"), 2,
               {"own.toml:19", "published: expected a number above 0"});
  expect_table(row("  {name = \"a\", metric = \"x\", published = \"1\"}"), 2,
               {"own.toml:19", "published: expected a number above 0"});
  expect_table(row("  {name = \"a\", metric = \"x\", published = 1, source = \"home\"}"), 2,
               {"own.toml:19", "source 'home'", "a name in [sources], one of lab"});
  expect_table(row("  {name = \"a\", metric = \"x\", published = 1, colour = 1}"), 2,
               {"own.toml:19", "unknown key 'colour' of a row"});
  expect_table(row("  {name = \"a\", metric = \"x\", published = 1, off = {reason = \"slow\"}}"), 2,
               {"own.toml:19", "missing measured of a known deviation"});
  expect_table(row("  {name = \"a\", metric = \"x\", published = 1},\n"
                   "  {name = \"a\", metric = \"y\", published = 1}"),
               2, {"own.toml:20", "row 'a' is there already"});
  test::expect("validate --table " + path("nowhere.toml"), 2,
               {"nowhere.toml: cannot be read: No such file"});
  test::expect("validate --table " + path(""), 2, {path("") + ": cannot be read"});
}

TEST_F(ValidateTable, ATextThatNoRowHasIsRefused) {
  test::expect("validate --only nothing_of_the_kind", 2, {"nothing_of_the_kind"});
}

TEST_F(ValidateTable, AFamilysNameIsThatFamily) {
  const auto table = [&](const std::string& family) {
    std::string text = kHead + kRun + "rows = [{name = \"row of " + family +
                       "\", metric = \"kernel_cycles\", published = 1, "
                       "off = {measured = 2000, reason = \"slow\"}}]\n";
    const std::string own = "family = \"own\"";
    text.replace(text.find(own), own.size(), "family = \"" + family + "\"");
    return " --table " + write(family + ".toml", text);
  };
  const std::string tables = table("own") + table("owner");
  test::expect("validate" + tables + " --only own", 0, {"row of own ", "1 rows, 0 off, 1 known"});
  test::expect("validate" + tables + " --only owne", 0, {"row of owner", "1 rows, 0 off"});
  test::expect("validate" + tables + " --only ow", 0, {"row of owner", "2 rows, 0 off, 2 known"});
}

}  // namespace
}  // namespace tvp
