#pragma once
// The steps of every rank in a collective, as data: builders of sw/collectives/algorithms make
// schedules, or a file contains one. The checker proves them, the cost model times them, and
// firmware executes them (firmware/collectives).

#include <cstdint>
#include <string>
#include <vector>

#include "sw/collectives/schedule/rank_set.h"

namespace tvp::collectives {

// clang-format off
/// The result that a schedule must achieve. N is the number of ranks, k the chunks of a rank's
/// share:
///
/// | primitive      | input chunks | output chunks | output afterwards                                  |
/// |----------------|--------------|---------------|----------------------------------------------------|
/// | broadcast      | k            | k             | [j] = input [j] of the root                        |
/// | reduce         | k            | k             | root: [j] = reduction of all ranks' input [j]      |
/// | all_reduce     | k            | k             | [j] = reduction of all ranks' input [j]            |
/// | reduce_scatter | N k          | k             | rank r: [j] = reduction of all ranks' input [r k + j] |
/// | all_gather     | k            | N k           | [s k + j] = input [j] of rank s                    |
/// | all_to_all     | N k          | N k           | rank r: [s k + j] = input [r k + j] of rank s      |
/// | gather         | k            | N k           | root: [s k + j] = input [j] of rank s              |
/// | scatter        | N k          | k             | rank r: [j] = input [r k + j] of the root          |
/// | send_recv      | k            | k             | peer: [j] = input [j] of the root                  |
/// | custom         | of the file  | of the file   | whatever the schedule makes of it                  |
///
/// Output that a primitive does not define (that of others than the root) may have any contents.
// clang-format on
enum class Primitive : std::uint8_t {
  kBroadcast,
  kReduce,
  kAllReduce,
  kReduceScatter,
  kAllGather,
  kAllToAll,
  kGather,
  kScatter,
  kSendRecv,
  kCustom,  ///< only files have it
};

/// The memories of a rank. All chunks of a schedule have one size; the runtime pads the last one.
enum class Memory : std::uint8_t { kInput, kOutput, kScratch, kNone };

/// A place in a memory: a step's `count` chunks from `index` on.
struct Place {
  Memory memory = Memory::kNone;
  std::uint32_t index = 0;
  bool operator==(const Place&) const = default;
};

/// The peer of steps that use the switch that combines and multicasts.
inline constexpr std::uint32_t kSwitch = 0xFFFF'FFFE;
inline constexpr std::uint32_t kNobody = 0xFFFF'FFFF;

enum class StepKind : std::uint8_t {
  kSend,     ///< source to rank `to`
  kReceive,  ///< from rank `from` into destination, which may be kNone if it is only forwarded
  kReceiveReduce,  ///< destination (or kNone) = source combined with the message from rank `from`
  kCopy,           ///< destination = source, in one rank
  kReduce,         ///< destination = destination combined with source, in one rank
  kScale,          ///< destination = source / N: the last step of an average
  kNothing,        ///< waits for its dependencies
};

/// A step of the same rank that must end before this one begins.
struct Dependency {
  std::uint32_t lane = 0;
  std::uint32_t step = 0;
  bool operator==(const Dependency&) const = default;
};

/// One step on `count` chunks. Messages of a connection (from, to, channel) arrive in the order in
/// which they were sent. The n-th receive takes the n-th message, which must have the same number
/// of chunks. A receive with a rank `to` forwards the received or combined chunks on the same
/// channel, slice by slice while others still arrive.
struct Step {
  StepKind kind = StepKind::kNothing;
  Place source = {};
  Place destination = {};
  std::uint32_t count = 1;
  std::uint32_t to = kNobody;
  std::uint32_t from = kNobody;
  std::uint16_t channel = 0;
  /// Ranks that get the message when `to` is kSwitch. Without `contributors` it
  /// is a multicast of a kSend. With them the switch first combines the messages of all those
  /// ranks. Receivers take it from kSwitch.
  RankSet members = {};
  RankSet contributors = {};
  std::vector<Dependency> after = {};
  bool operator==(const Step&) const = default;
};

/// Steps that a rank executes one after the other; its lanes run side by side. If steps of two
/// lanes access the same chunk and one of them writes, dependencies in the rank must order them.
struct Lane {
  std::vector<Step> steps;
  bool operator==(const Lane&) const = default;
};

struct RankProgram {
  std::vector<Lane> lanes;
  bool operator==(const RankProgram&) const = default;
};

struct Schedule {
  std::string name;  ///< e.g. "all_reduce ring N=8"
  Primitive primitive = Primitive::kAllReduce;
  std::uint32_t root = 0;
  std::uint32_t peer = 0;     ///< receiver of send_recv
  bool average = false;       ///< the reduction is a sum that kScale divides by N
  std::uint32_t share = 1;    ///< k of the table above
  std::uint32_t scratch = 0;  ///< chunks of scratch memory of each rank
  /// The lanes of each rank are in this many sets: lane l in set l modulo `lane_sets`. Sets share
  /// no connection and no dependency, so a machine may execute each on a core of its own.
  std::uint32_t lane_sets = 1;
  std::uint32_t custom_inputs = 0;  ///< chunks of kCustom
  std::uint32_t custom_outputs = 0;
  std::vector<RankProgram> ranks;

  std::uint32_t size() const { return static_cast<std::uint32_t>(ranks.size()); }
  std::uint32_t input_chunks() const;
  std::uint32_t output_chunks() const;
  /// Chunks of the whole vector, M bytes: the larger of input and output.
  std::uint32_t vector_chunks() const;
  /// The most chunks of a step that sends or receives; 1 if there is none.
  std::uint32_t longest_message() const;
  bool operator==(const Schedule&) const = default;
};

std::string name_of(Primitive primitive);  ///< as in `--set op=`
/// Throws Fault(kDescription) that lists the names.
Primitive primitive_named(const std::string& name);
bool reduces(Primitive primitive);

}  // namespace tvp::collectives
