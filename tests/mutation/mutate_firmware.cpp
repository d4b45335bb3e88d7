// Changes calls in kernels, one at a time, runs their programs and judges the reports about them.
//   mutate_firmware --source DIR --build DIR --work DIR [--seed N] [--program PATTERN] [--draws N]
//     [--at PATTERN] [--jobs N] [--list] [--out FILE]
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <stdexcept>
#include <thread>

#include "foundation/fault.h"
#include "tests/mutation/equivalence.h"
#include "tests/mutation/firmware_tree.h"
#include "tests/mutation/mutate_options.h"
#include "tests/mutation/unit_run.h"

namespace {

using namespace tvp::mutation;
namespace fs = std::filesystem;

struct Options {
  fs::path source;
  fs::path build;
  fs::path work;
  std::string program = ".*";
  std::string at;  ///< instead of a random sample: all changes whose text matches this
  std::string out;
  std::uint64_t seed = 1;
  std::size_t draws = 24;  ///< changes of each program that compile
  unsigned jobs = 1;
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
    else if (word == "--build")
      options.build = fs::absolute(value);
    else if (word == "--work")
      options.work = fs::absolute(value);
    else if (word == "--program")
      options.program = value;
    else if (word == "--at")
      options.at = value;
    else if (word == "--out")
      options.out = value;
    else if (word == "--seed")
      options.seed = whole_number(word, value);
    else if (word == "--draws")
      options.draws = static_cast<std::size_t>(whole_number(word, value));
    else if (word == "--jobs")
      options.jobs =
          static_cast<unsigned>(std::clamp<std::uint64_t>(whole_number(word, value), 1, 64));
    else
      throw std::invalid_argument(word +
                                  ": expected --source, --build, --work, --seed, --program, "
                                  "--draws, --at, --jobs, --list or --out");
  }
  if (options.source.empty() || options.build.empty() || options.work.empty())
    throw std::invalid_argument("expected --source DIR, --build DIR and --work DIR");
  return options;
}

/// Counts of a row of the final table.
struct Counts {
  std::map<Verdict, unsigned> verdicts;
  unsigned equivalent = 0;  ///< no mistakes: other changes replace them
  unsigned explained = 0;   ///< silent for a reason
  unsigned hangs = 0;
  unsigned first_lines = 0;  ///< first lines of hangs that name the change

  unsigned judged() const {
    unsigned sum = 0;
    for (const auto& [verdict, count] : verdicts) sum += count;
    return sum;
  }
};

void print_row(const std::string& name, const Counts& counts) {
  std::printf("%-24s %6u", name.c_str(), counts.judged());
  for (const Verdict verdict : kVerdicts) {
    const auto found = counts.verdicts.find(verdict);
    std::printf(" %12u", found == counts.verdicts.end() ? 0 : found->second);
  }
  std::printf(" %9u %10u %6u %11u\n", counts.explained, counts.equivalent, counts.hangs,
              counts.first_lines);
}

/// The changes of all programs and their verdicts.
class Sweep {
 public:
  Sweep(const Options& options, const FirmwarePlan& plan) : options_(options), plan_(plan) {
    if (options.out.empty()) return;
    out_.open(options.out);
    if (!out_) throw std::runtime_error(options.out + " cannot be written");
  }

  /// Takes programs until none is left.
  void work(const std::vector<const FirmwareProgram*>& programs, unsigned job) {
    FirmwareTree tree(options_.source, options_.build, options_.work / std::to_string(job));
    for (;;) {
      const FirmwareProgram* program = nullptr;
      {
        const std::lock_guard lock(mutex_);
        if (next_ == programs.size()) return;
        program = programs[next_++];
      }
      judge_all(*program, tree);
    }
  }

  void print_table() const {
    std::printf("\n%-24s %6s", "", "judged");
    for (const Verdict verdict : kVerdicts) std::printf(" %12s", name_of(verdict));
    std::printf(" %9s %10s %6s %11s\n", "explained", "equivalent", "hangs", "first line");
    for (const auto& [name, counts] : by_program_) print_row(name, counts);
    std::printf("\n");
    for (const auto& [name, counts] : by_rule_) print_row(name, counts);
    std::printf("\n");
    print_row("all", all_);
    const double judged = std::max(1U, all_.judged());
    std::printf("%-24s %6s", "", "%");
    for (const Verdict verdict : kVerdicts) {
      const auto found = all_.verdicts.find(verdict);
      const unsigned count = found == all_.verdicts.end() ? 0 : found->second;
      std::printf(" %12.1f", 100. * count / judged);
    }
    const unsigned silent =
        all_.verdicts.count(Verdict::kSilent) == 0 ? 0 : all_.verdicts.at(Verdict::kSilent);
    std::printf(" %9s %10s %6s %11.1f\n", "", "", "",
                all_.hangs == 0 ? 0. : 100. * all_.first_lines / all_.hangs);
    std::printf("silent with the explained ones: %.1f %%\n",
                100. * (silent + all_.explained) / std::max(1U, all_.judged() + all_.explained));
  }
  bool left_out() const { return left_out_; }

 private:
  static constexpr unsigned kLongestSeconds = 120;
  static constexpr std::uint64_t kUsualLimitNs = 2'000'000;

  void judge_all(const FirmwareProgram& program, FirmwareTree& tree) {
    std::vector<KernelMutation> changes = shuffled(all_of(program, options_.source), options_.seed);
    std::size_t draws = options_.draws;
    if (!options_.at.empty()) {
      const std::regex at(options_.at);
      std::erase_if(changes, [&](const KernelMutation& m) {
        return !std::regex_search(m.change.text(), at);
      });
      draws = changes.size();
    }
    std::set<std::string> kernels;
    for (const KernelMutation& m : changes)
      kernels.insert(fs::path(m.change.file).filename().string());
    const FirmwareRun right = tree.run(program, 1000 * kUsualLimitNs, kLongestSeconds);
    if (right.ending != Ending::kPassed || !findings_of(right).empty()) {
      say("program " + program.name + " is left out: it does not pass without a finding",
          {right.output});
      left_out_ = true;
      return;
    }
    const std::uint64_t limit_ns = std::max(kUsualLimitNs, 5 * tree.simulated_ns());
    const FirmwareTree::Images images = tree.images();
    std::size_t done = 0;
    for (const KernelMutation& change : changes) {
      if (done == draws) break;
      const FirmwareRun run = tree.run_with(change.change, program, limit_ns, kLongestSeconds);
      const bool is_compiled = is_in_code(images, tree.images());
      const bool may_be_silent = run.ending == Ending::kPassed && findings_of(run).empty();
      const char* const why_left_out =
          run.ending == Ending::kNotCompiled ? "does not compile"
          : !is_compiled                     ? "not in the code"
          : may_be_silent &&
                  tree.run_with(change.trap, program, limit_ns, kLongestSeconds).ending ==
                      Ending::kPassed
              ? "not reached"
              : nullptr;
      if (why_left_out != nullptr) {
        say(std::string(why_left_out) + "  " + program.name + "  " + change.change.text(), {});
        continue;
      }
      const std::string proof =
          may_be_silent ? reason_of(program, change, tree, limit_ns) : std::string();
      if (record(program, change, run, kernels, proof)) ++done;
    }
  }
  /// Why a change that stays silent makes no difference for any timing; "" without a proof.
  std::string reason_of(const FirmwareProgram& program, const KernelMutation& change,
                        FirmwareTree& tree, std::uint64_t limit_ns) const {
    const fs::path file = options_.work / "events.jsonl";
    const auto record = [&](const Mutation* changed) {
      tree.record_events(file);
      const FirmwareRun run = changed == nullptr
                                  ? tree.run(program, limit_ns, kLongestSeconds)
                                  : tree.run_with(*changed, program, limit_ns, kLongestSeconds);
      tree.record_events({});
      return run.ending == Ending::kPassed;
    };
    const auto events_of = [&](const Mutation* changed) {
      record(changed);
      Events events(file);
      fs::remove(file);
      return events;
    };
    const auto units_of = [&](const Mutation* changed) {
      // A run that is too slow has a part of the events, which proves nothing.
      auto units = record(changed) ? std::make_unique<UnitRun>(file) : std::make_unique<UnitRun>();
      fs::remove(file);
      return units;
    };
    if (std::string reason = order_proof(change); !reason.empty()) return reason;
    const bool is_fewer = change.change.rule == "delete" || change.change.rule == "swap" ||
                          change.change.to.ends_with(" - 1") || change.change.to == "0";
    if (change.call == "cb_reserve_back" && is_fewer) {
      Mutation without = change.trap;
      without.to = "static_cast<void>(0)";
      if (events_of(nullptr).has_room_without(events_of(&without)))
        return "room: the circular buffer holds all pages that the program pushes";
    }
    if (change.call == "remote_cb_reserve_back" && is_fewer &&
        events_of(&change.change).writes_targets_once())
      return "room: no place at a receiver is written twice";
    if (change.call == "cb_pop_front" && change.change.rule != "swap" && is_fewer &&
        events_of(nullptr).has_idle_pops(events_of(&change.change)))
      return "last: no core waits for pages or room after the pop";
    static const std::set<std::string> kWaits{
        "noc_async_writes_flushed", "noc_async_posted_writes_flushed", "noc_async_write_barrier"};
    if (change.change.rule == "delete" && kWaits.count(change.call) != 0 &&
        events_of(&change.change).keeps_sources())
      return "source: nothing writes to the source of a transfer before another wait for it";
    static const std::set<std::string> kUnitWaits{"send_wait", "dma_wait", "wait_arrivals",
                                                  "wait_word", "barrier"};
    if (kUnitWaits.count(change.call) != 0 && units_of(&change.change)->is_ordered())
      return "units: other waits order each use of working memory";
    if (change.call == "set_window" && units_of(&change.change)->has_windows_of(*units_of(nullptr)))
      return "window: messages have the same places";
    return "";
  }
  /// True if a kernel of the program has other code than without the change.
  static bool is_in_code(const FirmwareTree::Images& before, const FirmwareTree::Images& now) {
    return std::any_of(before.begin(), before.end(), [&](const auto& image) {
      const auto found = now.find(image.first);
      return found == now.end() || found->second != image.second;
    });
  }

  /// False if the change is equivalent.
  bool record(const FirmwareProgram& program, const KernelMutation& change, const FirmwareRun& run,
              const std::set<std::string>& kernels, const std::string& proof) {
    const Judgement judgement = judge(change, kernels, run);
    const std::string text = change.change.text();
    const auto reason = std::find_if(
        plan_.explained.begin(), plan_.explained.end(),
        [&](const Explained& each) { return std::regex_search(text, std::regex(each.change)); });
    const bool is_explained = judgement.verdict == Verdict::kSilent &&
                              (!proof.empty() || reason != plan_.explained.end());
    const bool is_equivalent =
        is_explained && (!proof.empty() || reason->kind == Survivor::Kind::kEquivalent);
    {
      const std::lock_guard lock(mutex_);
      for (Counts* counts : {&by_program_[program.name], &by_rule_[change.change.rule], &all_}) {
        if (is_explained) {
          ++(is_equivalent ? counts->equivalent : counts->explained);
          continue;
        }
        ++counts->verdicts[judgement.verdict];
        counts->hangs += judgement.hangs ? 1 : 0;
        counts->first_lines += judgement.hangs && judgement.first_line_names ? 1 : 0;
      }
    }
    const std::string ending =
        std::string(" (") + name_of(run.ending) +
        (judgement.hangs && !judgement.first_line_names ? ", not in the first line)" : ")");
    say((!is_explained    ? name_of(judgement.verdict) + ending
         : !proof.empty() ? "proved: " + proof
                          : name_of(reason->kind) + std::string(": ") + reason->reason) +
            "  " + program.name + "  " + text,
        judgement.lines);
    return !is_equivalent;
  }

  /// Prints a line, and writes it with the decisive texts to the file of --out.
  void say(const std::string& line, const std::vector<std::string>& texts) {
    const std::lock_guard lock(mutex_);
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
    if (!out_.is_open()) return;
    out_ << line << "\n";
    for (const std::string& text : texts) {
      std::string indented = "    ";
      for (const char c : text) indented += c == '\n' ? std::string("\n    ") : std::string(1, c);
      out_ << indented << "\n";
    }
    out_ << std::flush;
    if (!out_) throw std::runtime_error(options_.out + " cannot be written");
  }

  const Options& options_;
  const FirmwarePlan& plan_;
  std::ofstream out_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::map<std::string, Counts> by_program_;
  std::map<std::string, Counts> by_rule_;
  Counts all_;
  bool left_out_ = false;
};

int mutate(const Options& options) {
  const FirmwarePlan plan(options.source / "tests/mutation/firmware.toml");
  const std::regex wanted(options.program);
  std::vector<const FirmwareProgram*> programs;
  for (const FirmwareProgram& program : plan.programs)
    if (std::regex_search(program.name, wanted)) programs.push_back(&program);
  if (programs.empty()) throw std::invalid_argument("--program: no program's name matches");
  if (options.list) {
    const std::regex at(options.at);
    for (const FirmwareProgram* program : programs)
      for (const KernelMutation& m : all_of(*program, options.source))
        if (std::regex_search(m.change.text(), at))
          std::printf("%s  %s\n", program->name.c_str(), m.change.text().c_str());
    return 0;
  }
  Sweep sweep(options, plan);
  std::vector<std::thread> threads;
  std::exception_ptr failure;
  std::mutex mutex;
  for (unsigned job = 0; job < options.jobs; ++job)
    threads.emplace_back([&, job] {
      try {
        sweep.work(programs, job);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  sweep.print_table();
  return sweep.left_out() ? 1 : 0;
}

}  // namespace

/// libsystemc.so, on which the events depend, asks for it.
extern "C" int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
  return exit_code_of("mutate --firmware", [&] { return mutate(parse({argv + 1, argv + argc})); });
}
