#include "sw/replay/replay.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/hex.h"
#include "sw/replay/recorded_system.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/reads_times.h"

namespace tvp::replay {

using Expectation = ReplyLedger::Expectation;

namespace {

// Cycles between two reads of a poll: the maximum delay of a reply in a file without CLOCK lines.
constexpr std::uint32_t kStepCycles = 2000;

std::string place_of(const foundation::HostMessage& message) {
  const std::string line = message.to_line();
  return line.substr(0, line.find(" data="));
}

std::string bytes_of(const foundation::HostMessage::Bytes& bytes) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(bytes.size(), kShown); ++i) {
    text += foundation::hex_digits(bytes[i], 2);
  }
  return bytes.size() > kShown ? text + "…" : text;
}

/// "PLACE gives A, not B"
std::string unexpected(const foundation::HostMessage& read,
                       const foundation::HostMessage::Bytes& got) {
  return place_of(read) + " gives " + bytes_of(got) + ", not " + bytes_of(*read.reply);
}

/// The message that the library refuses, in the syntax of the file.
std::string expected_of(const foundation::HostMessage& message) {
  if (!message.has_place() || message.kind == foundation::HostMessage::Kind::kHost) return "";
  const bool bare_core = message.kind != foundation::HostMessage::Kind::kRead &&
                         message.kind != foundation::HostMessage::Kind::kWrite;
  if (bare_core) return "core: expected a tile with RISC-V cores; ";
  return std::string(message.bar ? "bar" : "core") +
         ", addr, size: expected memory or registers that are there; ";
}

/// Possible reasons for different behavior of the chips.
std::string recorded_with(const foundation::MessageReader& reader) {
  return reader.recorded_with().empty() ? "" : " (recorded with " + reader.recorded_with() + ")";
}

}  // namespace

Replay::Replay(Options options)
    : Workload({.name = "replay",
                .summary = "plays a recording of what a host did",
                .system = recorded_system(options.file).value_or("single_chip"),
                .max_time_ns = 1e9},
               config_),
      options_(std::move(options)) {}

workloads::Result Replay::run(workloads::Context& context) {
  const std::string& times = config_.times.value();
  compares_times_ = times == "compared" || (times == "auto" && context.library.has_time());
  foundation::MessageReader reader(options_.file, options_.between);
  PlayedHost host(context.library);
  context.library.init();
  Stage stage{context.library, host, PlayedChips(context.library),
              Noc0Arguments("replay.noc0_arguments", config_.noc0_arguments.value()), reader};
  for (const std::string& elf : options_.elfs) stage.chips.add_symbols(elf);
  while (auto message = reader.next()) {
    ++messages_;
    if (!stage.reader.recorded_with().empty()) stage.chips.expect_our_runtime();
    try {
      if (!play(stage, *message)) break;
    } catch (const foundation::Fault& fault) {
      // The library's error does not contain the line of the file.
      const std::string where = stage.reader.where();
      if (fault.kind() != foundation::FaultKind::kDescription) throw;
      runtime::bad_use(
          where, (fault.where() == where ? fault.message() : expected_of(*message) + fault.what()) +
                     recorded_with(stage.reader));
    }
  }
  if (messages_ == 0) runtime::bad_use(options_.file, "expected a recording: it has no message");
  stage.arguments.finish();
  ledger_.finish();
  for (const std::string& text : ledger_.texts()) context.print(text);
  return result(stage);
}

bool Replay::play(Stage& stage, Message& message) {
  const std::string where = stage.reader.where();
  switch (message.kind) {
    case Message::Kind::kWrite:
      ledger_.written(message, where);
      stage.chips.write(stage.arguments.translated(message, stage.chips), where);
      break;
    case Message::Kind::kRead:
      read(stage, message);
      break;
    case Message::Kind::kResetAssert:
    case Message::Kind::kResetDeassert:
      stage.chips.reset(message, where);
      break;
    case Message::Kind::kHost:
      stage.host.hold(message, where);
      break;
    case Message::Kind::kClock:
      clock(stage, message.cycles);
      break;
    case Message::Kind::kExit:
      return false;
  }
  return true;
}

Replay::Message::Bytes Replay::look(Stage& stage, const Message& message) const {
  if (!message.times) return stage.chips.read(message, stage.reader.where());
  // Marks times in a recording of this replay.
  const runtime::ReadsTimes times(stage.library, message.times->period, message.times->first,
                                  message.times->bytes);
  Message::Bytes got = stage.chips.read(message, stage.reader.where());
  if (!compares_times_) message.times->clear(got);
  return got;
}

void Replay::read(Stage& stage, Message& message) {
  if (message.reply && message.times && !compares_times_) {
    ++times_skipped_;
    message.times->clear(*message.reply);
    if (message.times->all()) message.reply.reset();
  }
  const std::string where = stage.reader.where();
  Message::Bytes got = look(stage, message);
  if (!message.reply) return;
  const Expectation expectation = ledger_.expectation_of(message);
  if (expectation == Expectation::kNew) ++polls_;
  if (got != *message.reply && expectation != Expectation::kSame) {
    got = wait(stage, message, std::move(got));
  }
  ledger_.replied(message, got, where);
}

Replay::Message::Bytes Replay::wait(Stage& stage, const Message& message, Message::Bytes got) {
  const std::uint64_t begin = cycles_;
  const std::uint64_t passed = begin - lost_cycles_;
  std::uint64_t moved = begin;  // last time at which the place had a known value
  bool idle = false;
  while (got != *message.reply) {
    const bool untouched = ledger_.as_known(message, got);
    if (untouched) moved = cycles_;
    // Only a library with a status knows that nothing moves any more. Without a status, the replay
    // waits once more for the time that it took so far: a changed value may stay wrong forever, and
    // an expected one may never come.
    if (!stage.library.has_status()) {
      const std::uint64_t patience = std::max(passed, config_.hang_cycles.value());
      if (!untouched && cycles_ - moved >= (passed != 0 ? passed : patience)) break;
      if (untouched && cycles_ - begin >= patience)
        report_hang(stage, message, got,
                    "no reply has come in " + std::to_string(cycles_ - begin) +
                        " cycles (replay.hang_cycles)");
    }
    // Idle twice: no core will ever run again.
    const bool idle_now = stage.library.status() == TENSIX_VP_IDLE;
    if (idle && idle_now) {
      if (untouched) report_hang(stage, message, got, "nothing moves any more");
      break;
    }
    idle = idle_now;
    try {
      clock(stage, kStepCycles);
    } catch (const runtime::TimeLimitError& limit) {
      throw runtime::TimeLimitError(std::string(limit.what()) + ", and " +
                                    unexpected(message, got));
    }
    got = look(stage, message);
  }
  poll_cycles_ += cycles_ - begin;
  if (got != *message.reply) lost_cycles_ += cycles_ - begin;
  return got;
}

void Replay::clock(Stage& stage, std::uint32_t cycles) {
  const std::string where = stage.reader.where();
  stage.library.clock(cycles);
  cycles_ += cycles;
  stage.host.check(where);
  if (stage.library.status() == TENSIX_VP_TIME_LIMIT) {
    throw runtime::TimeLimitError(where + ": the time limit came before the end of the recording");
  }
}

void Replay::report_hang(Stage& stage, const Message& message, const Message::Bytes& got,
                         const std::string& stands) const {
  std::string text = stage.reader.where() + ": " + stands + ", and " + unexpected(message, got) +
                     recorded_with(stage.reader);
  const auto report = nlohmann::json::parse(stage.library.report(), nullptr, false);
  if (report.is_object() && report.contains("waiting")) {
    for (const auto& who : report.at("waiting")) {
      text += "\n  " + (who.is_string() ? who.get<std::string>() : who.dump());
    }
  }
  throw runtime::HangError(text);
}

workloads::Result Replay::result(const Stage& stage) const {
  workloads::Result result;
  result.passed = ledger_.different() == 0;
  if (!result.passed) {
    result.reason = std::to_string(ledger_.different()) + " of " +
                    std::to_string(ledger_.compared()) + " replies differ" +
                    (ledger_.different_times() == 0
                         ? "; "
                         : ". Times that firmware has measured are the only difference in " +
                               std::to_string(ledger_.different_times()) +
                               " of them (omit times with --set replay.times=skipped); ") +
                    ledger_.texts().front() + recorded_with(stage.reader);
  }
  if (times_skipped_ != 0) {
    result.remarks.push_back("times that firmware has measured were not compared in " +
                             std::to_string(times_skipped_) + " replies" +
                             (config_.times.value() == "auto"
                                  ? ", since " + stage.library.name() + " has no simulated time"
                                  : ""));
  }
  const auto count = [&](const char* name, std::uint64_t value, const char* unit) {
    result.metrics.push_back({name, static_cast<double>(value), unit});
  };
  count("messages", messages_, "");
  count("replies_compared", ledger_.compared(), "");
  count("replies_different", ledger_.different(), "");
  count("replies_with_times_skipped", times_skipped_, "");
  count("bytes_different", ledger_.different_bytes(), "bytes");
  count("polls", polls_, "");
  count("poll_cycles", poll_cycles_, "cycles");
  return result;
}

}  // namespace tvp::replay
