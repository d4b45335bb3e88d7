#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "foundation/recording/message_reader.h"
#include "foundation/settings.h"
#include "sw/replay/noc0_arguments.h"
#include "sw/replay/played_chips.h"
#include "sw/replay/played_host.h"
#include "sw/replay/reply_ledger.h"
#include "sw/workloads/workload.h"

namespace tvp::replay {

/// Plays a recording of a host's accesses to chips (foundation/recording/README.md) and compares
/// the replies with the recorded ones.
class Replay : public workloads::Workload {
 public:
  struct Options {
    std::string file;
    std::vector<std::string> elfs;  ///< "[CHIP:][X,Y:]PROCESSOR=FILE"
    std::function<void()> between = [] {
    };  ///< the callback at every line; an exception from it ends the replay
  };
  explicit Replay(Options options);

  workloads::Result run(workloads::Context& context) override;

 private:
  using Message = foundation::HostMessage;
  /// The objects of a running replay.
  struct Stage {
    runtime::DeviceLibrary& library;
    PlayedHost& host;
    PlayedChips chips;
    Noc0Arguments arguments;
    foundation::MessageReader& reader;
  };

  /// Returns false at the end of the recording.
  bool play(Stage& stage, Message& message);
  void read(Stage& stage, Message& message);
  /// Lets time pass until the place has the expected value or nothing moves any more. Returns its
  /// value.
  Message::Bytes wait(Stage& stage, const Message& message, Message::Bytes got);
  void clock(Stage& stage, std::uint32_t cycles);
  /// `stands`: how the replay knows that nothing moves.
  [[noreturn]] void report_hang(Stage& stage, const Message& message, const Message::Bytes& got,
                                const std::string& stands) const;
  workloads::Result result(const Stage& stage) const;

  /// Reads the place now, without times that are not compared.
  Message::Bytes look(Stage& stage, const Message& message) const;

  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("replay", SetBy::kRun) {}
    foundation::Choice times{
        *this,
        {"times", "",
         "times that firmware has measured, as the recording marks them: compared like all else, "
         "or not; auto: if the library reports simulated time",
         "workload"},
        {.value = "auto", .choices = {"auto", "compared", "skipped"}}};
    foundation::Setting<std::uint64_t> hang_cycles{
        *this,
        {"hang_cycles", "cycles",
         "time after which a missing reply counts as a hang, if the library cannot report whether "
         "anything moves. The time of the recording so far is its least value",
         "workload"},
        {.value = 2'000'000, .min = 2000, .max = 1'000'000'000'000}};
    foundation::Text noc0_arguments{
        *this,
        {"noc0_arguments", foundation::kNoFile,
         "arguments of kernels that hold NoC 0 coordinates of workers: [CHIP:]X-Y:0xADDR of each "
         "pair of words, joined by '+'. Chips get translated coordinates instead, which both NoCs "
         "understand",
         "workload"},
        ""};
  };

  Config config_;
  Options options_;
  ReplyLedger ledger_;
  bool compares_times_ = true;
  std::uint64_t times_skipped_ = 0;  ///< replies with such times
  std::uint64_t messages_ = 0;
  std::uint64_t polls_ = 0;
  std::uint64_t cycles_ = 0;       ///< cycles so far
  std::uint64_t poll_cycles_ = 0;  ///< cycles spent in polls
  std::uint64_t lost_cycles_ = 0;  ///< poll cycles for replies that did not come
};

}  // namespace tvp::replay
