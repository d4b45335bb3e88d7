#include "tests/mutation/scratch_build.h"

#include <set>
#include <stdexcept>

#include "foundation/process.h"
#include "tests/mutation/plan.h"

namespace tvp::mutation {

namespace fs = std::filesystem;

namespace {

void copy_what_is_new(const fs::path& source, const fs::path& copy) {
  const std::set<std::string> left_out{".git", "build"};
  for (const fs::directory_entry& entry : fs::directory_iterator(source)) {
    if (left_out.count(entry.path().filename().string()) != 0) continue;
    if (!entry.is_directory()) {
      if (!fs::exists(copy / entry.path().filename()) ||
          read_text(copy / entry.path().filename()) != read_text(entry.path()))
        fs::copy_file(entry.path(), copy / entry.path().filename(),
                      fs::copy_options::overwrite_existing);
      continue;
    }
    for (const fs::directory_entry& inner : fs::recursive_directory_iterator(entry.path())) {
      const fs::path to = copy / inner.path().lexically_relative(source);
      if (inner.is_directory()) {
        fs::create_directories(to);
      } else if (!fs::exists(to) || read_text(to) != read_text(inner.path())) {
        fs::create_directories(to.parent_path());
        fs::copy_file(inner.path(), to, fs::copy_options::overwrite_existing);
      }
    }
  }
}

}  // namespace

Outcome run(const std::vector<std::string>& command, const fs::path& folder, unsigned seconds,
            Cache cache) {
  foundation::ProcessStart start{.command = command, .folder = folder.string()};
  // ccache reads headers again after a compilation. It could then store the object of a change
  // under the hash of the restored source.
  if (cache == Cache::kRead) start.environment = {"CCACHE_READONLY=1"};
  foundation::Process process(start);
  const bool in_time = process.finish(seconds);
  return {in_time ? process.exit_code() : -1, process.said()};
}

ScratchBuild::ScratchBuild(const fs::path& source, const fs::path& work, unsigned jobs)
    : tree_(work / "tree"), build_(work / "build"), jobs_(jobs) {
  fs::create_directories(tree_);
  copy_what_is_new(source, tree_);
  // A change compiles a single file, not a unity source. Code that becomes unused is no error.
  const Outcome configured =
      run({"cmake", "--preset", "release", "-B", build_.string(), "-DCMAKE_UNITY_BUILD=OFF",
           "-DCMAKE_CXX_FLAGS=-w", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"},
          tree_, kLongestSeconds);
  if (configured.status != 0)
    throw std::runtime_error("the copy cannot be configured\n" + configured.output);
}

Outcome ScratchBuild::build(const std::vector<std::string>& targets, Cache cache) const {
  std::vector<std::string> command{"ninja", "-C", build_.string()};
  if (jobs_ != 0) command.push_back("-j" + std::to_string(jobs_));
  command.insert(command.end(), targets.begin(), targets.end());
  return run(command, tree_, kLongestSeconds, cache);
}

Outcome ScratchBuild::test(const std::string& regular_expression, unsigned seconds) const {
  // ctest ends a test that takes too long, since the test has its own process group.
  return run({"ctest", "--test-dir", build_.string(), "--stop-on-failure", "--no-tests=error",
              "--timeout", std::to_string(seconds), "-R", regular_expression},
             tree_, 2 * seconds);
}

}  // namespace tvp::mutation
