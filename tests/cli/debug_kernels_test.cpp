// kernel.optimize=debug: kernels that gdb can follow compute the same results, and gdb finds the
// lines of their statements.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;

/// The text without comments and preprocessor lines. Lines keep their numbers.
std::string code_of(std::string text) {
  const auto blank = [&text](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, text.size()); ++i)
      if (text[i] != '\n') text[i] = ' ';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) blank(i, text.find('\n', i));
    if (text[i] == '"') {
      const std::size_t end = text.find('"', i + 1);
      blank(i + 1, end);
      i = std::min(end, text.size());
    }
  }
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    if (text[std::min(text.find_first_not_of(' ', begin), end - 1)] == '#') blank(begin, end);
    begin = end + 1;
  }
  return text;
}

/// Numbers of the lines on which statements of a kernel begin. A statement is what ends with a
/// semicolon or with an opening brace in the body of a function, and calls, assigns, declares with
/// a value, returns or repeats. These make no code and do not count: constants (constexpr),
/// `if constexpr`, using, static_assert, break, continue and declarations without a value.
class Statements {
 public:
  explicit Statements(const std::string& text) {
    for (const char c : code_of(text)) take(c);
  }
  const std::set<unsigned>& lines() const { return lines_; }

 private:
  enum class Brace { kOther, kBody, kValue };

  void take(char c) {
    if (c == '\n') ++line_;
    if (c == '(' || c == '[') ++parentheses_;
    if (c == ')' || c == ']') --parentheses_;
    if (parentheses_ == 0 && c == '{' && open()) return;
    if (parentheses_ == 0 && c == '}' && close()) return;
    if (parentheses_ == 0 && c == ';' && !holds_value()) return end();
    if (statement_.empty() && (c == ' ' || c == '\n')) return;
    if (statement_.empty()) begin_ = line_;
    statement_ += c == '\n' ? ' ' : c;
  }
  bool in_body() const { return std::count(braces_.begin(), braces_.end(), Brace::kBody) != 0; }
  bool holds_value() const { return !braces_.empty() && braces_.back() == Brace::kValue; }
  /// False for the brace of an initializer, which is part of its statement.
  bool open() {
    static const std::regex kScope("(template.*)?(namespace|struct|class|enum|union|extern)\\b.*");
    static const std::regex kBlock("(.*\\))?\\s*(__attribute__.*|const|else|do|mutable)?\\s*");
    const bool scope = std::regex_match(statement_, kScope);
    if (!scope && !statement_.empty() && in_body() && !std::regex_match(statement_, kBlock)) {
      braces_.push_back(Brace::kValue);
      return false;
    }
    if (!scope) end();
    braces_.push_back(scope ? Brace::kOther : Brace::kBody);
    statement_.clear();
    return true;
  }
  bool close() {
    const bool value = holds_value();
    if (!braces_.empty()) braces_.pop_back();
    if (!value) statement_.clear();
    return !value;
  }
  void end() {
    static const std::regex kNoCode(
        "(else )?(if constexpr|((static|inline) )?constexpr|using|static_assert|typedef|break|"
        "continue|struct|class|enum|template)\\b.*");
    static const std::regex kCode(".*[(=].*|.*\\+\\+.*|.*--.*|return\\b.*");
    if (in_body() && std::regex_match(statement_, kCode) && !std::regex_match(statement_, kNoCode))
      lines_.insert(begin_);
    statement_.clear();
  }

  std::set<unsigned> lines_;
  std::vector<Brace> braces_;
  std::string statement_;
  unsigned line_ = 1;
  unsigned begin_ = 1;
  int parentheses_ = 0;
};

class DebugKernels : public test::FolderTest {
 protected:
  ~DebugKernels() override { unsetenv("TENSIX_VP_CACHE"); }

  /// Lines of kernels by their file, relative to firmware/kernels.
  using Lines = std::map<std::string, std::set<unsigned>>;
  /// Runs with kernels for gdb, and returns the lines on which a breakpoint lies exactly where it
  /// was asked for, in the image of any core.
  Lines lines_found(const std::vector<std::string>& runs, const Lines& wanted) const {
    const std::string cache = path("cache");
    setenv("TENSIX_VP_CACHE", cache.c_str(), 1);
    for (const std::string& run : runs)
      test::expect("run " + run + " --set kernel.optimize=debug", 0, {"passed"});
    std::string script = "set pagination off\nset width 0\nset breakpoint pending off\npython\n";
    for (const auto& [file, lines] : wanted)
      for (const unsigned line : lines)
        script += "try: gdb.execute('break " + file + ":" + std::to_string(line) +
                  "')\nexcept gdb.error: pass\n";
    script += "end\ninfo breakpoints\n";
    const std::string commands = write("breakpoints", script);
    Lines found;
    for (const auto& entry : fs::recursive_directory_iterator(cache)) {
      if (entry.path().filename() != "image.elf" || !is_program(entry.path())) continue;
      const test::Outcome gdb =
          test::execute("gdb-multiarch -nx -batch -x " + commands + " " + entry.path().string());
      EXPECT_EQ(gdb.exit_code, 0) << gdb.output;
      static const std::regex kPlace("firmware/kernels/(\\S+):(\\d+)\n");
      for (auto place = std::sregex_iterator(gdb.output.begin(), gdb.output.end(), kPlace);
           place != std::sregex_iterator(); ++place)
        found[(*place)[1]].insert(static_cast<unsigned>(std::stoul((*place)[2])));
    }
    return found;
  }
  /// Objects are in the cache too, and gdb would relocate them.
  static bool is_program(const fs::path& file) {
    const std::string bytes = test::read_file(file.string());
    return bytes.size() > 16 && bytes.compare(1, 3, "ELF") == 0 && bytes[16] == 2;
  }
};

TEST_F(DebugKernels, ComputeTheSameResults) {
  for (const char* run : {"matmul", "sdpa", "prefetcher --set layers=1", "noc_exchange",
                          "collective --set bytes=4096", "pim_allreduce --set bytes=4096",
                          "vector_cycles --set function=exp", "mux_bandwidth"})
    test::expect(std::string("run ") + run + " --set kernel.optimize=debug", 0, {"passed"});
}

TEST_F(DebugKernels, HaveImagesOfTheirOwn) {
  const auto time_of = [](const std::string& key) {
    const test::ReportedRun run = test::run_with_report("run dram_loopback" + key);
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    return run.report.at("simulated_ps").get<std::uint64_t>();
  };
  const std::uint64_t usual = time_of("");
  EXPECT_GT(time_of(" --set kernel.optimize=debug"), usual);
  EXPECT_EQ(time_of(" --set kernel.optimize=speed"), usual);
}

TEST_F(DebugKernels, TheKeyNeedsSystemsWithKernels) {
  test::expect("run mesh --set kernel.optimize=debug", 2, {"'kernel.optimize' has no effect"});
  test::expect("run matmul --set kernel.optimize=size", 2, {"kernel.optimize", "speed, debug"});
}

/// The runs execute all branches of these kernels that constants select.
TEST_F(DebugKernels, HaveABreakpointOnEachStatement) {
  const std::vector<std::string> runs = {"matmul",
                                         "matmul --set l1_accumulate=true",
                                         "matmul --set kernel=tiles",
                                         "dram_loopback",
                                         "noc_exchange",
                                         "parallel"};
  Lines wanted;
  for (const char* file : {"matmul/compute.cpp", "matmul/reader.cpp", "matmul/reader_writer.cpp",
                           "loopback/reader.cpp", "loopback/writer.cpp", "exchange/exchange.cpp",
                           "parallel/compute.cpp", "parallel/reader.cpp", "parallel/writer.cpp"})
    wanted[file] = Statements(test::read_file("firmware/kernels/" + std::string(file))).lines();
  const Lines found = lines_found(runs, wanted);
  std::size_t statements = 0;
  std::size_t hits = 0;
  std::string missing;
  for (const auto& [file, lines] : wanted) {
    for (const unsigned line : lines) {
      ++statements;
      if (found.contains(file) && found.at(file).contains(line)) {
        ++hits;
      } else {
        missing += " " + file + ":" + std::to_string(line);
      }
    }
  }
  EXPECT_GT(statements, 140U);
  EXPECT_GE(static_cast<double>(hits), 0.95 * static_cast<double>(statements)) << missing;
}

}  // namespace
}  // namespace tvp
