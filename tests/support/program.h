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
  std::string output;  ///< both streams
};

/// Any program, to its end.
Outcome execute(const foundation::ProcessStart& start);
/// The words of a line: words_of() of words.h.
Outcome execute(const std::string& command);
Outcome vp(const std::string& arguments);

/// Ends with this code, and says all of these. What ends well warns of nothing unless one of them
/// names the warning.
void expect(const Outcome& outcome, const std::string& what, int exit_code,
            const std::vector<std::string>& parts);
/// The same of `vp ARGUMENTS`.
void expect(const std::string& arguments, int exit_code, const std::vector<std::string>& parts);

/// `vp ARGUMENTS` of a run, with its report; discarded when there is none.
// NOLINTNEXTLINE(bugprone-exception-escape): when there is no memory to destroy a JSON value
struct ReportedRun {
  int exit_code = -1;
  nlohmann::json report;
  std::string errors;
};
ReportedRun run_with_report(const std::string& arguments);

std::string read_file(const std::string& file);
/// Discarded when the file holds none.
nlohmann::json read_json(const std::string& file);

/// A test with a folder of its own, gone at its end.
class FolderTest : public ::testing::Test {
 protected:
  FolderTest();
  ~FolderTest() override;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// Returns the path.
  std::string write(const std::string& name, const std::string& text) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace tvp::test
