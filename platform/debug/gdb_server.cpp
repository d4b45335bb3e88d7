#include "platform/debug/gdb_server.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "foundation/hex.h"
#include "platform/debug/documents.h"
#include "platform/debug/gdb_packet.h"

namespace tvp::debug {

namespace {

constexpr const char* kOk = "OK";
constexpr const char* kError = "E01";
constexpr unsigned kMaxAccess = 4096;  ///< bytes of one memory packet, well below its size

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Registers are sent little endian.
std::string hex_word(std::uint32_t value) {
  std::string bytes;
  for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i));
  return to_hex(bytes);
}

std::optional<std::uint32_t> take_word(std::string_view& digits) {
  if (digits.size() < 8) return std::nullopt;
  const auto bytes = from_hex(digits.substr(0, 8));
  if (!bytes) return std::nullopt;
  digits.remove_prefix(8);
  std::uint32_t value = 0;
  for (unsigned i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>((*bytes)[i]);
  return value;
}

struct Range {
  std::uint32_t address;
  std::uint32_t bytes;
};

/// "address,length"
std::optional<Range> take_range(std::string_view& text) {
  const auto address = take_hex(text);
  if (!address || *address > 0xFFFFFFFFU || !take(text, ",")) return std::nullopt;
  const auto bytes = take_hex(text);
  if (!bytes || *bytes > 0xFFFFFFFFU) return std::nullopt;
  return Range{static_cast<std::uint32_t>(*address), static_cast<std::uint32_t>(*bytes)};
}

std::string_view up_to(std::string_view& text, char end) {
  const std::string_view part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

}  // namespace

void GdbServer::reset() {
  acknowledges_ = true;
  multiprocess_ = false;
  went_alone_ = false;
  limited_to_ = 0;
  general_ = 0;
  continue_ = 0;
  known_.clear();
  follows_starts_ = false;
  described_.clear();
}

bool GdbServer::knows(unsigned core) const {
  return std::find(known_.begin(), known_.end(), core) != known_.end();
}

bool GdbServer::has_description(unsigned core) const {
  return !follows_starts_ || described_.contains(core);
}

void GdbServer::note(unsigned core) {
  if (!knows(core)) known_.push_back(core);
}

std::string GdbServer::thread_name(unsigned core) const {
  return multiprocess_ ? "p" + foundation::hex_digits(core) + ".1" : foundation::hex_digits(core);
}

/// "p1.1", "p1.-1", "p1", "-1" (all), "0" (any); without the extensions "1".
GdbServer::Thread GdbServer::take_thread(std::string_view& text) {
  const bool with_process = take(text, "p");
  if (take(text, "-1")) return {.every = true};
  constexpr unsigned kNone = ~0U;  // for an unreadable number, or a thread that its process lacks
  const auto core = take_hex(text);
  bool process = with_process;
  bool there = core && *core < kNone;
  if (with_process && take(text, ".")) {
    process = take(text, "-1");
    if (!process) {
      const auto thread = take_hex(text);
      there = there && thread && *thread <= 1;
    }
  }
  return {.core = there ? static_cast<unsigned>(*core) : kNone, .process = process};
}

std::string GdbServer::stopped(const Stop& stop) {
  stop_ = stop;
  if (stop.reason == Stop::Reason::kEnd) {
    std::erase(known_, stop.core);
    std::array<char, 8> code;
    std::snprintf(code.data(), code.size(), "W%02x", static_cast<unsigned>(stop.signal) & 0xFFU);
    return code.data() +
           (multiprocess_ ? ";process:" + foundation::hex_digits(stop.core) : std::string());
  }
  general_ = stop.core;
  note(stop.core);
  std::array<char, 8> signal;
  std::snprintf(signal.data(), signal.size(), "T%02x", static_cast<unsigned>(stop.signal) & 0xFFU);
  std::string text = signal.data();
  switch (stop.reason) {
    case Stop::Reason::kBreakpoint:
      text += stop.trap == Trap::kHardwareBreakpoint ? "hwbreak:;" : "swbreak:;";
      break;
    case Stop::Reason::kWatchpoint:
      text += stop.trap == Trap::kWrite  ? "watch:"
              : stop.trap == Trap::kRead ? "rwatch:"
                                         : "awatch:";
      text += foundation::hex_digits(stop.address) + ";";
      break;
    case Stop::Reason::kStarted:
      described_.insert(stop.core);
      text += "exec:" + to_hex(target_.executable(stop.core)) + ";";
      break;
    case Stop::Reason::kLibraries:
      text += "library:;";
      break;
    case Stop::Reason::kBeginning:
      text += "replaylog:begin;";
      break;
    case Stop::Reason::kSignal:
    case Stop::Reason::kEnd:
      break;
  }
  text += foundation::hex_digits(Target::kPc) + ":" +
          hex_word(target_.registers(stop.core)[Target::kPc]) + ";";
  return text + "thread:" + thread_name(stop.core) + ";";
}

std::string GdbServer::console(const std::string& text) { return "O" + to_hex(text); }

GdbServer::Answer GdbServer::handle(const std::string& packet) {
  if (packet.empty()) return {};
  std::string_view text = packet;
  if (take(text, "vCont?")) return {"vCont;c;C;s;S;r"};
  if (take(text, "vCont;")) return resume(text);
  if (take(text, "vKill;")) return kill(text);
  const char command = text.front();
  text.remove_prefix(1);
  switch (command) {
    case '?':
      described_.insert(stop_.core);
      return {stopped(stop_)};
    case '!':
      return {kOk};
    case 'q':
    case 'Q':
      return query(text);
    case 'H':
      return set_thread(text);
    case 'T': {
      const Thread thread = take_thread(text);
      return {target_.has(thread.core) ? kOk : kError};
    }
    case 'g':
      return read_registers();
    case 'G':
      return write_registers(text);
    case 'p':
      return read_register(text);
    case 'P':
      return write_register(text);
    case 'm':
      return read_memory(text);
    case 'M':
      return write_memory(text, false);
    case 'X':
      return write_memory(text, true);
    case 'Z':
      return change_trap(text, true);
    case 'z':
      return change_trap(text, false);
    case 'c':
    case 'C':
    case 's':
    case 'S':
      return resume_old(command);
    case 'b':
      return go_back(text);
    case 'D':
      return detach(text);
    case 'k':
      return {"", Next::kEndOfRun};
    default:
      return {};  // not supported
  }
}

GdbServer::Answer GdbServer::query(std::string_view text) {
  if (take(text, "Supported")) {
    multiprocess_ = text.find("multiprocess+") != std::string_view::npos;
    follows_starts_ = multiprocess_ && text.find("exec-events+") != std::string_view::npos;
    return {"PacketSize=" + foundation::hex_digits(PacketDecoder::kMaxPayload) +
            ";multiprocess+;QStartNoAckMode+;vContSupported+;exec-events+;swbreak+;hwbreak+"
            ";ReverseStep+;ReverseContinue+"
            ";qXfer:features:read+;qXfer:threads:read+;qXfer:libraries:read+"
            ";qXfer:libraries-svr4:read+;qXfer:exec-file:read+"};
  }
  if (text == "StartNoAckMode") {
    acknowledges_ = false;
    return {kOk};
  }
  if (take(text, "Xfer:")) return transfer(text);
  if (text == "C") return {"QC" + thread_name(general_)};
  if (text == "fThreadInfo") return {thread_list()};
  if (text == "sThreadInfo") return {"l"};
  if (take(text, "ThreadExtraInfo,")) {
    const Thread thread = take_thread(text);
    if (!target_.has(thread.core)) return {kError};
    return {to_hex(target_.name(thread.core) + " " + target_.state(thread.core))};
  }
  // Cores run before the debugger connects and after it leaves.
  if (take(text, "Attached")) return {"1"};
  if (take(text, "Symbol:")) return {kOk};
  if (take(text, "Rcmd,")) return monitor(text);
  return {};
}

/// Ends the whole run, whichever inferior the packet names. An inferior's number is the core's
/// number; without the extensions there is no number.
GdbServer::Answer GdbServer::kill(std::string_view text) {
  const auto core = take_hex(text);
  const bool is_known = core && *core <= ~0U && target_.has(static_cast<unsigned>(*core));
  if (!core || !text.empty() || (multiprocess_ && !is_known)) return {kError};
  return {kOk, Next::kEndOfRun};
}

GdbServer::Answer GdbServer::set_thread(std::string_view text) {
  if (text.empty()) return {kError};
  const char what = text.front();
  text.remove_prefix(1);
  const Thread thread = take_thread(text);
  if (!text.empty() || (thread.core != 0 && !target_.has(thread.core))) return {kError};
  if (what == 'c') continue_ = thread.core;
  if (what == 'g' && thread.core != 0) general_ = thread.core;
  return {what == 'c' || what == 'g' ? kOk : ""};
}

GdbServer::Answer GdbServer::read_registers() {
  if (!target_.has(general_)) return {kError};
  std::string text;
  for (const std::uint32_t value : target_.registers(general_)) text += hex_word(value);
  return {text};
}

GdbServer::Answer GdbServer::write_registers(std::string_view digits) {
  if (!target_.has(general_)) return {kError};
  const auto before = target_.registers(general_);
  for (unsigned i = 0; i < Target::kRegisters; ++i) {
    const auto value = take_word(digits);
    if (!value) return {kError};
    if (*value != before[i] && !target_.set_register(general_, i, *value)) return {kError};
  }
  return {kOk};
}

GdbServer::Answer GdbServer::read_register(std::string_view text) {
  const auto index = take_hex(text);
  if (!target_.has(general_) || !index || *index >= Target::kRegisters) return {kError};
  return {hex_word(target_.registers(general_)[*index])};
}

GdbServer::Answer GdbServer::write_register(std::string_view text) {
  const auto index = take_hex(text);
  if (!target_.has(general_) || !index || *index >= Target::kRegisters || !take(text, "=")) {
    return {kError};
  }
  const auto value = take_word(text);
  if (!value) return {kError};
  const bool done = target_.set_register(general_, static_cast<unsigned>(*index), *value);
  return {done ? kOk : kError};
}

GdbServer::Answer GdbServer::read_memory(std::string_view text) {
  const auto range = take_range(text);
  if (!target_.has(general_) || !range) return {kError};
  std::string bytes(std::min(range->bytes, kMaxAccess), '\0');
  const std::size_t seen = target_.read(
      general_, range->address, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
  if (seen == 0 && range->bytes != 0) return {kError};
  return {to_hex(std::string_view(bytes).substr(0, seen))};
}

GdbServer::Answer GdbServer::write_memory(std::string_view text, bool binary) {
  const auto range = take_range(text);
  if (!target_.has(general_) || !range || !take(text, ":")) return {kError};
  const auto bytes = binary ? std::optional<std::string>(text) : from_hex(text);
  if (!bytes || bytes->size() != range->bytes) return {kError};
  if (bytes->empty()) return {kOk};
  const bool done =
      target_.write(general_, range->address,
                    {reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()});
  return {done ? kOk : kError};
}

/// "type,address,kind"
GdbServer::Answer GdbServer::change_trap(std::string_view text, bool insert) {
  if (text.empty() || text.front() < '0' || text.front() > '4') return {};
  const auto trap = static_cast<Trap>(text.front() - '0');
  text.remove_prefix(1);
  if (!take(text, ",")) return {kError};
  const auto range = take_range(text);
  if (!target_.has(general_) || !range) return {kError};
  const bool done = insert ? target_.insert(general_, trap, range->address, range->bytes)
                           : target_.remove(general_, trap, range->address, range->bytes);
  return {done ? kOk : kError};
}

/// "c:p1.-1;s:p2.1;r4000,4010:p3.1;c": the leftmost action that names a core applies to it.
std::optional<GdbServer::Action> GdbServer::take_action(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const char what = text.front();
  text.remove_prefix(1);
  Action action{.steps = what == 's' || what == 'S' || what == 'r'};
  if (what == 'r') {
    const auto range = take_range(text);
    if (!range) return std::nullopt;
    action.from = range->address;
    action.to = range->bytes;
  } else if (what == 'C' || what == 'S') {
    take_hex(text);  // a signal: cores have none
  } else if (what != 'c' && what != 's') {
    return std::nullopt;
  }
  if (!take(text, ":")) return action;
  action.whom = take_thread(text);
  if (!action.whom.every && !target_.has(action.whom.core)) return std::nullopt;
  return action;
}

GdbServer::Answer GdbServer::resume(std::string_view text) {
  // No core steps before the whole packet is parsed.
  std::vector<Action> actions;
  while (!text.empty()) {
    const auto action = take_action(up_to(text, ';'));
    if (!action) return {kError};
    actions.push_back(*action);
  }
  std::vector<unsigned> decided;
  bool everybody = false;
  bool processes = false;
  for (const Action& action : actions) {
    const Thread& whom = action.whom;
    everybody = everybody || whom.every;
    processes = processes || whom.process;
    for (const unsigned core : whom.every ? target_.cores() : std::vector<unsigned>{whom.core}) {
      if (std::find(decided.begin(), decided.end(), core) != decided.end()) continue;
      decided.push_back(core);
      if (action.steps && target_.has(core)) target_.step(core, action.from, action.to);
    }
  }
  if (decided.empty()) return {kError};
  went_alone_ = processes && !everybody && known_.size() > 1;
  limited_to_ = !everybody && !processes && decided.size() == 1 ? decided.front() : 0;
  const bool steps = std::any_of(actions.begin(), actions.end(),
                                 [](const Action& action) { return action.steps; });
  return {"", Next::kGo, steps};
}

GdbServer::Answer GdbServer::resume_old(char action) {
  const unsigned core = continue_ != 0 ? continue_ : general_;
  if (!target_.has(core)) return {kError};
  if (action == 's' || action == 'S') target_.step(core, 0, 0);
  went_alone_ = false;
  limited_to_ = 0;
  return {"", Next::kGo, action == 's' || action == 'S'};
}

/// "s" or "c"
GdbServer::Answer GdbServer::go_back(std::string_view text) {
  if (text != "s" && text != "c") return {};
  if (!target_.has(selected())) return {kError};
  went_alone_ = false;
  limited_to_ = 0;
  return {"", Next::kGoBack, text == "s"};
}

nlohmann::json GdbServer::conversation() const {
  return {{"acknowledges", acknowledges_},
          {"multiprocess", multiprocess_},
          {"general", general_},
          {"continue", continue_},
          {"known", known_},
          {"follows_starts", follows_starts_},
          {"described", described_},
          {"core", stop_.core}};
}

void GdbServer::take_over(const nlohmann::json& conversation) {
  reset();
  acknowledges_ = conversation.at("acknowledges");
  multiprocess_ = conversation.at("multiprocess");
  general_ = conversation.at("general");
  continue_ = conversation.at("continue");
  known_ = conversation.at("known").get<std::vector<unsigned>>();
  follows_starts_ = conversation.at("follows_starts");
  described_ = conversation.at("described").get<std::set<unsigned>>();
  stop_ = {.core = conversation.at("core")};
}

GdbServer::Answer GdbServer::detach(std::string_view text) {
  if (!take(text, ";")) {
    known_.clear();
  } else if (const auto core = take_hex(text); core && knows(static_cast<unsigned>(*core))) {
    target_.detach(static_cast<unsigned>(*core));
    std::erase(known_, static_cast<unsigned>(*core));
  } else {
    return {kError};
  }
  return {kOk, known_.empty() ? Next::kLeave : Next::kAnswer};
}

/// "object:read:annex:offset,length"
GdbServer::Answer GdbServer::transfer(std::string_view text) {
  const std::string_view object = up_to(text, ':');
  if (up_to(text, ':') != "read") return {};
  std::string_view annex = up_to(text, ':');
  if (object == "features") {
    if (annex != "target.xml") return {"E00"};
    return {document_part(target_document(), text)};
  }
  if (object == "threads") return {document_part(threads_document(), text)};
  if (object == "libraries") {
    if (!target_.has(general_)) return {kError};
    return {document_part(libraries_document(target_.libraries(general_)), text)};
  }
  if (object == "libraries-svr4") {
    if (!target_.has(general_)) return {kError};
    return {document_part(svr4_libraries_document(target_.libraries(general_)), text)};
  }
  if (object == "exec-file") {
    const auto core = annex.empty() ? general_ : static_cast<unsigned>(take_hex(annex).value_or(0));
    if (!target_.has(core)) return {kError};
    return {document_part(target_.executable(core), text)};
  }
  return {};
}

GdbServer::Answer GdbServer::monitor(std::string_view digits) {
  const auto command = from_hex(digits);
  if (!command) return {kError};
  const std::string text = target_.monitor(general_, *command);
  return {text.empty() ? kOk : to_hex(text)};
}

std::string GdbServer::thread_list() {
  std::string text;
  for (const unsigned core : target_.cores()) {
    note(core);
    text += (text.empty() ? "m" : ",") + thread_name(core);
  }
  return text.empty() ? "l" : text;
}

std::string GdbServer::threads_document() {
  std::string text = "<?xml version=\"1.0\"?><threads>";
  for (const unsigned core : target_.cores()) {
    note(core);
    text += thread_element(thread_name(core), target_.name(core), target_.state(core));
  }
  return text + "</threads>";
}

}  // namespace tvp::debug
