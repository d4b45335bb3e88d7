#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "foundation/process.h"

namespace tvp::test {

/// The program as a user starts it.
extern const std::string kProgram;

struct Outcome {
  int exit_code = -1;
  std::string output;  ///< standard output and standard error
};

/// Runs any program to its end.
Outcome execute(const foundation::ProcessStart& start);
/// Runs a command line, split by words_of() of words.h.
Outcome execute(const std::string& command);
Outcome vp(const std::string& arguments);

/// Expects this exit code and all these texts. A successful run must have no warning, unless one of
/// the texts names it.
void expect(const Outcome& outcome, const std::string& what, int exit_code,
            const std::vector<std::string>& parts);
/// The same for `vp ARGUMENTS`.
void expect(const std::string& arguments, int exit_code, const std::vector<std::string>& parts);

/// Runs `vp ARGUMENTS` and reads the report; a discarded value if there is none.
// NOLINTNEXTLINE(bugprone-exception-escape): when there is no memory to destroy a JSON value
struct ReportedRun {
  int exit_code = -1;
  nlohmann::json report;
  std::string errors;
};
ReportedRun run_with_report(const std::string& arguments);

std::string read_file(const std::string& file);
/// Returns a discarded value if the file holds no JSON.
nlohmann::json read_json(const std::string& file);

/// A test with a scratch folder, removed at its end.
class FolderTest : public ::testing::Test {
 protected:
  FolderTest();
  ~FolderTest() override;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// Writes a file into the folder and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace tvp::test
