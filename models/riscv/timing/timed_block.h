#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/riscv/decode/predecoded_code.h"
#include "models/riscv/timing/pipeline_state.h"
#include "models/support/time.h"

namespace tvp::riscv {

/// The memory that a load or store addresses, as far as its time depends on it.
enum class Place : std::uint8_t {
  kUnknown,
  kL1,
  kLocal,
  kVaries,     ///< one of these two, or a store that may still be queued
  kElsewhere,  ///< a register: executed instruction by instruction
};

/// The way in which a block ends.
enum class BlockEnd : std::uint8_t {
  kFall,
  kPageEnd,
  kJal,
  kJalr,
  kBranch,
  kDivide,
  kLoad,
  kStore
};

/// An operation of a block, as it is dispatched.
struct BlockOp {
  const void* label = nullptr;
  std::uint8_t rd = 0;
  std::uint8_t rs1 = 0;
  std::uint8_t rs2 = 0;
  std::uint8_t index = 0;  ///< number in its block
  std::int32_t imm = 0;
};
static_assert(sizeof(BlockOp) == 16);

/// Consecutive instructions of one page that are executed together. The places of their accesses
/// are known, so their time depends only on the pipeline before them. Only the last one can have
/// several outcomes: a jump, a division, or an access of kVaries, which is alone in its block.
struct TimedBlock {
  static constexpr unsigned kMost = 64;
  std::vector<BlockOp> ops;
  bool is_dead = false;     ///< the assumed places were wrong
  std::uint32_t count = 0;  ///< in instructions
  unsigned activity = 0;    ///< ExecutionState activity of the L1 accesses before the last one
  BlockEnd end = BlockEnd::kFall;
  bool is_backward = false;  ///< direction of the jump at the end
  bool is_near = false;
  std::uint8_t body = 0;  ///< operations before the end
  std::uint32_t pc = 0;
  PredecodedCode::Page* page = nullptr;
  Op* first = nullptr;
  Op* last = nullptr;      ///< the operation at the end; for kFall and kPageEnd the one behind it
  std::vector<Op> source;  ///< the words in the page, hidden or not
  std::vector<Place> places;  ///< place of each operation
  /// The parts from the beginning to each access.
  std::vector<TimedBlock*> cuts;

  /// Backward jumps until the next check for a poll; null if each is checked.
  std::uint8_t* unchecked() const {
    if (end == BlockEnd::kJal) return &last->rs2;
    return end == BlockEnd::kBranch ? &last->rd : nullptr;
  }
};

struct BlockNode;

/// The time of a block's access that others can delay (L1Arbiter) if they do not: cycles from the
/// beginning of the block.
struct StreamAccess {
  std::uint16_t now = 0;      ///< cycle at which it is made; a load also passes then
  std::uint16_t emitted = 0;  ///< cycle at which a store passes
  /// Emission of the i-th newest queued store, which others must now be informed of; 0: past. Null:
  /// none.
  const std::uint16_t* announced = nullptr;
};

/// The successor of a block that began in one state and ended in one way.
struct BlockEdge {
  BlockNode* next = nullptr;  ///< null: unknown, or hardly used
  std::uint32_t elapsed = 0;  ///< cycles from the beginning of the block
  std::uint16_t access = 0;   ///< cycle of the L1 access at the end, if there is one
  std::uint16_t ahead = 0;    ///< new ExecutionState::ahead_until
};
static_assert(sizeof(BlockEdge) == 16);

/// A block with one state of the pipeline at its beginning. Its edges follow in memory. Data that
/// every execution needs is in front of them, on one cache line of the host.
struct BlockNode {
  using Offset = std::int64_t;
  static constexpr Offset kNone = INT64_MIN / 2;
  static constexpr Offset kAlways = INT64_MAX / 2;
  /// Value of `seen` for a block whose assumptions were wrong.
  static constexpr std::uint64_t kDead = ~0ULL;
  struct Access {
    std::uint16_t at;  ///< cycles from the beginning
    std::uint8_t op;
    BlockNode* cut;  ///< the part before it, once known
  };
  struct Rare {
    TimedBlock* block = nullptr;
    const PipelineState* state = nullptr;
    std::uint32_t stall = 0;  ///< stall of the first operation
    std::uint32_t heat = 0;   ///< number of executions before the translation
    std::uint32_t access_count = 0;
    Access* accesses = nullptr;
    /// Next state by edge; null if the successor is not known yet.
    const PipelineState** behind = nullptr;
    /// For each operation that is a load, bit i is set if the i-th newest store is still in the
    /// queue. Null if there is none.
    const std::uint8_t* queued = nullptr;
    /// For each operation, the number (from 1) of its access among those that ask, or 0. Null:
    /// none.
    const std::uint8_t* stream_of = nullptr;
    const StreamAccess* streams = nullptr;
    /// The parts before each later line of code, and the nodes after each delay of the first line;
    /// null until one is used.
    BlockNode** parts = nullptr;
    BlockNode** delayed = nullptr;
  };

  Offset last_access = kNone;  ///< L1 access; kAlways: cannot be executed as a block
  std::uint64_t seen = 0;      ///< FetchUnit::evictions() when its lines were in the cache
  const BlockOp* ops = nullptr;
  Op* last = nullptr;  // same as in the block
  /// ExecutionState::ahead_until at its end, relative to its beginning; 0: unchanged.
  std::uint16_t ahead = 0;
  std::uint8_t count = 0;  // same as in the block
  std::uint8_t activity = 0;
  bool is_backward = false;
  std::uint32_t pc = 0;
  Rare* rare = nullptr;
  const void* translated = nullptr;  ///< start of its host code (BlockTranslator)

  BlockEdge* edges() { return reinterpret_cast<BlockEdge*>(this + 1); }

  // Outcomes at the end of a block, as index of its edge.

  static constexpr unsigned kTaken = 1;
  static constexpr unsigned kMispredicted = 2;
  /// A load finds none of the queued stores, or the i-th newest (1 + i).
  static constexpr unsigned kQueue = 9;
  static constexpr unsigned load_outcome(bool local, unsigned found) {
    return (local ? kQueue : 0) + found;
  }
  static unsigned outcomes(BlockEnd end);
};
static_assert(sizeof(BlockNode) % alignof(BlockEdge) == 0);

}  // namespace tvp::riscv
