#include "tests/mutation/verdict.h"

#include <algorithm>
#include <regex>
#include <sstream>
#include <string_view>

namespace tvp::mutation {
namespace {

constexpr const char* kHangs = "nothing moves any more";
constexpr const char* kLimit = "the time limit came";

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

struct Place {
  std::string file;
  std::size_t line = 0;
};

/// All "reader.cpp:16" of a text.
std::vector<Place> places_in(const std::string& text) {
  static const std::regex place(R"(([\w.+-]+\.(?:cpp|h)):(\d+))");
  std::vector<Place> all;
  for (std::sregex_iterator it(text.begin(), text.end(), place), end; it != end; ++it)
    all.push_back({(*it)[1], std::stoul((*it)[2])});
  return all;
}

/// Words of reports about calls whose names begin so.
struct Words {
  std::string_view call;
  std::vector<std::string_view> words;
};
const std::vector<Words>& words_of_reports() {
  static const std::vector<Words> all{
      {"cb_push_back", {"push"}},
      {"cb_pop_front", {"pop", "free"}},
      {"cb_wait_front", {"waited for", "wait_front"}},
      {"cb_reserve_back", {"reserve"}},
      {"remote_cb_push_back", {"push", "sent"}},
      {"remote_cb_pop_front", {"pop", "acknowledge", "given back"}},
      {"remote_cb_wait_front", {"waited for", "wait_front"}},
      {"remote_cb_reserve_back", {"reserve"}},
      {"noc_semaphore_inc", {"signal", "increment"}},
      {"noc_semaphore_set", {"set", "store"}},
      {"noc_semaphore_set_multicast", {"signal"}},
      {"to_noc_fused_unicast_write_atomic_inc", {"signal"}},
      {"noc_semaphore_wait", {"waited", "wait is missing"}},
      {"noc_async_write", {"no kernel has written"}},
      {"noc_async_write_page", {"no kernel has written"}},
      {"noc_async_write_one_packet_with_state", {"no kernel has written"}},
      {"noc_async_read_barrier", {"read barrier", "wait is missing"}},
      {"noc_async_write_barrier", {"write barrier", "barrier is missing", "answered"}},
      {"noc_async_writes_flushed", {"flush", "wait is missing"}},
      {"noc_async_atomic_barrier", {"atomic barrier", "answered"}},
      {"noc_async_full_barrier", {"barrier", "answered"}},
      {"send_payload_without_header_non_blocking_from_address", {"bytes behind its header"}},
      {"fabric_client_disconnect", {"open connection"}},
      {"close", {"open connection"}},
      {"signal", {"signal", "message"}},
      {"send", {"message"}},
      {"send_async", {"message"}},
      {"send_wait", {"send_wait"}},
      {"dma_wait", {"dma_wait", "DMA"}},
      {"wait_arrivals", {"wait_arrivals", "arrivals"}},
      {"set_window", {"set_window"}}};
  return all;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

bool names_line(const KernelMutation& mutation, const std::string& text) {
  const std::string file = base_name(mutation.change.file);
  const bool may_be_near = mutation.change.rule == "delete" || mutation.change.rule == "swap";
  const std::vector<Place> places = places_in(text);
  return std::any_of(places.begin(), places.end(), [&](const Place& place) {
    return place.file == file && (mutation.lines.count(place.line) != 0 ||
                                  (may_be_near && mutation.around.count(place.line) != 0));
  });
}

/// The text asks for a call of this name: "Add a noc_async_read", "Expected a cb_wait_front".
bool asks_for(const std::string& text, const std::string& call) {
  static const std::regex wish(R"((?:Add|Expected|Call) (?:an? )?(?:read of )?([a-z]\w{5,}))");
  for (std::sregex_iterator it(text.begin(), text.end(), wish), end; it != end; ++it) {
    const std::string name = (*it)[1];
    if (call.starts_with(name) || name.starts_with(call)) return true;
  }
  return false;
}

/// The text names the call, or what it does, together with its kernel.
bool names_call(const std::string& file, const std::string& call, const std::string& text) {
  if (!has(text, file)) return false;
  std::vector<std::string_view> words{call};
  for (const Words& each : words_of_reports())
    if (call == each.call) words.insert(words.end(), each.words.begin(), each.words.end());
  if (has(call, "init") || has(call, "startup")) words.push_back("init function is missing");
  if (has(call, "flushed")) words.push_back("_flushed");
  return asks_for(text, call) ||
         std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return has(text, word); });
}
bool names_call(const KernelMutation& mutation, const std::string& text) {
  std::set<std::string> files = mutation.includers;
  files.insert(base_name(mutation.change.file));
  return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    return names_call(file, mutation.call, text) ||
           (!mutation.other.empty() && names_call(file, mutation.other, text));
  });
}

/// The line of the report that says first what is wrong.
std::string first_line_of_hang(const std::string& output) {
  for (const char* mark : {kHangs, kLimit}) {
    const std::size_t at = output.find(mark);
    if (at != std::string::npos) return output.substr(at, output.find('\n', at) - at);
  }
  return "";
}

/// The text names a line of a kernel other than the changed one.
bool names_other(const KernelMutation& mutation, const std::set<std::string>& kernels,
                 const std::string& text) {
  const std::string file = base_name(mutation.change.file);
  const std::vector<Place> places = places_in(text);
  return std::any_of(places.begin(), places.end(), [&](const Place& place) {
    return place.file != file && kernels.count(place.file) != 0 &&
           mutation.includers.count(place.file) == 0 && mutation.included.count(place.file) == 0;
  });
}

/// The cause that a line names, behind its first semicolon. The part before it names a victim.
std::string cause_of(const std::string& line) {
  const std::size_t at = line.find(';');
  return at == std::string::npos ? std::string() : line.substr(at);
}

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kNamed:
      return "named";
    case Verdict::kPointed:
      return "pointed";
    case Verdict::kElsewhere:
      return "elsewhere";
    case Verdict::kWrongSilent:
      return "wrong_silent";
    case Verdict::kSilent:
      return "silent";
    case Verdict::kDefect:
      return "defect";
  }
  return "";
}

const char* name_of(Ending ending) {
  switch (ending) {
    case Ending::kPassed:
      return "passed";
    case Ending::kWrongResult:
      return "wrong result";
    case Ending::kFault:
      return "fault";
    case Ending::kHang:
      return "hang";
    case Ending::kTimeLimit:
      return "time limit";
    case Ending::kNotCompiled:
      return "does not compile";
    case Ending::kDefect:
      return "defect";
  }
  return "";
}

Ending ending_of(int status, const std::string& output) {
  static const std::regex compiler(R"(\.(cpp|h):\d+:\d+: (fatal )?error: )");
  if (status == 0) return Ending::kPassed;
  if (std::regex_search(output, compiler) || has(output, "does not compile"))
    return Ending::kNotCompiled;
  if (has(output, kHangs)) return Ending::kHang;
  if (has(output, kLimit)) return Ending::kTimeLimit;
  if (status == 1) return Ending::kWrongResult;
  if (status == 2 || status == 3) return Ending::kFault;
  return Ending::kDefect;
}

std::vector<std::string> findings_of(const FirmwareRun& run) {
  static const std::regex finding(R"(^(\s*warning: |libtensix_vp: |vp: |\w+: ).*)");
  static const std::regex figure(R"(^  \w[\w /]*\s{2,}\S.*)");  // a row of the report's table
  std::vector<std::string> all;
  std::istringstream lines(run.output);
  bool is_open = true;
  for (std::string line; std::getline(lines, line);) {
    const bool begins = std::regex_match(line, finding);
    if (line.empty() || (!begins && std::regex_match(line, figure))) {
      is_open = false;
      continue;
    }
    if (begins || all.empty()) {
      all.push_back(line);
      is_open = true;
    } else if (is_open) {
      all.back() += "\n" + line;
    }
  }
  // A program that passes says so in a line of its own.
  if (run.ending == Ending::kPassed)
    std::erase_if(all, [](const std::string& text) { return !has(text, "warning: "); });
  return all;
}

Judgement judge(const KernelMutation& mutation, const std::set<std::string>& kernels,
                const FirmwareRun& run) {
  Judgement judgement;
  judgement.hangs = run.ending == Ending::kHang || run.ending == Ending::kTimeLimit;
  judgement.lines = findings_of(run);
  const std::vector<std::string>& lines = judgement.lines;
  const auto any = [&](auto&& holds) { return std::any_of(lines.begin(), lines.end(), holds); };
  const std::string file = base_name(mutation.change.file);
  bool named = any([&](const std::string& text) { return names_line(mutation, text); });
  bool blames_others = false;
  if (judgement.hangs) {
    // Later lines of a hang list the waits of many kernels, so only their line numbers count.
    const std::string first = first_line_of_hang(run.output);
    const std::string cause = cause_of(first);
    judgement.first_line_names = names_line(mutation, first) || names_call(mutation, cause);
    blames_others = names_other(mutation, kernels, cause);
    named = named || judgement.first_line_names || any([&](const std::string& text) {
              return has(text, "warning: ") && !has(text, kHangs) && names_call(mutation, text);
            });
  } else {
    named = named || any([&](const std::string& text) { return names_call(mutation, text); });
    blames_others =
        any([&](const std::string& text) { return names_other(mutation, kernels, text); });
  }
  // A line of a file that includes the changed one is a line of the same kernel.
  const bool names_file = any([&](const std::string& text) {
    return has(text, file) ||
           std::any_of(mutation.includers.begin(), mutation.includers.end(),
                       [&](const std::string& includer) { return has(text, includer); });
  });
  if (run.ending == Ending::kDefect)
    judgement.verdict = Verdict::kDefect;
  else if (named)
    judgement.verdict = Verdict::kNamed;
  else if (run.ending == Ending::kPassed && lines.empty())
    judgement.verdict = Verdict::kSilent;
  else if (!names_file && blames_others)
    judgement.verdict = Verdict::kElsewhere;
  else if (!names_file && run.ending == Ending::kWrongResult)
    judgement.verdict = Verdict::kWrongSilent;
  else
    judgement.verdict = Verdict::kPointed;
  return judgement;
}

}  // namespace tvp::mutation
