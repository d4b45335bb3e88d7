#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "platform/debug/connection.h"
#include "platform/debug/core_probe.h"
#include "platform/debug/gdb_packet.h"
#include "platform/debug/gdb_server.h"
#include "platform/debug/history.h"
#include "platform/debug/loaded_files.h"
#include "platform/debug/position.h"
#include "platform/debug/target.h"
#include "platform/machine/machine.h"

namespace tvp::debug {

/// The run ended by request of the debugger, or by a signal during a wait for the debugger.
class Ended : public std::exception {
 public:
  explicit Ended(const char* reason) : reason_(reason) {}
  const char* what() const noexcept override { return reason_; }

 private:
  const char* reason_;
};

/// Holds a machine for a debugger that connects to a port of this computer.
///
/// A stop is a call that does not return. It happens inside the instruction that a core is about to
/// execute, or between two clock() calls. Simulated time stands meanwhile. A stop changes nothing
/// unless the debugger writes something.
class Debugger : private Target, private StopListener {
 public:
  /// Reserves the port. Throws Fault(kDescription) if that fails, or if no core's name matches the
  /// shell pattern of the configuration.
  Debugger(platform::Machine& machine, const platform::GdbConfig& config);
  ~Debugger() override;

  /// The host has loaded this ELF file into a core.
  void loaded(unsigned chip, unsigned x, unsigned y, unsigned kind, const std::string& elf_path);
  /// Machine::clock, with stops. The first one with a core out of reset waits for the debugger.
  void clock(std::uint64_t cycles);
  /// Ends a wait for the debugger with Ended. Signal handlers may call it.
  static void interrupt_wait();
  /// Throws Ended after interrupt_wait().
  static void check_interrupt_wait();
  /// Clears the interrupt request after the run has handled it.
  static void forget_interrupt();
  /// Reports the end of the run to the debugger.
  void finish(int exit_code);
  /// The run does something that cannot be done a second time.
  void refuse_going_back(const std::string& why) { why_no_history_ = why; }

 private:
  /// Cycles between two looks at the connection.
  static constexpr std::uint64_t kLookCycles = 200;
  static constexpr unsigned kMaxPretended = 8;
  /// Between two checks for an interrupt during a wait for the debugger.
  static constexpr int kLookAround_ms = 100;
  /// How long the debugger may take to answer the report of the run's end.
  static constexpr int kLastWords_ms = 500;

  struct Core {
    platform::CoreSite site;
    std::unique_ptr<CoreProbe> probe;
    bool seen = false;       ///< out of reset, now or earlier
    bool dismissed = false;  ///< the debugger detached
  };
  Core& at(unsigned number) { return cores_[number - 1]; }
  CoreProbe& probe(unsigned number);
  LoadedFiles::Tile tile_of(unsigned core);
  std::vector<std::string> files_of(unsigned core);

  void begin();
  void attach();
  void leave();
  void between_steps();
  void announce(unsigned core, Stop::Reason reason);
  void look_at_connection();
  void tell_news();
  void wake_sleepers();
  void cancel_steps();
  void advance(std::uint64_t cycles);
  /// A core has reached a breakpoint, a watchpoint or the end of a step.
  void event(const Stop& stop, const Position& where, const WatchHit* hit = nullptr);
  void stop(const Stop& stop, const Position& where);
  void pretend_step(unsigned core);
  void stop_at_fault(const foundation::Fault& fault);
  void stop_at_hang();
  /// Answers until the debugger resumes the run; false if it sent nothing for `wait_ms`.
  bool serve(int wait_ms = -1);
  std::optional<PacketDecoder::Item> next_item(int wait_ms);
  /// Throws Ended after interrupt_wait().
  void check_interrupted();
  /// True if the debugger resumes the run.
  bool obey(const GdbServer::Answer& answer);
  void send(const std::string& packet);
  void transmit(std::string_view bytes);
  void say(const std::string& text);
  void tell_writer(CoreProbe& probe, const WatchHit& hit);
  std::vector<unsigned> neighbors(unsigned number) const;

  // Reverse execution (debugger_reverse.cpp).
  struct Inserted {
    unsigned core = 0;
    Trap trap = Trap::kWrite;
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    auto operator<=>(const Inserted&) const = default;
  };
  void start_history();
  /// Why no checkpoint can be made; "" if one can.
  std::string obstacle() const;
  /// True in the copy of this process that continues from the checkpoint.
  bool take_checkpoint(const Position& where, bool after_write);
  void keep_history();
  void begin_replay(const Replay& replay, const Position& where);
  /// A stop in a run that is repeated.
  void meet(const Stop& stop, const Position& where, const WatchHit* hit);
  void arrive(const Stop& stop, const Position& where, const WatchHit* hit = nullptr);
  /// The repeated part of the history ends.
  void end_of_part();
  /// The run has come to the latest place at which it ever was.
  void be_present();
  /// The place whose arrival matters now; null: none.
  const Position* awaited() const;
  void await_place();
  /// Observes the cores that matter in the next slice.
  void observe_cores();
  void forget_place();
  void reached();
  Position place_of(unsigned core);
  std::uint64_t slice(std::uint64_t cycles) const;
  /// Returns only if it fails, with the reason.
  std::string go_back(Replay replay);
  /// Lets the user know why the run cannot go back.
  bool stay(const std::string& why);
  bool resume(bool steps);
  std::string plan_to_go(const std::string& time);
  nlohmann::json conversation();

  // Target
  std::vector<unsigned> cores() override;
  bool has(unsigned core) override;
  std::string name(unsigned core) override;
  std::string state(unsigned core) override;
  std::array<std::uint32_t, kRegisters> registers(unsigned core) override;
  bool set_register(unsigned core, unsigned index, std::uint32_t value) override;
  std::size_t read(unsigned core, std::uint32_t address, std::span<std::uint8_t> bytes) override;
  bool write(unsigned core, std::uint32_t address, std::span<const std::uint8_t> bytes) override;
  bool insert(unsigned core, Trap trap, std::uint32_t address, std::uint32_t bytes) override;
  bool remove(unsigned core, Trap trap, std::uint32_t address, std::uint32_t bytes) override;
  void step(unsigned core, std::uint32_t from, std::uint32_t to) override;
  std::string executable(unsigned core) override;
  std::vector<Library> libraries(unsigned core) override;
  std::string monitor(unsigned core, const std::string& command) override;
  void detach(unsigned core) override;

  // StopListener
  void at_breakpoint(CoreProbe& probe, Trap trap) override;
  void stepped(CoreProbe& probe) override;
  void at_watchpoint(CoreProbe& probe, const WatchHit& hit) override;
  void followed(CoreProbe& probe) override;

  std::string list_cores();
  std::string list_waiting() const;
  unsigned first_of(const std::string& waiting);
  std::string list_files(unsigned core);
  std::string list_code(unsigned core);

  platform::Machine& machine_;
  platform::DebugAccess* const access_;  ///< its cores; never null once constructed
  const std::uint16_t port_;
  const unsigned checkpoints_;
  Connection connection_;
  GdbServer server_;
  PacketDecoder decoder_;
  std::vector<Core> cores_;
  LoadedFiles files_;            ///< also of cores that the debugger does not see
  std::set<unsigned> reloaded_;  ///< cores with files that are not announced yet
  std::set<unsigned> to_wake_;
  std::optional<std::uint32_t> pretended_pc_;  ///< for the core of pretend_step()
  std::string last_sent_;
  bool begun_ = false;
  bool serving_ = false;
  bool told_of_hang_ = false;
  bool told_of_others_ = false;
  bool ending_ = false;  ///< only the end of the run is still to be reported

  History* history_ = nullptr;  ///< null before the debugger connects, or without reverse
  std::string why_no_history_;
  std::multiset<Inserted> traps_;
  Position position_;  ///< the place of the last stop
  Position frontier_;  ///< the latest position, while past_
  bool past_ = false;  ///< an earlier copy of this process has been further
  std::optional<Replay> replay_;
  std::vector<std::uint64_t> met_;  ///< instructions of the replay's core at its stops so far
  bool steps_back_ = false;         ///< the replay's core is observed
  bool arrives_ = false;            ///< the stop ends a way back
  bool near_ = false;               ///< the replay has made a checkpoint near its place
  bool awaiting_ = false;           ///< the core of awaited() is observed
  std::optional<Inserted> hidden_;  ///< the watchpoint for awaited()
  bool written_ = false;            ///< the debugger has changed something since the last stop
  bool in_slice_ = false;
  std::uint64_t slice_begin_ = 0;
  std::optional<std::uint64_t> plan_;      ///< cycle of `monitor goto`, before the user continues
  std::optional<std::uint64_t> going_to_;  ///< the run continues to this cycle
};

}  // namespace tvp::debug
