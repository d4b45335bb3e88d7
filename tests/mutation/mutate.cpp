// Changes the tree in many small ways, one at a time, and reports changes that no test detects.
//   mutate --source DIR --work DIR [--seed N] [--group PATTERN] [--draws N] [--at PATTERN]
//     [--jobs N] [--list] [--out FILE]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <stdexcept>

#include "tests/mutation/mutate_options.h"
#include "tests/mutation/plan.h"
#include "tests/mutation/scratch_build.h"

namespace {

using namespace tvp::mutation;
namespace fs = std::filesystem;

struct Options {
  fs::path source;
  fs::path work;
  std::string group = ".*";
  std::string at;  ///< instead of a random sample: all changes whose text contains this
  std::string out;
  std::uint64_t seed = 1;
  long draws = -1;    ///< per group; below 0: as in the plan
  unsigned jobs = 0;  ///< parallel compilers
  bool list = false;
};

Options parse(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--list") {
      options.list = true;
      continue;
    }
    if (i + 1 == words.size())
      throw std::invalid_argument(word + ": expected an option and its value");
    const std::string& value = words[++i];
    if (word == "--source")
      options.source = fs::absolute(value);
    else if (word == "--work")
      options.work = fs::absolute(value);
    else if (word == "--group")
      options.group = value;
    else if (word == "--at")
      options.at = value;
    else if (word == "--out")
      options.out = value;
    else if (word == "--seed")
      options.seed = whole_number(word, value);
    else if (word == "--draws")
      options.draws = static_cast<long>(whole_number(word, value) & 0xFFFF);
    else if (word == "--jobs")
      options.jobs = static_cast<unsigned>(whole_number(word, value) & 0xFF);
    else
      throw std::invalid_argument(
          word +
          ": expected --source, --work, --seed, --group, --draws, --at, --jobs, --list or --out");
  }
  if (options.source.empty() || (options.work.empty() && !options.list))
    throw std::invalid_argument("expected --source DIR and --work DIR");
  return options;
}

std::string trimmed_line(const std::string& text, std::size_t offset) {
  const std::size_t begin = text.rfind('\n', offset) + 1;
  const std::string line = text.substr(begin, text.find('\n', offset) - begin);
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first);
}

// The outcomes of a change, besides the kinds of explained survivors.
constexpr const char* kNoCode = "does not compile";
constexpr const char* kKilled = "killed";
constexpr const char* kSurvived = "SURVIVED";

/// All changes of a plan and their outcomes.
class MutationRun {
 public:
  MutationRun(const Options& options, const Plan& plan)
      : options_(options), plan_(plan), build_(options.source, options.work, options.jobs) {
    if (options.out.empty()) return;
    out_.open(options.out);
    if (!out_) throw std::runtime_error(options.out + " cannot be written");
  }

  void run(const Group& group, const std::vector<Mutation>& mutations) {
    say("group " + group.name + ": " + std::to_string(mutations.size()) + " changes");
    if (const std::string why = what_fails_unchanged(group); !why.empty()) {
      left_out_ = true;
      return say(group.name + " is left out: " + why);
    }
    Fates fates;
    for (const Mutation& mutation : mutations) {
      const std::string fate = fate_of(group, mutation);
      const std::string kind = fate.substr(0, fate.find(':'));
      ++fates[kind];
      ++fates_[kind];
      say(fate + "  " + mutation.text());
    }
    say(group.name + ": " + text(fates));
  }
  void summarize() { say("in all: " + text(fates_)); }
  /// Number of survivors that the plan does not explain.
  unsigned survivors() { return fates_[kSurvived]; }
  /// True if a group was skipped because its tests fail without a change.
  bool left_out() const { return left_out_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Fates = std::map<std::string, unsigned>;

  /// The summary: the share of compiled changes that survived.
  static std::string text(Fates& fates) {
    unsigned compiled = 0;
    for (const auto& [fate, count] : fates)
      if (fate != kNoCode) compiled += count;
    const unsigned left = fates[kSurvived] + fates[name_of(Survivor::Kind::kFree)];
    std::string all;
    for (const char* fate : {kNoCode, kKilled, name_of(Survivor::Kind::kEquivalent),
                             name_of(Survivor::Kind::kFree), kSurvived})
      all += std::string(fate) + " " + std::to_string(fates[fate]) + ", ";
    char share[32];
    std::snprintf(share, sizeof share, "%.1f", compiled == 0 ? 0. : 100. * left / compiled);
    return all + "left of " + std::to_string(compiled) + " that compiled: " + std::to_string(left) +
           " (" + share + " %)";
  }
  void say(const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
    if (!out_.is_open()) return;
    out_ << line << std::endl;
    if (!out_) throw std::runtime_error(options_.out + " cannot be written");
  }
  /// A group whose tests fail without a change proves nothing.
  std::string what_fails_unchanged(const Group& group) {
    const Outcome built = build_.build(group.targets, Cache::kFill);
    if (built.status != 0) return "it does not build unchanged\n" + built.output;
    const auto begin = Clock::now();
    const Outcome tested = build_.test(group.tests, kLongestSeconds);
    const auto taken = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin);
    // A change that makes a loop endless is detected by a time limit.
    limit_ = std::min(kLongestSeconds, 60 + 4 * static_cast<unsigned>(taken.count()));
    return tested.status == 0 ? "" : "tests fail without a change\n" + tested.output;
  }
  std::string fate_of(const Group& group, const Mutation& mutation) const {
    const fs::path file = build_.tree() / mutation.file;
    const std::string before = read_text(file);
    write_text(file, mutated(before, mutation));
    std::string fate = fate_as_changed(group, mutation, before);
    write_text(file, before);
    return fate;
  }
  std::string fate_as_changed(const Group& group, const Mutation& mutation,
                              const std::string& before) const {
    if (build_.build(group.targets).status != 0) return kNoCode;
    const Outcome tested = build_.test(group.tests, limit_);
    static const std::regex failed(R"(\*\*\*(\w+))");
    static const std::regex who(R"(\d+/\d+ Test +#\d+: (\S+) .*\*\*\*)");
    std::smatch m;
    if (tested.status != 0)
      return std::string(kKilled) + ": " +
             (std::regex_search(tested.output, m, who) ? m[1].str() : std::string("in time"));
    for (const Survivor& s : plan_.survivors)
      if (s.file == mutation.file && s.from == mutation.from && s.to == mutation.to &&
          s.line == trimmed_line(before, mutation.offset))
        return std::string(name_of(s.kind)) + ": " + s.reason;
    return kSurvived;
  }

  const Options& options_;
  const Plan& plan_;
  ScratchBuild build_;
  std::ofstream out_;
  Fates fates_;
  bool left_out_ = false;
  unsigned limit_ = kLongestSeconds;  ///< time limit for the tests of a change, in seconds
};

/// Sorts headers behind each other. Restoring a header needs the same compilations as changing the
/// next one.
void put_headers_last(std::vector<Mutation>& mutations) {
  const auto headers =
      std::stable_partition(mutations.begin(), mutations.end(),
                            [](const Mutation& m) { return !m.file.ends_with(".h"); });
  std::stable_sort(headers, mutations.end(),
                   [](const Mutation& a, const Mutation& b) { return a.file < b.file; });
}

/// The changes of a group that the options select.
std::vector<Mutation> wanted_of(Group group, const Options& options) {
  if (options.draws >= 0) group.draws = static_cast<unsigned>(options.draws);
  if (options.at.empty()) return draw(group, options.source, options.seed);
  const std::regex at(options.at);
  std::vector<Mutation> all = all_of(group, options.source);
  std::erase_if(all, [&](const Mutation& m) { return !std::regex_search(m.text(), at); });
  return all;
}

int mutate(const Options& options) {
  const Plan plan(options.source / "tests/mutation/plan.toml", options.source);
  const std::regex wanted(options.group);
  std::vector<std::pair<const Group*, std::vector<Mutation>>> work;
  for (const Group& group : plan.groups) {
    if (!std::regex_search(group.name, wanted)) continue;
    std::vector<Mutation> mutations = wanted_of(group, options);
    put_headers_last(mutations);
    if (!mutations.empty()) work.emplace_back(&group, std::move(mutations));
  }
  if (work.empty())
    throw std::invalid_argument("--group, --at: nothing of the plan's groups matches");
  if (options.list) {
    for (const auto& [group, mutations] : work)
      for (const Mutation& mutation : mutations)
        std::printf("%s  %s\n", group->name.c_str(), mutation.text().c_str());
    return 0;
  }
  MutationRun run(options, plan);
  for (const auto& [group, mutations] : work) run.run(*group, mutations);
  run.summarize();
  return run.survivors() == 0 && !run.left_out() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return exit_code_of("mutate", [&] { return mutate(parse({argv + 1, argv + argc})); });
}
