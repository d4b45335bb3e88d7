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
  kVaries,     ///< of these two, or a store that is perhaps still in the queue
  kElsewhere,  ///< a register: executed instruction by instruction
};

/// How a block ends.
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
  std::uint8_t index = 0;  ///< in its block
  std::int32_t imm = 0;
};
static_assert(sizeof(BlockOp) == 16);

/// Instructions in a row of one page that are executed together: their accesses are to places that
/// are known, so that their time depends on nothing but the pipeline in front of them. The last one
/// is where several things can happen: a jump, a division, an access of kVaries, which stands
/// alone.
struct TimedBlock {
  static constexpr unsigned kMost = 64;
  std::vector<BlockOp> ops;
  bool is_dead = false;     ///< the places are other ones than was thought
  std::uint32_t count = 0;  ///< instructions
  unsigned activity = 0;    ///< of ExecutionState, of the accesses of L1 in front of the last one
  BlockEnd end = BlockEnd::kFall;
  bool is_backward = false;  ///< the jump at the end
  bool is_near = false;
  std::uint8_t body = 0;  ///< operations in front of the end
  std::uint32_t pc = 0;
  PredecodedCode::Page* page = nullptr;
  Op* first = nullptr;
  Op* last = nullptr;         ///< of the end; of kFall and kPageEnd, what comes behind
  std::vector<Op> source;     ///< what stands in the page, hidden or not
  std::vector<Place> places;  ///< of each operation
  /// From the beginning to an access, by that.
  std::vector<TimedBlock*> cuts;
};

struct BlockNode;

/// An access of a block that others can hold up (L1Arbiter), as it comes when nobody does: cycles
/// from the beginning of the block.
struct StreamAccess {
  std::uint16_t now = 0;      ///< when it is made; a load also passes then
  std::uint16_t emitted = 0;  ///< when a store passes
  /// The i-th newest store of the queue, which others are told of only now; 0: is over. Null: none.
  const std::uint16_t* told = nullptr;
};

/// The successor of a block that began in one state and ended in one way.
struct BlockEdge {
  BlockNode* next = nullptr;  ///< null: not known, or hardly used
  std::uint32_t elapsed = 0;  ///< cycles from the beginning of the block
  std::uint16_t access = 0;   ///< of L1, when the access at the end is one: at that cycle, likewise
  std::uint16_t ahead = 0;    ///< and ExecutionState::ahead_until
};
static_assert(sizeof(BlockEdge) == 16);

/// A block that begins in one state of the pipeline. Behind it in memory are its edges; what is
/// needed for every block that is executed lies in front of them, on one line of the host's.
struct BlockNode {
  using Offset = std::int64_t;
  static constexpr Offset kNone = INT64_MIN / 2;
  static constexpr Offset kAlways = INT64_MAX / 2;
  /// As `seen`: the block is not what it was thought to be.
  static constexpr std::uint64_t kDead = ~0ULL;
  struct Access {
    std::uint16_t at;  ///< cycles from the beginning
    std::uint8_t op;
    BlockNode* cut;  ///< from the beginning to it, once it is known
  };
  struct Rare {
    TimedBlock* block = nullptr;
    const PipelineState* state = nullptr;
    std::uint32_t stall = 0;  ///< of the first operation
    std::uint32_t heat = 0;   ///< how often it was executed, before it is translated
    std::uint32_t access_count = 0;
    Access* accesses = nullptr;
    /// Next state by edge; null if the successor is not known yet.
    const PipelineState** behind = nullptr;
    /// For each operation that is a load, bit i is set if the i-th newest store is still in the
    /// queue. Null if there is none.
    const std::uint8_t* queued = nullptr;
    /// For each operation, which of the accesses that ask it is, from 1 on, or 0. Null: none.
    const std::uint8_t* stream_of = nullptr;
    const StreamAccess* streams = nullptr;
  };

  Offset last_access = kNone;  ///< of L1; kAlways: cannot be executed as a block
  std::uint64_t seen = 0;      ///< FetchUnit::evictions() when its lines were in the cache
  const BlockOp* ops = nullptr;
  Op* last = nullptr;       // as the block has it
  std::uint16_t ahead = 0;  ///< ExecutionState::ahead_until behind it, from its beginning; 0: stays
  std::uint8_t count = 0;   // likewise
  std::uint8_t activity = 0;
  bool is_backward = false, is_near = false;
  std::uint32_t pc = 0;
  Rare* rare = nullptr;
  const void* translated = nullptr;  ///< where its code of the host begins (BlockTranslator)

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
