#include "tests/support/program.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "tests/support/test_folder.h"
#include "tests/support/words.h"

namespace tvp::test {

namespace fs = std::filesystem;

const std::string kProgram = TVP_PROGRAM;

Outcome execute(const foundation::ProcessStart& start) {
  const auto process = foundation::Process::run(start);
  return {process.exit_code(), process.said()};
}

Outcome execute(const std::string& command) { return execute({.command = words_of(command)}); }

Outcome vp(const std::string& arguments) {
  std::vector<std::string> command = words_of(arguments);
  command.insert(command.begin(), kProgram);
  return execute({.command = command});
}

ReportedRun run_with_report(const std::string& arguments) {
  const TestFolder folder("run");
  std::vector<std::string> command = words_of(arguments);
  command.insert(command.begin(), kProgram);
  command.insert(command.end(), {"--report", folder.file("report.json")});
  const auto ended = execute({.command = command, .output = "/dev/null"});
  return {ended.exit_code, read_json(folder.file("report.json")), ended.output};
}

void expect(const Outcome& outcome, const std::string& what, int exit_code,
            const std::vector<std::string>& parts) {
  EXPECT_EQ(outcome.exit_code, exit_code) << what << "\n" << outcome.output;
  for (const std::string& part : parts) {
    EXPECT_NE(outcome.output.find(part), std::string::npos) << what << ": no '" << part << "' in\n"
                                                            << outcome.output;
  }
  const bool warned_of = std::any_of(parts.begin(), parts.end(), [](const std::string& part) {
    return part.find("warning") != std::string::npos;
  });
  if (exit_code == 0 && !warned_of) {
    EXPECT_EQ(outcome.output.find("  warning: "), std::string::npos) << what << "\n"
                                                                     << outcome.output;
  }
}

void expect(const std::string& arguments, int exit_code, const std::vector<std::string>& parts) {
  expect(vp(arguments), arguments, exit_code, parts);
}

std::string read_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

nlohmann::json read_json(const std::string& file) {
  return nlohmann::json::parse(read_file(file), nullptr, false);
}

FolderTest::FolderTest() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test->test_suite_name()) + "_" + test->name();
  for (char& c : name) c = c == '/' ? '_' : c;
  folder_ = fs::temp_directory_path() / ("tvp_" + std::to_string(getpid()) + "_" + name);
  fs::create_directories(folder_);
}

FolderTest::~FolderTest() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string FolderTest::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

}  // namespace tvp::test
