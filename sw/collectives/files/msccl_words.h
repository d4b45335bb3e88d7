#pragma once

#include <array>
#include <string_view>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// A step of the XML form.
struct MscclWord {
  std::string_view word;
  StepKind kind;
  bool forwards;
};

inline constexpr std::array<MscclWord, 9> kMscclWords{{
    {"s", StepKind::kSend, false},
    {"r", StepKind::kReceive, false},
    {"rcs", StepKind::kReceive, true},
    {"rrc", StepKind::kReceiveReduce, false},
    {"rrs", StepKind::kReceiveReduce, true},
    {"rrcs", StepKind::kReceiveReduce, true},
    {"cpy", StepKind::kCopy, false},
    {"re", StepKind::kReduce, false},
    {"nop", StepKind::kNothing, false},
}};

/// `coll` of an algo.
struct MscclCollective {
  std::string_view word;
  Primitive primitive;
};

/// The first of a primitive is the one that is written.
inline constexpr std::array<MscclCollective, 13> kMscclCollectives{{
    {"allreduce", Primitive::kAllReduce},
    {"allgather", Primitive::kAllGather},
    {"reducescatter", Primitive::kReduceScatter},
    {"reduce_scatter", Primitive::kReduceScatter},
    {"alltoall", Primitive::kAllToAll},
    {"broadcast", Primitive::kBroadcast},
    {"reduce", Primitive::kReduce},
    {"gather", Primitive::kGather},
    {"scatter", Primitive::kScatter},
    {"all_reduce", Primitive::kAllReduce},
    {"all_gather", Primitive::kAllGather},
    {"all_to_all", Primitive::kAllToAll},
    {"custom", Primitive::kCustom},
}};

}  // namespace tvp::collectives
