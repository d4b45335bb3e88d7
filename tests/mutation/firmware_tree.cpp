#include "tests/mutation/firmware_tree.h"

#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "foundation/process.h"

namespace tvp::mutation {

namespace fs = std::filesystem;

namespace {

constexpr const char* kExamples = "sw/examples";

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

FirmwareTree::FirmwareTree(fs::path source, fs::path build, const fs::path& work)
    : source_(std::move(source)),
      build_(std::move(build)),
      tree_(work / "tree"),
      cache_(work / "cache"),
      report_(work / "report.json") {
  fs::remove_all(tree_);
  fs::create_directories(tree_);
  for (const fs::directory_entry& entry : fs::directory_iterator(source_)) {
    const fs::path name = entry.path().filename();
    if (name == "firmware")
      fs::copy(entry.path(), tree_ / name, fs::copy_options::recursive);
    else if (name != ".git" && name != "build")
      fs::create_symlink(entry.path(), tree_ / name);
  }
  // Examples name their kernels by absolute paths, which the runtime looks up below the root first.
  const fs::path examples = copy_of(kExamples);
  fs::create_directories(examples.parent_path());
  fs::copy(source_ / kExamples, examples, fs::copy_options::recursive);
}

fs::path FirmwareTree::copy_of(const std::string& file) const {
  if (file.starts_with(kExamples)) return tree_ / (source_ / file).relative_path();
  return tree_ / file;
}

FirmwareRun FirmwareTree::run_with(const Mutation& change, const FirmwareProgram& program,
                                   std::uint64_t limit_ns, unsigned seconds) const {
  const fs::path file = copy_of(change.file);
  const std::string before = read_text(file);
  write_text(file, mutated(before, change));
  FirmwareRun ended = run(program, limit_ns, seconds);
  write_text(file, before);
  return ended;
}

FirmwareRun FirmwareTree::run(const FirmwareProgram& program, std::uint64_t limit_ns,
                              unsigned seconds) const {
  std::vector<std::string> words = words_of(program.command);
  const std::string vp = (build_ / "platform/tensix-vp").string();
  std::vector<std::string> command{vp};
  const std::string events = "record.events=" + events_.string() + ",keep_stores=true";
  if (words.at(0) == "example") {
    const std::string limit = "max_time_ns=" + std::to_string(limit_ns) +
                              (events_.empty() ? std::string() : "," + events);
    command.insert(command.end(),
                   {"exec", "--set", limit, "--", (build_ / kExamples / words.at(1)).string()});
  } else {
    command.insert(command.end(), words.begin(), words.end());
    command.insert(command.end(),
                   {"--max-time", std::to_string(limit_ns) + "ns", "--report", report_.string()});
    if (!events_.empty()) command.insert(command.end(), {"--set", events});
  }
  fs::remove(report_);
  foundation::Process process(
      {.command = command,
       .environment = {"TENSIX_VP_ROOT=" + tree_.string(), "TENSIX_VP_CACHE=" + cache_.string()},
       .folder = source_.string()});
  const bool in_time = process.finish(seconds);
  FirmwareRun run{.ending = Ending::kPassed, .output = process.said()};
  run.ending = ending_of(in_time ? process.exit_code() : -1, run.output);
  return run;
}

std::uint64_t FirmwareTree::simulated_ns() const {
  if (!fs::exists(report_)) return 0;
  static const std::regex simulated(R"("simulated_ps": *(\d+))");
  const std::string report = read_text(report_);
  std::smatch m;
  return std::regex_search(report, m, simulated) ? std::stoull(m[1]) / 1000 : 0;
}

FirmwareTree::Images FirmwareTree::images() const {
  Images all;
  if (!fs::exists(cache_)) return all;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache_)) {
    std::ifstream manifest(entry.path() / "manifest");
    std::string line;
    std::getline(manifest, line);  // the version
    if (std::getline(manifest, line)) all[entry.path().filename().string()] = line;
  }
  return all;
}

}  // namespace tvp::mutation
