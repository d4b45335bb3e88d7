#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/support/l1_access.h"
#include "platform/checks/event_types.h"
#include "platform/checks/record/last_writers.h"
#include "platform/checks/record/page_uses.h"
#include "platform/checks/record/unseen_arrivals.h"
#include "platform/checks/record/written_places.h"

namespace tvp::checks {

using support::L1Access;

/// The state of a tile's L1 from its events, for all checks: the last writers, the commands of NIUs
/// under way, and the transfers that hardware has not finished. The model moves a transfer's bytes
/// at one moment. A use of the place before hardware would be done therefore often has no visible
/// effect; this class finds it.
///
/// There are three kinds of uses. Unpackers, packers and the mover have an end that is known at the
/// beginning, and NIUs are compared with them. A command of the tile's own NIUs lasts from the
/// store that starts it until its counters show its end. Cores make single accesses. NIUs may poll
/// places that other NIUs write, and cores may change places that others poll, so only commands are
/// compared with each other.
class L1InFlight : public PageUses::Tile {
 public:
  struct Transfer {
    L1Access access;
    bool is_write = false;
    /// For a command: the core that started it, the place, and the number of bytes still to move.
    /// For a unit: `pc` is where its core pushed the instruction.
    bool is_command = false;
    BusMaster core = BusMaster::kDebug;
    std::uint32_t pc = 0;
    std::uint32_t left = 0;
  };
  class Listener {
   public:
    virtual ~Listener() = default;
    /// `second` begins while `first` is under way, and one of them writes what the other uses.
    virtual void too_early(const Transfer& first, const Transfer& second) = 0;
  };
  class Guard {
   public:
    virtual ~Guard() = default;
    /// A NIU or a unit writes to memory of the firmware.
    virtual void trespassed(const LastWriters::Write& write, std::uint32_t address,
                            std::uint32_t bytes) = 0;
  };
  /// The object selects at `probe` which accesses of cores are reported.
  explicit L1InFlight(Probe& probe) : probe_(probe), range_(probe.add_range()) {}
  void on(const ProbeEvent& event);
  /// The coprocessor's instruction at the latest event.
  const support::Offered& offered() const { return offered_; }
  void note_source(BusMaster core, std::uint32_t pc, std::uint32_t address);
  void note_pc(BusMaster core, std::uint32_t pc) {
    if (is_core(core)) pcs_[static_cast<unsigned>(core)] = pc;
  }
  static Probe::Kinds kinds();

  void set_listener(Listener* listener) { listener_ = listener; }
  /// `guard` gets writes below guard_below(), except the answers of atomics.
  void set_guard(Guard* guard) { guard_ = guard; }
  /// Sets the end of the firmware, which neither NIUs nor units may write; 0: there is none.
  void guard_below(std::uint32_t end) { guarded_end_ = end; }
  std::uint32_t guarded_below() const { return guarded_end_; }
  /// `uses` gets all commands and all writes of packers.
  void set_page_uses(PageUses& uses) {
    page_uses_ = &uses;
    uses.set_tile(*this);
    uses.set_pushed_at(&pushed_at_);
  }
  void read(const L1Access& access) { look_at(access, false); }
  void written(const L1Access& access) { look_at(access, true); }

  /// The core `master` stored to CMD_CTRL of NIU `niu`. The NIU will read [address, address +
  /// bytes) of L1 (`is_write` false: a NoC write), or the answers will write it (a NoC read).
  void command_started(BusMaster niu, BusMaster master, std::uint32_t address, std::uint32_t bytes,
                       bool is_write, Cycle now);
  /// The counters show that a part of a NoC read is over.
  void command_received(BusMaster niu, std::uint32_t address, std::uint32_t bytes);
  /// A part of a NoC write counts as sent, but the NIU reads it until `until`.
  void command_sent(BusMaster niu, std::uint32_t address, std::uint32_t bytes, Cycle until);
  /// A core has read the NIU's counters. It may now overwrite the data that counts as sent,
  /// although the NIU still reads the last bytes: published firmware does so.
  void counters_read(BusMaster niu) {
    if (sent_ != 0) forget_sent(niu);
  }
  bool has_command(std::uint32_t begin, std::uint32_t end, bool writes,
                   PageUses::User& found) const override;
  /// The core's pc at its last event.
  std::uint32_t pc_of(BusMaster core) const override {
    return is_core(core) ? pcs_[static_cast<unsigned>(core)] : 0;
  }
  /// True if no core, NIU, unit or host has written any of it since power-on.
  bool is_unwritten(std::uint32_t address, std::uint32_t bytes) const override;
  /// The last writer of a byte: a unit, a NIU, the host, or a core if stores are recorded. Null if
  /// there was none.
  const LastWriters::Write* last_writer(std::uint32_t address) const {
    const LastWriters::Write* const store = stores_.of(address);
    return store != nullptr ? store : last_writers_.of(address);
  }
  /// Makes cores report every access, and records the writers of their stores. Must be called
  /// before the first event.
  void keep_stores() {
    keeps_stores_ = true;
    probe_.want_all_core_accesses();
  }
  bool keeps_stores() const { return keeps_stores_; }
  /// Sets the sender of the NIU's next writes that do not answer a command of this tile: a core of
  /// another tile, or of this one.
  void comes_from(const LastWriters::Write& sender, bool is_of_this_tile = false) {
    sender_ = sender;
    sender_is_here_ = is_of_this_tile;
  }
  /// " (a write that (1, 2) of NoC 0 sent, by BRISC at pc 0x5120)" for the current sender; "" if it
  /// is not known.
  std::string sender_text() const;
  UnseenArrivals& arrivals() { return arrivals_; }

  // Arrivals from other tiles: data, a word that may announce data, or a change that cores may
  // observe without an event.
  void arrived(const UnseenArrivals::Arrival& arrival);
  void signaled(std::uint32_t address, std::uint32_t bytes);
  void announced_otherwise() override;
  void host_writes(std::uint32_t address, std::uint32_t bytes) override {
    written_.note(address, bytes);
    note_writer(address, bytes, {});
    announced_otherwise();
  }
  bool has_arrivals() const override { return arrivals_.any(); }
  void pushes(BusMaster core, std::uint32_t pc, unsigned buffer, std::uint32_t begin,
              std::uint32_t end) override;
  void program_begins() override { program_began_ = kNever; }
  void program_ends() override {
    if (page_uses_ != nullptr && page_uses_->on()) unseen_at_end_ = arrivals_.unseen();
  }
  /// The place in L1 from which the core's latest write at this pc has taken its data; null if
  /// there was none lately.
  const std::uint32_t* source_of(BusMaster core, std::uint32_t pc) const {
    for (const Source& each : sources_)
      if (each.core == core && each.pc == pc) return &each.address;
    return nullptr;
  }
  /// True if `at` is in the last program that was announced to this tile, or later.
  bool is_of_last_program(Cycle at) const { return at >= program_began_; }
  /// Data of other tiles at the end of the last program, for which no core had read the
  /// announcement.
  const std::vector<UnseenArrivals::Arrival>& unseen_at_end() const { return unseen_at_end_; }
  unsigned commands() const { return static_cast<unsigned>(commands_.size()); }

  /// A transfer that an instruction of the thread makes and that is not over; null if there is
  /// none.
  const Transfer* under_way_by(unsigned thread, Cycle now) const;
  void core_accesses(BusMaster core, std::uint32_t address, std::uint32_t bytes, bool is_write,
                     Cycle now);

 private:
  static constexpr unsigned kMost = 32;
  static constexpr std::uint32_t kNowhere = ~0U;
  static constexpr std::uint32_t kStoreBytes = 4;
  /// The words after the jump out of reset, to which NIUs write the answers of atomics whose old
  /// value the kernel does not use.
  static constexpr std::uint32_t kAnswers = 0x4, kAnswersEnd = 0x10;
  enum class Side : std::uint8_t { kUnpackers, kPackers, kMover, kNius, kCores, kOthers };

  static Side side_of(BusMaster agent);
  static bool behind_reading_niu(const Transfer& earlier, const Transfer& transfer);
  static bool meet(const L1Access& a, const L1Access& b) {
    return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
  }
  bool may_meet_commands(const L1Access& access) const {
    return access.address < commands_end_ && commands_begin_ < access.address + access.bytes;
  }
  void report_too_early(const Transfer& first, const Transfer& second) {
    if (listener_ != nullptr) listener_->too_early(first, second);
  }
  void look_at(const L1Access& access, bool is_write);
  void note_writer(const L1Access& access, Side side);
  void note_writer(std::uint32_t address, std::uint32_t bytes, const LastWriters::Write& write) {
    last_writers_.note(address, bytes, write);
    if (keeps_stores_) stores_.forget(address, bytes);
  }
  void report_foreign_write(const L1Access& access);
  void hold_to_commands(const Transfer& transfer, Side side);
  Transfer* command_of(BusMaster niu, std::uint32_t address, std::uint32_t bytes, bool is_write);
  void remove_command(Transfer& command);
  void forget_sent(BusMaster niu);
  void forget_over(Cycle now);
  void hold_to_under_way(const Transfer& transfer, Side side);
  void find_lowest();
  void set_limits(std::uint32_t lowest, std::uint32_t end);
  static bool is_core(BusMaster agent) { return agent <= BusMaster::kE; }
  void accessed(const ProbeEvent& event);
  void requested(const ProbeEvent& event);
  void stream_counted(const ProbeEvent& event);

  Probe& probe_;
  const unsigned range_;  ///< number of the probe's range of accesses by cores
  std::array<std::uint32_t, 6> pcs_{};
  std::uint32_t pushed_at_ = 0;
  support::Offered offered_;
  std::uint32_t stored_end_ = 0;  ///< cores have never stored at or above this address
  Listener* listener_ = nullptr;
  Guard* guard_ = nullptr;
  std::uint32_t guarded_end_ = 0;
  PageUses* page_uses_ = nullptr;
  unsigned count_ = 0;
  bool has_removed_ = false;  ///< a transfer has been removed since find_lowest()
  std::array<Transfer, kMost> under_way_;
  std::vector<Transfer> commands_;
  UnseenArrivals arrivals_;
  std::vector<UnseenArrivals::Arrival> unseen_at_end_;
  WrittenPlaces written_;  ///< writes of NIUs, units and the host
  LastWriters last_writers_;
  /// The latest writes from L1, one for each place in the code.
  struct Source {
    BusMaster core = BusMaster::kDebug;
    std::uint32_t pc = 0;
    std::uint32_t address = 0;
  };
  std::array<Source, 32> sources_{};
  std::size_t next_source_ = 0;  ///< the oldest
  LastWriters stores_{
      kStoreBytes};  ///< stores of cores that no later write of another agent covers
  bool keeps_stores_ = false;
  LastWriters::Write sender_;  ///< sender of the NIU's writes that answer no command of this tile
  bool sender_is_here_ = false;
  Cycle program_began_ = 0;  ///< the first access of the last program; kNever: still to come
  unsigned sent_ = 0;        ///< number of commands that count as sent
  /// Range around all commands. It does not shrink before the last command is removed.
  std::uint32_t commands_begin_ = kNowhere;
  std::uint32_t commands_end_ = 0;
  /// Range of L1 in which cores must report their accesses.
  std::uint32_t lowest_ = kNowhere;
  std::uint32_t end_ = 0;  ///< and where the last one is over
};

}  // namespace tvp::checks
