#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "models/support/bus_access.h"
#include "models/support/dst_interest.h"
#include "models/support/time.h"
#include "models/support/watch.h"

namespace tvp::support {

enum class MemoryKind : std::uint8_t {
  kL1,     ///< L1 of a Tensix or ethernet tile
  kLocal,  ///< data RAM of a core
  kDram,   ///< a channel behind its NoC endpoints
  kBank,   ///< the DRAM bank of a PIM unit
  kWram,   ///< the scratchpad of a PIM unit
};

/// The instruction that a wait gate of the coprocessor offers to a unit. The unit's events belong
/// to it.
struct Offered {
  static constexpr std::uint32_t kNone = ~0U;

  std::uint32_t instruction = 0;
  std::uint32_t pc = 0;  ///< pc at which its core pushed it
  std::uint32_t thread = kNone;

  bool operator==(const Offered&) const = default;
};

/// An event of a tile's model. One plain struct serves all kinds, so that events can be written to
/// a file and fed back. Fields that the comment of a kind does not name have their defaults.
struct ProbeEvent {
  enum class Kind : std::uint8_t {
    /// A core started a command of a NIU or of a PIM unit's DMA engine (`agent`) by a store at
    /// `pc`. `request`, `is_posted`, `packets`; `bytes` unless it is inline or an atomic.
    /// `address`:
    /// where the data lies (of a write) or goes (of a read) in the own tile. `is_local`: that is L1
    /// of this tile.
    /// `x0`..`y1`, `remote`, `remote_address`: the other side; `vc`; `stored_end`. `is_linked`: the
    /// next command of the NIU uses the path of this one.
    kCommand,
    /// A packet of a command's write was read from L1 until `done`, and counts as sent.
    kSourceRead,
    /// A response to the core's command has arrived: `request`. For a read, the data arrived at
    /// `address`, if `is_local`, from a tile of kind `remote`. `pc`: the current pc of the core.
    kAnswer,
    /// A core has loaded counter `index` of the agent. In a PIM unit it is `value`. `is_local`: the
    /// core waits in a loop until the counter has reached `pushed`, which is else `value`.
    kCounterRead,
    /// The NIU (`agent`) serves a write or an atomic that the tile at (`x0`, `y0`) sent: `request`,
    /// `address`, `bytes` of a write. `is_local`: to L1, not to a register; `is_own`: by this tile.
    /// The NIU's writes up to kServed are part of it. `core`, `pc`: who started the command; (`x1`,
    /// `y1`): the sender in coordinates of the NIU's own NoC; `stored_end`.
    /// In a PIM unit, message `packets` of unit `value` has arrived on channel `index`, also one
    /// without bytes. `is_broadcast`: the result of a reduction. `popped`: its first word.
    kRequest,
    kServed,
    /// `agent` reads, or has written, `bytes` at `address` of `memory`. A read sees every write of
    /// an earlier `cycle`; hardware is done with it at `done`. An atomic is a read and a write.
    /// `instruction` and `thread` of a unit of the coprocessor. A core's own accesses of L1 are
    /// reported as want_core_accesses() says; `value` is what it stores; a load has `is_local` and
    /// `pushed` as kCounterRead. The `value` of a packer is 1 + the number of the written format.
    kRead,
    kWritten,
    /// A thread unpacks `bytes` at `address` of L1 by an instruction that its core pushed at `pc`:
    /// the page as a whole, also where kRead follows only a part. `value`: 1 + the number of the
    /// format for which the unpacker is configured.
    kUnpack,
    /// A core read, or wrote, register `index` of stream `stream`, which is `value` now. The
    /// registers that count pages of circular buffers hold `pushed` and `popped`. `pc` of a core,
    /// or of the instruction by which a thread did it. `packets` of a read in a loop that waits for
    /// a count: 1 + the low 16 bits of the count at which it ends.
    kStreamRead,
    kStreamWritten,
    /// A thread stores to a register that others poll, by `instruction`.
    kAnnounce,
    /// The first write by any agent of `bytes` at `address` of L1 since await_first_writes().
    kFirstWrite,
    /// The unit begins a program with its engines as after power-on.
    kReset,
    // Announcements of the host, from kProgramEnds to the next one.
    /// The tile's program is over.
    kProgramEnds,
    /// Circular buffer `index` of the next program has `packets` pages of `bytes` at `address`.
    /// `is_own`: in memory of a tensor. `value`: 1 + the number of its DataFormat; 0: not known.
    /// In a PIM unit, the program has set the window of channel `index`, `bytes` at `address`.
    kBuffer,
    /// The next program begins. Its buffers have been announced.
    kProgramBegins,
    /// `core` starts a kernel next. Its arguments follow.
    kKernel,
    /// `value` is the next argument of the kernel of `core`.
    kArgument,
    /// The host has written `bytes` at `address` of L1, which the kernels read. `index`: number of
    /// the announcement since kProgramEnds; `value`: a tensix_vp_use.
    kGiven,
    /// The firmware of `core` has counted `value` answers to its writes on the NIU `agent`, which
    /// has received `packets`.
    kAnswersCounted,
    /// The sync unit has executed `instruction` of `thread` on semaphore `index`, or a core's store
    /// has changed it (`instruction` is 0). The semaphore now holds `value`.
    kSemaphore,
    /// The bits `value` of word `index` of the coprocessor's configuration change at `cycle`. The
    /// data path of `agent` (kPacker0 for all packers) still uses these bits. It works for `thread`
    /// until `done`; kNever: it waits for a bank. `instruction` is the latest that the agent has
    /// begun. `offered` makes the change; if it has no thread, a store of a core does.
    kReconfigured,
    /// `thread` has selected row `index` of Dst, at which its instructions begin; `layout`.
    kDstSelected,
    /// PACR `instruction` of `thread` makes `units` packers, from `agent` on, read `rows` rows of
    /// Dst each, one a cycle. The first packer starts at row `index`, each other one `value` rows
    /// behind the packer before it. `rows` is 0 if the packers take their datums elsewhere.
    /// `is_written`: something wrote to one of their blocks since ZEROACC.
    kDstRead,
    /// UNPACR `instruction` of `thread` has `agent` write `rows` rows of Dst from row `index` on
    /// until `done`.
    kDstWritten,
    /// The matrix or the vector unit changes rows in the block of row `index` of Dst's storage, or
    /// the vector unit loads one. The probe's dst() selects the blocks that are reported.
    kDstChanged,
    kDstLoaded,
    /// The matrix or the vector unit has begun `instruction` of `thread`, while ask_for_math() asks
    /// for it. Instructions of a REPLAY that change nothing for other threads may be left out.
    kMath,
    /// `core` has sent a word to the mailbox of `agent`, or `agent` has taken one (`is_written`
    /// false). The mailbox holds `packets` words now.
    kMailbox,
    /// Tasklet `thread` of a PIM unit makes `step` at `pc`. Loads and stores: `bytes` at `address`
    /// of WRAM. Locks: `index` is the mutex. Starts: `index` is the other tasklet.
    kTasklet,
    /// The core of a PIM unit arrives at the barrier of group `index` (`is_written`), or loads the
    /// number `value` of barriers that it has passed. `pc` of an arrival.
    kBarrier,
  };
  static constexpr unsigned kKinds = 32;
  /// The kind of an access of a memory.
  static constexpr Kind kind_of(bool is_write) { return is_write ? Kind::kWritten : Kind::kRead; }
  enum class Request : std::uint8_t { kRead, kWrite, kInlineWrite, kAtomic };
  enum class Place : std::uint8_t { kOther, kTensix, kEthernet, kDram };
  /// The rows of Dst that an instruction names, in the storage: the same rows; the high halves of
  /// rows of 32 bits; rows of 32 bits.
  enum class Layout : std::uint8_t { kRows16, kHighHalves, kRows32 };
  /// kMeet: the tasklet lets all tasklets that have met continue.
  enum class TaskletStep : std::uint8_t { kLoad, kStore, kLock, kUnlock, kMeet, kStart };
  static constexpr std::uint8_t kDynamicVc = 0xFF;

  Kind kind = Kind::kCommand;
  BusMaster agent = BusMaster::kDebug;  ///< acting agent; kDebug: the host, without time
  BusMaster core = BusMaster::kDebug;  ///< core whose command or instruction it is; kDebug: unknown
  MemoryKind memory = MemoryKind::kL1;
  Request request = Request::kRead;
  Place remote = Place::kOther;
  bool is_posted = false;
  bool is_broadcast = false;
  bool is_local = false;
  bool is_own = false;
  bool is_linked = false;
  std::uint8_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;  ///< in coordinates of NoC 0
  std::uint8_t vc = kDynamicVc;                 ///< channel that a command requests
  Layout layout = Layout::kRows16;
  TaskletStep step = TaskletStep::kLoad;
  std::uint32_t pc = 0;  ///< pc of the core; 0: unknown
  std::uint32_t bytes = 0;
  std::uint32_t packets = 0;  ///< number of packets of the command
  std::uint32_t index = 0;
  std::uint32_t instruction = 0;  ///< instruction of thread `thread`; 0: none
  std::uint16_t stream = 0;
  std::uint8_t thread = 0;
  bool is_written = false;
  std::uint16_t rows = 0, units = 0;
  std::uint32_t value = 0;
  std::uint32_t pushed = 0, popped = 0;
  std::uint32_t stored_end = 0;  ///< the tile's cores have stored nothing from here on
  std::uint64_t address = 0;
  std::uint64_t remote_address = 0;
  Cycle cycle = 0;
  Cycle done = 0;
  /// The instruction in progress, for kCommand, kRead, kWritten, kAnnounce and all kinds from
  /// kSemaphore on.
  Offered offered{};

  bool operator==(const ProbeEvent&) const = default;
};

/// The interface through which the models of a tile report events to checks, recorders and traces.
/// It never changes simulated time. Models hold a pointer, which is null without a listener, and
/// ask wants() before they fill in an event.
class Probe : private FirstWrites {
 public:
  using Event = ProbeEvent;
  using Kinds = std::uint32_t;  ///< bit i: Event::Kind i
  /// Also the observer of a memory or of the overlay, which is attached to it without a probe. A
  /// memory reports every access to its observer and meanwhile grants no direct pointers (DMI). It
  /// does not report fetches of instructions, accesses of debuggers, and polls that a core sleeps
  /// through.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void on(const Event& event) = 0;
    /// True if cores execute their polls, so that the observer of a memory gets each load.
    virtual bool wants_polls() const { return false; }
    /// After await_first_writes(): true if some of [first, last] of L1 was never written.
    virtual bool awaits(std::uint32_t /*first*/, std::uint32_t /*last*/) const { return false; }
  };

  static constexpr Kinds bit(Event::Kind kind) { return Kinds{1} << static_cast<unsigned>(kind); }

  void listen(Listener& listener, Kinds kinds) {
    listener_ = &listener;
    kinds_ = kinds;
  }
  bool wants(Event::Kind kind) const { return (kinds_ & bit(kind)) != 0; }
  void report(const Event& event) const { listener_->on(event); }

  /// A core of the tile. It accesses L1 directly below `*direct`, which is at most `*mapped`, and
  /// from `*beyond` on. It reports accesses in between.
  struct Core {
    BusMaster master = BusMaster::kDebug;
    const std::uint32_t* pc = nullptr;
    const std::uint32_t* stored = nullptr;  ///< highest address at which it has stored
    std::uint32_t* direct = nullptr;
    const std::uint32_t* mapped = nullptr;
    std::uint32_t* beyond = nullptr;
  };
  void add(const Core& core) {
    cores_.push_back(core);
    set_limits();
  }
  /// Must be called when a core's `mapped` has changed.
  void remapped() { set_limits(); }
  /// 0 if there is no such core.
  std::uint32_t pc_of(BusMaster core) const {
    for (const Core& known : cores_)
      if (known.master == core) return *known.pc;
    return 0;
  }
  std::uint32_t stored_end() const {
    std::uint32_t end = 0;
    for (const Core& core : cores_) end = std::max(end, *core.stored + 1);
    return end;
  }
  /// The pc behind `agent`: of a core that moves data, or of the core whose instruction the
  /// coprocessor executes.
  std::uint32_t pc_behind(BusMaster agent) const {
    return agent == BusMaster::kB || agent == BusMaster::kNc || agent == BusMaster::kE
               ? pc_of(agent)
               : pushed_at();
  }
  /// Sets the coprocessor's current instruction; without a thread, its last one.
  void set_offered(const Offered* offered) { offered_ = offered; }
  Offered offered() const { return offered_ == nullptr ? Offered{} : *offered_; }
  /// The pc at which its core pushed that.
  std::uint32_t pushed_at() const { return offered_ == nullptr ? 0 : offered_->pc; }
  void set_watches(WatchHub& watches) { watches_ = &watches; }
  /// Sets the function that returns the count for which the core waits with its load in progress;
  /// no value if the load belongs to no such loop.
  using Awaited = std::function<std::optional<std::uint32_t>()>;
  void set_awaited(Awaited awaited) { awaited_ = std::move(awaited); }
  std::optional<std::uint32_t> awaited() const {
    return awaited_ ? awaited_() : std::optional<std::uint32_t>();
  }

  // For listeners: events that are reported only on request.

  /// A number for want_core_accesses().
  unsigned add_range() {
    ranges_.emplace_back();
    return static_cast<unsigned>(ranges_.size()) - 1;
  }
  /// Requests loads and stores of cores in [begin, end) of L1. Accesses between the ranges of two
  /// listeners may be reported, too.
  void want_core_accesses(unsigned range, std::uint32_t begin, std::uint32_t end);
  void want_all_core_accesses() {
    wants_all_ = true;
    set_limits();
  }
  /// kDstChanged and kDstLoaded.
  DstInterest& dst() { return dst_; }
  const DstInterest& dst() const { return dst_; }
  /// kMath, until as many calls have said that they need it no more.
  void ask_for_math(bool on) { asked_for_math_ += on ? 1 : -1; }
  bool wants_math() const { return asked_for_math_ != 0; }
  /// kFirstWrite of places for which the listener's awaits() holds.
  void await_first_writes(bool on) {
    if (watches_ != nullptr) watches_->await(on ? this : nullptr);
  }

 private:
  static constexpr std::uint32_t kNowhere = ~0U;
  struct Range {
    std::uint32_t begin = kNowhere, end = 0;
  };
  void set_limits();
  void written(std::uint32_t address, std::uint32_t bytes) override;
  bool awaits(std::uint32_t first, std::uint32_t last) const override {
    return listener_->awaits(first, last);
  }

  Listener* listener_ = nullptr;
  Kinds kinds_ = 0;
  std::vector<Core> cores_;
  const Offered* offered_ = nullptr;
  WatchHub* watches_ = nullptr;
  std::vector<Range> ranges_;
  Range around_;  ///< around all ranges
  bool wants_all_ = false;
  DstInterest dst_;
  int asked_for_math_ = 0;
  Awaited awaited_;
};

}  // namespace tvp::support
