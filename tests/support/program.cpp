#include "tests/support/program.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace tvp::test {

namespace fs = std::filesystem;

const std::string kProgram = TVP_PROGRAM;

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Outcome execute(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.output.append(buffer.data(), n);
  }
  outcome.exit_code = exit_code_of(pclose(pipe));
  return outcome;
}

Outcome vp(const std::string& arguments) { return execute(kProgram + " " + arguments); }

void expect(const Outcome& outcome, const std::string& what, int exit_code,
            const std::vector<std::string>& parts) {
  EXPECT_EQ(outcome.exit_code, exit_code) << what << "\n" << outcome.output;
  for (const std::string& part : parts) {
    EXPECT_NE(outcome.output.find(part), std::string::npos) << what << ": no '" << part << "' in\n"
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
