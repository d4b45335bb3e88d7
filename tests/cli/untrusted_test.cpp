// Untrusted files and odd text end a command with a message and do nothing else.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace tvp::untrusted_test {
namespace {

namespace fs = std::filesystem;
using test::expect;

/// Not UTF-8, neither at its beginning nor at its end.
constexpr const char* kOdd = "\xff\xfe'\xc3";

class Untrusted : public test::FolderTest {
 protected:
  std::string system(const std::string& more, const std::string& base = "pair") const {
    return write("s.toml", "schema = 1\nname = \"s\"\nextends = \"" + base + "\"\n" + more);
  }
  static test::Outcome run(const std::vector<std::string>& words,
                           const std::vector<std::string>& environment = {}) {
    std::vector<std::string> command{test::kProgram};
    command.insert(command.end(), words.begin(), words.end());
    return test::execute({.command = command, .environment = environment});
  }
};

TEST_F(Untrusted, DescriptionsSetOnlyHardware) {
  const std::string victim = write("victim", "precious");
  const std::string file = "\"" + victim + "\"";
  const struct {
    std::string base, group, key, value, instead;
  } kKeys[] = {
      {"pair", "wave", "file", file, "--wave FILE"},
      {"pair", "wave", "trace", file, "--trace FILE"},
      {"pair", "wave", "scope", "\"*\"", "--wave-scope PATTERN"},
      {"pair", "record", "file", file, "--record FILE"},
      {"pair", "gdb", "port", "4711", "--gdb PORT"},
      {"pair", "gdb", "cores", "\"*\"", "--set gdb.cores=…"},
      {"pair", "launch", "start_spread", "9", "--set launch.start_spread=…"},
      {"pair", "kernel", "optimize", "\"debug\"", "--set kernel.optimize=…"},
      {"ddr4_2400", "dram_traffic", "trace", file, "--set dram_traffic.trace=…"},
      {"ddr4_2400", "dram_traffic", "timing_file", file, "--set dram_traffic.timing_file=…"},
      {"mesh_8x8", "traffic", "seed", "2", "--set traffic.seed=…"},
      {"pim_rank", "host_traffic", "seed", "2", "--set host_traffic.seed=…"}};
  for (const auto& [base, group, key, value, instead] : kKeys) {
    const std::string own = system("[" + group + "]\n" + key + " = " + value + "\n", base);
    const std::string message = own + ":5: " + group + "." + key +
                                ": a system description may set only hardware keys; give " +
                                instead + " on the command line instead";
    for (const char* command : {"run noc_exchange --system ", "list ", "exec --system "})
      expect(command + own + (*command == 'e' ? " -- true" : ""), 2, {message});
    const std::string chip =
        system("[[chip]]\nid = 0\n[chip." + group + "]\n" + key + " = " + value + "\n");
    EXPECT_EQ(test::vp("run noc_exchange --system " + chip).exit_code, 2) << group << "." << key;
  }
  EXPECT_EQ(test::read_file(victim), "precious");
  // The command line names files, the description sets hardware.
  const std::string own = system("[noc]\nhop_cycles = 11\n");
  expect("run noc_exchange --quiet --system " + own + " --trace " + path("t.json"), 0, {});
  EXPECT_TRUE(fs::exists(path("t.json")));
}

TEST_F(Untrusted, TextThatIsNotUtf8IsRefused) {
  const std::string odd = kOdd;
  const std::string named = path("n" + odd);
  const std::vector<std::string> kRefused[] = {
      {"run", "mesh", "--set", "gdb.cores=" + odd},
      {"run", "mesh", "--set", odd + "=1"},
      {"run", "mesh", "--report", named},
      {"run", "mesh", "--system", named},
      {"run", odd},
      {"replay", named},
      {"sweep", "mesh", "--vary", "seed=1", "--out", named},
      {"compare", named, named},
      {"list", odd},
      {odd}};
  for (const auto& words : kRefused)
    expect(run(words), words.back(), 2, {"argument ", "is not UTF-8: expected text in UTF-8"});
  EXPECT_FALSE(fs::exists(named));
  for (const char* name : {"TENSIX_VP_CONFIGURE", "TENSIX_VP_SYSTEMS", "TENSIX_VP_CACHE"}) {
    expect(run({"run", "mesh", "--quiet"}, {std::string(name) + "=" + odd}), name, 2,
           {std::string(name) + ": '", "is not UTF-8"});
  }
  expect("run noc_exchange --system " + system("[noc]\n\"" + odd + "\" = 1\n"), 2, {"s.toml:5"});
  expect("replay " + write("r.txt", "# " + odd + "\nWRITE core=" + odd + "\n"), 2, {"r.txt:2"});
  // Arguments of the executed program are not checked.
  EXPECT_EQ(run({"exec", "--", "true", odd}).exit_code, 0);
}

// A report is JSON wherever it is made.
TEST_F(Untrusted, FoldersOfAnyNameLeaveReportsThatAreJson) {
  const std::string folder = path("f") + kOdd;
  fs::create_directory(folder);
  const auto ended = test::execute({.command = {test::kProgram, "run", "mesh", "--quiet",
                                                "--report", "r.json", "--page", "p.html"},
                                    .environment = {"HOME=" + folder},
                                    .folder = folder});
  expect(ended, "folder", 0, {});
  EXPECT_TRUE(test::read_json(folder + "/r.json").is_object());
}

TEST_F(Untrusted, ControlCharactersDoNotReachTheTerminal) {
  const std::string escape = "\\u001b]0;x\\u0007\\u009b31m";
  const std::string own =
      write("own.toml", "schema = 1\nname = \"" + escape + "\"\nextends = \"mesh_8x8\"\n");
  const std::string key = write(
      "key.toml", "schema = 1\nname = \"k\"\nextends = \"pair\"\n[noc]\n\"" + escape + "\" = 1\n");
  const std::string recording = write("r.txt", "WRITE core=\x1b[2J\n");
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"list", own},
                                             {"list", key},
                                             {"run", "mesh", "--system", own},
                                             {"run", "mesh", "--system", key},
                                             {"run", "mesh", "--set", "\x1b[2J=1"},
                                             {"replay", recording}}) {
    const std::string output = run(words).output;
    EXPECT_EQ(output.find_first_of("\x1b\x07"), std::string::npos) << output;
    EXPECT_EQ(output.find("\u009b"), std::string::npos) << output;
  }
  expect("list " + key, 2, {"key.toml:5: unknown key 'noc.\\x1B]0;x\\x07\\x9B31m'"});
}

// An untrusted folder may hold links where a sweep writes.
TEST_F(Untrusted, LinksInASweepsFolderAreReplaced) {
  const std::string victim = write("victim", "precious");
  const std::string folder = path("out");
  fs::create_directory(folder);
  for (const char* name :
       {"sweep.json.new", "sweep.csv", "sweep.csv.new", "sweep.html", "sweep.html.new",
        "seed=1.json", "sweep.sqlite", "sweep.parquet", "failed.csv"})
    fs::create_symlink(victim, folder + "/" + name);
  expect("sweep mesh --quiet --vary seed=1 --out " + folder, 0, {});
  EXPECT_EQ(test::read_file(victim), "precious");
  EXPECT_TRUE(test::read_json(folder + "/seed=1.json").is_object());
  for (const char* name : {"points", "failed"}) {
    fs::remove_all(folder + "/" + name);
    fs::create_directory_symlink(path(""), folder + "/" + name);
    expect("sweep mesh --quiet --vary seed=1 --out " + folder, 2, {name, "is a link"});
    fs::remove(folder + "/" + name);
  }
}

// Settings are passed on as lines: a value with a line break must not become two settings.
TEST_F(Untrusted, ValuesWithLineBreaksAreOneValue) {
  const std::string own =
      system("[mesh]\nclass_weights = \"1\\nwave.file=" + path("w.vcd") + "\"\n", "mesh_8x8");
  EXPECT_EQ(test::vp("run mesh --system " + own).exit_code, 2);
  EXPECT_FALSE(fs::exists(path("w.vcd")));
}

}  // namespace
}  // namespace tvp::untrusted_test
