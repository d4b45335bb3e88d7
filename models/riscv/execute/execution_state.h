#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/riscv/debug/core_observer.h"
#include "models/riscv/decode/predecoded_code.h"
#include "models/riscv/execute/csr_file.h"
#include "models/riscv/timing/branch_predictor.h"
#include "models/riscv/timing/line_fetches.h"
#include "models/riscv/timing/pipeline.h"
#include "models/support/tile_scheduler.h"

namespace tvp::riscv {

struct BlockNode;

/// The state that every activation of a core uses, kept together: with many busy tiles each of
/// these cache lines is a miss. The parts of a core share it by reference.
struct ExecutionState {
  /// Longer than most private stretches. An activation costs the host as much as 20 instructions,
  /// so a core should be entered for its visible accesses only.
  static constexpr support::Cycle kRunAhead = 64;
  static constexpr std::uint64_t kNoStop = ~0ULL;
  static constexpr std::uint32_t kUntilBlocks = 64;

  /// The activity since the last backward jump.
  enum Activity : unsigned {
    kLoaded = 1,
    kDirty = 2,
    kRecording = 4,
    kReplaying = 8,
    kRefetching =
        32,  ///< code was invalidated in a poll: fetch again from the next place to stop on
    kFollowing = 64,  ///< follows instruction by instruction a recorded loop that may count
    kHunting = 128,   ///< looks for a loop to follow
    kLate = 256,      ///< in a turn that is made up for: registers have changed meanwhile
    kSuspect = 16     ///< may be an endless loop: nothing visible for kRunAhead cycles
  };

  CoreState state = CoreState::kInReset;
  bool guarded = false;  ///< the poll recording is registered with the watch hub
  bool woken = false;    ///< woken from a poll and not run since
  unsigned activity = 0;
  CoreObserver* observer = nullptr;
  support::Cycle time = 0;   ///< earliest cycle at which the next instruction enters
  support::Cycle leave = 0;  ///< cycle at which the last instruction leaves the load/store unit
  support::Cycle ahead_until = 0;   ///< kRunAhead after the last place to stop
  support::Cycle refetch_from = 0;  ///< with kRefetching: cycle of the invalidation of code
  std::uint64_t executed = 0;
  std::uint32_t until_blocks = kUntilBlocks;  ///< jumps to take before blocks are tried
  PredecodedCode::Page* page = nullptr;       ///< with op, the place of pc; null if not known
  Op* op = nullptr;
  std::uint32_t pc = 0;
  /// The latest indirect jump to another place than the previous one from there, and its target.
  std::uint32_t jumped_from = 0;
  std::uint32_t jumped_to = 0;
  std::uint32_t l1_bytes = 0;     ///< size of `l1`; 0 without direct access
  std::uint32_t l1_free = 0;      ///< first address that sleeping cores use; L1 below is free
  std::uint32_t l1_direct = 0;    ///< the interpreter accesses L1 below this directly
  std::uint32_t l1_beyond = ~0U;  ///< and again from here up to l1_free
  std::uint32_t l1_stored = 0;    ///< highest address of L1 that the core has stored to
  std::uint8_t* l1 = nullptr;
  std::uint64_t stop_store = kNoStop;  ///< address at which a store of an odd value pauses the core
  support::TileScheduler* scheduler = nullptr;
  unsigned order = 0;  ///< order of the core among the agents of its tile
  /// Architectural state. Index Op::kSink takes the writes to x0.
  std::array<std::uint32_t, 33> regs{};
  BranchPredictor branches;
  LineFetches fetches;
  // While blocks execute whole, pipeline and `leave` are not updated. settle() sets them to this
  // state at that cycle when they are needed.
  const PipelineState* deferred = nullptr;
  support::Cycle deferred_at = 0;
  BlockNode* node = nullptr;  ///< with `deferred`: the next block, if known
  Pipeline::StoreAddresses stores;
  Pipeline pipeline;
  CsrFile csrs;

  bool is_beyond(std::uint32_t address) const { return address >= l1_beyond && address < l1_free; }
  bool may_act(support::Cycle t) const { return t < scheduler->limit(); }
  /// The required value of l1_free.
  std::uint32_t l1_below_left() const {
    return scheduler == nullptr ? l1_bytes : std::min(l1_bytes, scheduler->untouched_below());
  }
  void settle() {
    if (deferred == nullptr) return;
    pipeline.restore(*deferred, deferred_at, stores, leave);
    deferred = nullptr;
    node = nullptr;
  }
  void set_pc(std::uint32_t to) {
    pc = to;
    page = nullptr;
  }
};

}  // namespace tvp::riscv
